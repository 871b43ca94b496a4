#include "sim/time/scalar_state.hpp"

namespace hodge::sim {
namespace {

FieldSide scalar_side(const ScalarSide& side, SideKind kind) {
  if (kind == SideKind::periodic) return {Condition::periodic};
  if (kind == SideKind::outflow) return {Condition::outflow};
  if (kind == SideKind::pressure && side.kind == ScalarSideKind::value)
    return {Condition::entering, side.value};
  if (kind == SideKind::pressure) return {Condition::flux};
  switch (side.kind) {
    case ScalarSideKind::value:
      return {Condition::value, side.value};
    case ScalarSideKind::flux:
      return {Condition::flux, side.value};
    default:
      return {Condition::convective, side.value, side.coefficient};
  }
}

}  // namespace

FieldSides scalar_sides(const ScalarProblem& scalar, const Boundaries& boundaries) {
  FieldSides sides;
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side)
      sides[axis][side] = scalar_side(scalar.sides[axis][side], boundaries.sides[axis][side].kind);
  return sides;
}

}  // namespace hodge::sim
