#include "sim/time/scalar_state.hpp"

namespace hodge::sim {
namespace {

FieldSide scalar_side(const ScalarSide& condition, const SideTraits& side) {
  if (side.takes_entering_value())
    return condition.traits().gives_value() ? FieldSide{side.scalars, condition.value}
                                            : FieldSide{Condition::flux};
  if (side.scalars != Condition::none) return {side.scalars};
  return {condition.traits().condition, condition.value, condition.coefficient};
}

}  // namespace

FieldSides scalar_sides(const ScalarProblem& scalar, const Boundaries& boundaries) {
  FieldSides sides;
  for (const auto [axis, side] : sides_of_box(3))
    sides[axis][side] =
        scalar_side(scalar.sides[axis][side], boundaries.sides[axis][side].traits());
  return sides;
}

}  // namespace hodge::sim
