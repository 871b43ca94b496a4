#include "sim/discrete/boundaries/velocity_boundary.hpp"

namespace hodge::sim {
namespace {

// Across an open side the velocity is an unknown; the value stands for none.
FieldSide velocity_side(const Side& side, int axis, int component) {
  switch (side.kind) {
    case SideKind::periodic:
      return {Condition::periodic};
    case SideKind::outflow:
      return {component == axis ? Condition::value : Condition::outflow};
    case SideKind::pressure:
      return {component == axis ? Condition::value : Condition::free};
    case SideKind::slip:
      return {component == axis ? Condition::value : Condition::flux};
    default:
      return {Condition::value, side.velocity[component]};
  }
}

}  // namespace

FieldSides velocity_sides(const Boundaries& boundaries, int component) {
  FieldSides sides;
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side)
      sides[axis][side] = velocity_side(boundaries.sides[axis][side], axis, component);
  return sides;
}

}  // namespace hodge::sim
