#include "sim/discrete/boundaries/velocity_boundary.hpp"

namespace hodge::sim {
namespace {

// Across an open side the velocity is an unknown; the value stands for none.
FieldSide velocity_side(const Side& side, int axis, int component) {
  const SideTraits& traits = side.traits();
  if (traits.is_periodic()) return {Condition::periodic};
  if (traits.takes_velocity()) return {Condition::value, side.velocity[component]};
  return {component == axis ? Condition::value : traits.along};
}

}  // namespace

FieldSides velocity_sides(const Boundaries& boundaries, int component) {
  FieldSides sides;
  for (const auto [axis, side] : sides_of_box(3))
    sides[axis][side] = velocity_side(boundaries.sides[axis][side], axis, component);
  return sides;
}

}  // namespace hodge::sim
