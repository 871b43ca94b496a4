// What each side of the box is, on the host.
//
//   wall       u = velocity, whose normal component is 0
//   inflow     u = velocity; with a negative normal part, fluid leaves as prescribed
//   outflow    p = pressure; what is carried along leaves: dq/dt + c dq/dn = 0, c the flow's speed
//   pressure   p = pressure, du/dn = 0 along the side; fluid may enter as well as leave
//   slip       u.n = 0, no shear: a free surface or a plane of symmetry
//   periodic   both sides of an axis or none
//
// A scalar c on a side, n the outward normal, D its diffusivity:
//
//   value        c = value
//   flux         D dc/dn = value               into the box where positive
//   convective   -D dc/dn = coefficient (c - value)            Robin's condition
//
// On outflow sides scalars are carried out as the velocity is; on periodic ones there is nothing to
// say. On pressure sides a value, where one is given, is what entering fluid brings.
#pragma once

#include <array>

#include "sim/base/formulas/expression.hpp"

namespace hodge::sim {

enum class SideKind { wall, inflow, outflow, pressure, slip, periodic };

// Sides with a given pressure, through which the fluid finds its own way.
constexpr bool is_open(SideKind kind) {
  return kind == SideKind::outflow || kind == SideKind::pressure;
}

struct Side {
  SideKind kind = SideKind::wall;
  std::array<Expression, 3> velocity{};  // wall, inflow: of x, y, z, t; L/T
  Expression pressure = 0;               // outflow, pressure: of x, y, z, t; M/(L T^2)
};

struct Boundaries {
  std::array<std::array<Side, 2>, 3> sides;  // [axis][0 lower, 1 upper]

  bool periodic(int axis) const { return sides[axis][0].kind == SideKind::periodic; }
};

enum class ScalarSideKind { value, flux, convective };

struct ScalarSide {
  ScalarSideKind kind = ScalarSideKind::flux;
  Expression value = 0;        // of x, y, z, t
  Expression coefficient = 0;  // convective: L/T, not negative
};

using ScalarSides = std::array<std::array<ScalarSide, 2>, 3>;  // [axis][side]

}  // namespace hodge::sim
