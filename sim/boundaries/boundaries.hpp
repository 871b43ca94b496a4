// What each side of the box is, on the host.
//
//   wall       u = velocity, whose normal component is 0
//   inflow     u = velocity; with a negative normal part, fluid leaves as prescribed
//   outflow    du/dt + c du/dn = 0 with c the speed of leaving, p = 0
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
// say.
#pragma once

#include <array>

#include "sim/expressions/expression.hpp"

namespace hodge::sim {

enum class SideKind { wall, inflow, outflow, slip, periodic };

// Whether the pressure is given and as much fluid passes as has to.
inline bool is_open(SideKind kind) {
  return kind == SideKind::outflow;
}

struct Side {
  SideKind kind = SideKind::wall;
  std::array<Expression, 3> velocity{};  // wall, inflow: of x, y, z, t; L/T
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
