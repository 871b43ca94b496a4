// The values beyond the box that make the discrete operators hold at its sides too.
//
//   periodic             ghost(-1) = inner(n-1), ghost(n) = inner(0); so face n is face 0
//   wall, tangential u   ghost = 2 u_wall - inner: u_wall at the wall, second order
//   wall, normal u       the value at face 0 or n = u_wall
//   wall, pressure       ghost = inner: dp/dn = 0
//
// One kernel an axis, over the whole padded extent of the other axes: after the last axis the
// corners are right too.
#pragma once

#include "linalg/parallel.hpp"
#include "sim/boundaries/boundaries.hpp"
#include "sim/fields/velocity.hpp"

namespace hodge::sim {

template <int Dim>
struct BoundaryView {
  bool periodic[Dim];
  double wall_velocity[Dim][2][Dim];  // [axis][side][component]
};

template <int Dim>
BoundaryView<Dim> boundary_view(const Boundaries& boundaries) {
  BoundaryView<Dim> view{};
  for (int axis = 0; axis < Dim; ++axis) {
    view.periodic[axis] = boundaries.periodic(axis);
    for (int side = 0; side < 2; ++side)
      for (int d = 0; d < Dim; ++d)
        view.wall_velocity[axis][side][d] = boundaries.sides[axis][side].velocity[d]({}, 0);
  }
  return view;
}

// Indices along one axis of n cells that matter at one of its sides.
struct SideIndices {
  int ghost, inner, opposite, face;
};

HODGE_HD inline SideIndices side_indices(int n, int side) {
  return side == 0 ? SideIndices{-1, 0, n - 1, 0} : SideIndices{n, n - 1, 0, n};
}

template <int Dim>
HODGE_HD Index<Dim> with(Index<Dim> c, int axis, int value) {
  return c.shifted(axis, value - c[axis]);
}

// The ghost of u_d at the side next to c.
template <int Dim>
HODGE_HD void fill_velocity_ghost_at(const FieldView<Dim>& u, const BoundaryView<Dim>& boundaries,
                                     const SideIndices& at, int d, int axis, int side,
                                     const Index<Dim>& c) {
  const double wall = boundaries.wall_velocity[axis][side][d];
  if (boundaries.periodic[axis])
    u(with(c, axis, at.ghost)) = u(with(c, axis, at.opposite));
  else if (d == axis)
    u(with(c, axis, at.face)) = wall;
  else
    u(with(c, axis, at.ghost)) = 2.0 * wall - u(with(c, axis, at.inner));
}

template <int Dim>
HODGE_HD void fill_pressure_ghost_at(const FieldView<Dim>& p, bool periodic, const SideIndices& at,
                                     int axis, const Index<Dim>& c) {
  p(with(c, axis, at.ghost)) = p(with(c, axis, periodic ? at.opposite : at.inner));
}

// The padded extent of the other axes, one layer thick along `axis`.
template <int Dim>
Box<Dim> layer(const Layout<Dim>& layout, int axis) {
  Box<Dim> box = layout.padded();
  box.lower[axis] = 0;
  box.upper[axis] = 1;
  return box;
}

template <int Dim, class Space>
void fill_velocity_ghosts(VelocityField<Dim, Space>& velocity,
                          const BoundaryView<Dim>& boundaries) {
  const Layout<Dim> layout = velocity[0].layout();
  const VelocityView<Dim> u = velocity.view();
  for (int axis = 0; axis < Dim; ++axis) {
    const int n = layout.cells[axis];
    linalg::for_each<Space>(layer(layout, axis), [=] HODGE_LAMBDA(const Index<Dim>& c) {
      for (int d = 0; d < Dim; ++d)
        for (int side = 0; side < 2; ++side)
          fill_velocity_ghost_at(u[d], boundaries, side_indices(n, side), d, axis, side, c);
    });
  }
}

template <int Dim, class Space>
void fill_pressure_ghosts(Field<Dim, Space>& pressure, const BoundaryView<Dim>& boundaries) {
  const Layout<Dim> layout = pressure.layout();
  const FieldView<Dim> p = pressure.view();
  for (int axis = 0; axis < Dim; ++axis) {
    const int n = layout.cells[axis];
    const bool periodic = boundaries.periodic[axis];
    linalg::for_each<Space>(layer(layout, axis), [=] HODGE_LAMBDA(const Index<Dim>& c) {
      for (int side = 0; side < 2; ++side)
        fill_pressure_ghost_at(p, periodic, side_indices(n, side), axis, c);
    });
  }
}

}  // namespace hodge::sim
