// What the sides of the box are to the pressure and to the numbering of unknowns.
#pragma once

#include "sim/discrete/fields/layers.hpp"
#include "sim/model/boundaries.hpp"

namespace hodge::sim {

template <int Dim>
struct SideKinds {
  // The fluid goes on beyond the side: at the other end of a periodic axis, or in the cells of
  // another process.
  bool continues[Dim][2];
  bool wraps[Dim];              // a periodic axis, both of whose ends are here
  bool open[Dim][2];            // p is given, the velocity across the side is an unknown
  bool velocity_along[Dim][2];  // the velocity along the side is given
};

template <int Dim>
SideKinds<Dim> side_kinds(const Boundaries& boundaries) {
  SideKinds<Dim> kinds{};
  for (int axis = 0; axis < Dim; ++axis) {
    kinds.wraps[axis] = boundaries.periodic(axis);
    for (int side = 0; side < 2; ++side) {
      const SideTraits& traits = boundaries.sides[axis][side].traits();
      kinds.continues[axis][side] = traits.continues();
      kinds.open[axis][side] = traits.is_open();
      kinds.velocity_along[axis][side] = traits.takes_velocity();
    }
  }
  return kinds;
}

template <int Dim>
bool has_sides(const SideKinds<Dim>& kinds) {
  bool any = false;
  for (int axis = 0; axis < Dim; ++axis)
    any = any || !kinds.continues[axis][0] || !kinds.continues[axis][1];
  return any;
}

template <int Dim>
bool has_open_side(const SideKinds<Dim>& kinds) {
  bool any = false;
  for (int axis = 0; axis < Dim; ++axis) any = any || kinds.open[axis][0] || kinds.open[axis][1];
  return any;
}

}  // namespace hodge::sim
