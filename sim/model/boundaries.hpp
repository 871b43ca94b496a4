// What each side of the box is, on the host; the kinds and conditions are in sides.hpp.
#pragma once

#include <array>

#include "sim/base/formulas/expression.hpp"
#include "sim/model/sides.hpp"

namespace hodge::sim {

struct Side {
  SideKind kind = SideKind::wall;
  std::array<Expression, 3> velocity{};  // of x, y, z, t; L/T
  Expression pressure = 0;               // of open sides, of x, y, z, t; M/(L T^2)

  constexpr const SideTraits& traits() const { return traits_of(kind); }
};

struct Boundaries {
  std::array<std::array<Side, 2>, 3> sides;  // [axis][0 lower, 1 upper]

  void set(int axis, SideKind kind) { sides[axis][0].kind = sides[axis][1].kind = kind; }
  bool periodic(int axis) const { return sides[axis][0].traits().is_periodic(); }
};

struct ScalarSide {
  ScalarSideKind kind = ScalarSideKind::flux;
  Expression value = 0;        // of x, y, z, t
  Expression coefficient = 0;  // convective: L/T, not negative

  constexpr const ScalarConditionTraits& traits() const { return traits_of(kind); }
  // What a scalar without any condition has.
  bool is_without_flux() const { return traits().gives_flux() && value.is_zero(); }
};

using ScalarSides = std::array<std::array<ScalarSide, 2>, 3>;  // [axis][side]

}  // namespace hodge::sim
