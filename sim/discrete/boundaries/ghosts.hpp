// The values beyond the box that make the discrete operators hold at its sides too, three layers.
//
//   periodic        ghost(-k) = inner(n-k), ghost(n-1+k) = inner(k-1); so face n is face 0
//   otherwise       ghost_k = offset + slope * inner_k                              (closure.hpp)
//   across a side   the value in the side by its closure, in an open one that of the field itself;
//                   beyond it u(-k) = 2 u(0) - u(k)
//   pressure        ghost_k = inner_k (no gradient), or 2 value - inner_k at open sides
//
// Beyond a cut through the box the ghosts are cells of another process, and come from there.
// One kernel an axis, over the whole padded extent of the other axes: after the last axis the
// corners are right too. The components of a velocity are the indices along the axis.
#pragma once

#include <array>
#include <cstddef>

#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/boundaries/closure.hpp"
#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/processes/halo_exchange.hpp"

namespace hodge::sim {

// Of ghosts beyond a side: no more than there are cells.
HODGE_HD inline int layers_of(const SideIndices& at) {
  return at.n < ghost_width ? at.n : ghost_width;
}

template <int Dim>
HODGE_HD void fill_periodic_ghosts_at(const FieldView<Dim>& q, const SideIndices& at, int axis,
                                      const Index<Dim>& c) {
  const int most = layers_of(at);
  double value[ghost_width] = {};  // all are read before one is written: a GPU waits once
  unrolled<ghost_width>([&](auto k) {
    if (k < most) value[k] = q(with(c, axis, at.opposite(k + 1)));
  });
  unrolled<ghost_width>([&](auto k) {
    if (k < most) q(with(c, axis, at.ghost(k + 1))) = value[k];
  });
}

// ghost_k = offset + slope * inner_k
template <int Dim>
HODGE_HD void fill_mirrored_ghosts_at(const FieldView<Dim>& q, double offset, double slope,
                                      const SideIndices& at, int axis, const Index<Dim>& c) {
  const int most = layers_of(at);
  double value[ghost_width] = {};
  unrolled<ghost_width>([&](auto k) {
    if (k < most) value[k] = q(with(c, axis, at.inner(k + 1)));
  });
  unrolled<ghost_width>([&](auto k) {
    if (k < most) q(with(c, axis, at.ghost(k + 1))) = offset + slope * value[k];
  });
}

template <int Dim>
HODGE_HD void fill_ghosts_along_side_at(const FieldView<Dim>& q, const ClosureView<Dim>& closure,
                                        const SideIndices& at, int axis, const Index<Dim>& c) {
  fill_mirrored_ghosts_at(q, closure.offset(axis, at.side, c), closure.slope(axis, at.side, c), at,
                          axis, c);
}

template <int Dim>
HODGE_HD void fill_face_in_side_at(const FieldView<Dim>& u, const ClosureView<Dim>& closure,
                                   const SideIndices& at, int axis, const Index<Dim>& c) {
  u(with(c, axis, at.face())) =
      closure.offset(axis, at.side, c) +
      closure.slope(axis, at.side, c) * u(with(c, axis, at.face_within(1)));
}

template <int Dim>
HODGE_HD void fill_ghosts_across_side_at(const FieldView<Dim>& u, const ClosureView<Dim>& closure,
                                         const SideIndices& at, int axis, bool open,
                                         const Index<Dim>& c) {
  const Index<Dim> face = with(c, axis, at.face());
  if (!open) fill_face_in_side_at(u, closure, at, axis, c);
  const int beyond = at.side == 0 ? ghost_width : ghost_width - 1;
  for (int k = 1; k <= beyond && k <= at.n; ++k)
    u(with(c, axis, at.face_beyond(k))) = 2.0 * u(face) - u(with(c, axis, at.face_within(k)));
}

template <int Dim>
HODGE_HD void fill_ghosts_at(const FieldView<Dim>& q, const ClosureView<Dim>& closure,
                             const SideIndices& at, int location, int axis, bool open,
                             const Index<Dim>& c) {
  if (closure.periodic[axis])
    fill_periodic_ghosts_at(q, at, axis, c);
  else if (closure.offsets[axis][at.side] == nullptr)
    return;
  else if (location != at_cells && location == axis)
    fill_ghosts_across_side_at(q, closure, at, axis, open, c);
  else
    fill_ghosts_along_side_at(q, closure, at, axis, c);
}

template <int Dim>
struct VelocityClosures {
  ClosureView<Dim> component[Dim];
  SideKinds<Dim> sides;
};

template <int Dim, class Space>
void fill_velocity_ghosts(VelocityField<Dim, Space>& velocity,
                          const VelocityClosures<Dim>& closures) {
  const Layout<Dim> layout = velocity[0].layout();
  const VelocityView<Dim> u = velocity.view();
  for (int axis = 0; axis < Dim; ++axis) {
    const int n = layout.cells[axis];
    Box<Dim> layers = layer(layout, axis);
    layers.upper[axis] = layers.lower[axis] + Dim;
    linalg::for_each<Space>(layers, [=] HODGE_LAMBDA(const Index<Dim>& c) {
      unrolled<Dim>([&](auto d) {
        if (c[axis] != d) return;
        for (int side = 0; side < 2; ++side)
          fill_ghosts_at(u[d], closures.component[d], SideIndices{n, side}, d, axis,
                         closures.sides.open[axis][side], c);
      });
    });
    std::array<FieldView<Dim>, Dim> components;
    for (int d = 0; d < Dim; ++d) components[static_cast<std::size_t>(d)] = u[d];
    fill_ghosts_beyond_cuts<Space, Dim>(layout, axis, components);
  }
}

// The faces in sides of component `axis`, at c of the cells beside the lower one: all that the
// divergence of a velocity needs.
template <int Dim>
HODGE_HD void fill_faces_in_sides_at(const FieldView<Dim>& u, const ClosureView<Dim>& closure,
                                     int n, int axis, const bool (&open)[2], const Index<Dim>& c) {
  if (closure.periodic[axis]) {
    u(with(c, axis, n)) = u(with(c, axis, 0));
    return;
  }
  for (int side = 0; side < 2; ++side)
    if (!open[side] && closure.offsets[axis][side] != nullptr)
      fill_face_in_side_at(u, closure, SideIndices{n, side}, axis, c);
}

// One kernel for all axes: the last index is the axis, those before it go over its side.
template <int Dim, class Space>
void fill_faces_in_sides(VelocityField<Dim, Space>& velocity,
                         const VelocityClosures<Dim>& closures) {
  const Index<Dim> cells = velocity[0].layout().cells;
  const VelocityView<Dim> u = velocity.view();
  Box<Dim> sides{Index<Dim>::filled(0), Index<Dim>::filled(0)};
  for (int d = 0; d < Dim; ++d)
    for (int k = 0; k + 1 < Dim; ++k)
      sides.upper[k] = cells[d] > sides.upper[k] ? cells[d] : sides.upper[k];
  sides.upper[Dim - 1] = Dim;
  linalg::for_each<Space>(sides, [=] HODGE_LAMBDA(const Index<Dim>& at) {
    unrolled<Dim>([&](auto axis) {
      if (at[Dim - 1] != axis) return;
      Index<Dim> c = Index<Dim>::filled(0);
      bool inside = true;
      for (int d = 0, k = 0; d < Dim; ++d) {
        if (d == axis) continue;
        c[d] = at[k];
        inside = inside && at[k] < cells[d];
        ++k;
      }
      if (inside)
        fill_faces_in_sides_at(u[axis], closures.component[axis], cells[axis], axis,
                               closures.sides.open[axis], c);
    });
  });
  if constexpr (std::is_same_v<Space, linalg::Host>)
    for (int axis = 0; axis < Dim && velocity[0].layout().halo != nullptr; ++axis)
      velocity[0].layout().halo->fill_upper_faces(axis, u[axis]);
}

template <int Dim, class Space>
void fill_scalar_ghosts(Field<Dim, Space>& scalar, const ClosureView<Dim>& closure) {
  const Layout<Dim> layout = scalar.layout();
  const FieldView<Dim> q = scalar.view();
  for (int axis = 0; axis < Dim; ++axis) {
    const int n = layout.cells[axis];
    linalg::for_each<Space>(layer(layout, axis), [=] HODGE_LAMBDA(const Index<Dim>& c) {
      for (int side = 0; side < 2; ++side)
        fill_ghosts_at(q, closure, SideIndices{n, side}, at_cells, axis, false, c);
    });
    fill_ghosts_beyond_cuts<Space, Dim>(layout, axis, std::span(&q, 1));
  }
}

// Values in open sides, arrays over the padded layer of each; null: 0.
template <int Dim>
struct SideValues {
  const double* of[Dim][2] = {};

  bool any() const {
    bool any = false;
    for (int d = 0; d < Dim; ++d) any = any || of[d][0] != nullptr || of[d][1] != nullptr;
    return any;
  }
};

// `value`: in the side, where it is open; null: 0.
template <int Dim>
HODGE_HD void fill_pressure_ghosts_at(const FieldView<Dim>& p, const Index<Dim>& cells,
                                      const SideKinds<Dim>& sides, const double* value,
                                      const SideIndices& at, int axis, const Index<Dim>& c) {
  if (sides.wraps[axis]) return fill_periodic_ghosts_at(p, at, axis, c);
  if (sides.continues[axis][at.side]) return;  // another process's cells
  const double offset = value ? 2.0 * value[layer_position(cells, axis, c)] : 0.0;
  fill_mirrored_ghosts_at(p, offset, sides.open[axis][at.side] ? -1.0 : 1.0, at, axis, c);
}

template <int Dim, int Count>
struct FieldViews {
  FieldView<Dim> of[Count];
};

// Of pressures with the same values in open sides; the pressures are the indices along the axis.
template <int Dim, class Space, std::size_t Count>
void fill_pressure_ghosts(const std::array<Field<Dim, Space>*, Count>& pressures,
                          const SideKinds<Dim>& sides, const SideValues<Dim>& values) {
  const Layout<Dim> layout = pressures[0]->layout();
  FieldViews<Dim, static_cast<int>(Count)> views;
  for (std::size_t k = 0; k < Count; ++k) views.of[k] = pressures[k]->view();
  for (int axis = 0; axis < Dim; ++axis) {
    const int n = layout.cells[axis];
    Box<Dim> layers = layer(layout, axis);
    layers.upper[axis] = layers.lower[axis] + static_cast<int>(Count);
    linalg::for_each<Space>(layers, [=] HODGE_LAMBDA(const Index<Dim>& c) {
      unrolled<static_cast<int>(Count)>([&](auto k) {
        if (c[axis] != k) return;
        for (int side = 0; side < 2; ++side)
          fill_pressure_ghosts_at(views.of[k], layout.cells, sides, values.of[axis][side],
                                  SideIndices{n, side}, axis, c);
      });
    });
    fill_ghosts_beyond_cuts<Space, Dim>(layout, axis, views.of);
  }
}
template <int Dim, class Space>
void fill_pressure_ghosts(Field<Dim, Space>& pressure, const SideKinds<Dim>& sides,
                          const SideValues<Dim>& values = {}) {
  fill_pressure_ghosts(std::array{&pressure}, sides, values);
}

}  // namespace hodge::sim
