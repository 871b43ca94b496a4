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
// corners are right too. Its indices along the axis are the ghosts of a row, so that neighbouring
// threads of a GPU write neighbouring ghosts of axis 0.
//
// In a corner, the values of u_d in a side across d follow the side along which they lie there:
// that of a later axis because it is filled later, that of an earlier one by face_in_closed_side.
#pragma once

#include <array>
#include <cstddef>

#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/boundaries/closure.hpp"
#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/processes/halo_exchange.hpp"

namespace hodge::sim {

// A ghost of a row along an axis of n cells: layer k = 1, 2, 3 beyond a side.
struct GhostOfRow {
  SideIndices at;
  int k;

  HODGE_HD GhostOfRow(int n, int number)
      : at{n, number / ghost_width}, k(number % ghost_width + 1) {}
  HODGE_HD bool exists() const { return k <= at.n; }  // no more than there are cells
  HODGE_HD bool is_first() const { return at.side == 0 && k == 1; }
};
// None where both sides are cuts.
template <int Dim>
Box<Dim> ghosts_of_rows(const Layout<Dim>& layout, int axis) {
  Box<Dim> box = layer(layout, axis);
  box.upper[axis] = box.lower[axis] + (has_side_of_box(layout, axis) ? 2 * ghost_width : 0);
  return box;
}

// What a field gets there, if anything. A kernel finds it for all fields before it writes one, so
// that a GPU waits once.
struct GhostValue {
  double value = 0.0;
  bool is_given = false;
};
template <int Dim>
HODGE_HD void store(const GhostValue& ghost, const FieldView<Dim>& q, const GhostOfRow& row,
                    int axis, const Index<Dim>& c) {
  if (ghost.is_given) q(with(c, axis, row.at.ghost(row.k))) = ghost.value;
}

template <int Dim>
HODGE_HD GhostValue periodic_ghost(const FieldView<Dim>& q, const GhostOfRow& row, int axis,
                                   const Index<Dim>& c) {
  if (!row.exists()) return {};
  return {q(with(c, axis, row.at.opposite(row.k))), true};
}

// offset + slope * inner_k
template <int Dim>
HODGE_HD GhostValue mirrored_ghost(const FieldView<Dim>& q, double offset, double slope,
                                   const GhostOfRow& row, int axis, const Index<Dim>& c) {
  if (!row.exists()) return {};
  return {offset + slope * q(with(c, axis, row.at.inner(row.k))), true};
}

// Of a value along a side; across one there is none.
template <int Dim>
HODGE_HD GhostValue ghost_value(const FieldView<Dim>& q, const ClosureView<Dim>& closure,
                                const GhostOfRow& row, int location, int axis,
                                const Index<Dim>& c) {
  if (closure.periodic[axis]) return periodic_ghost(q, row, axis, c);
  const int side = row.at.side;
  if (closure.offsets[axis][side] == nullptr || location == axis) return {};
  return mirrored_ghost(q, closure.offset(axis, side, c), closure.slope(axis, side, c), row, axis,
                        c);
}

template <int Dim>
HODGE_HD double by_own_closure(const FieldView<Dim>& u, const ClosureView<Dim>& closure,
                               const SideIndices& at, int axis, const Index<Dim>& c) {
  return closure.offset(axis, at.side, c) +
         closure.slope(axis, at.side, c) * u(with(c, axis, at.face_within(1)));
}

// The same where c lies in the ghosts of axes before this one: what those make of the value within.
// Nothing beyond a cut: that value is the neighbour's.
template <int Dim>
HODGE_HD GhostValue face_in_closed_side(const FieldView<Dim>& u, const ClosureView<Dim>& closure,
                                        const SideIndices& at, int axis, Index<Dim> c) {
  double offset = 0.0, slope = 1.0;
  for (int e = axis - 1; e >= 0; --e) {
    const int n = closure.cells[e], side = c[e] < 0 ? 0 : 1;
    if (c[e] >= 0 && c[e] < n) continue;
    const SideIndices beside{n, side};
    const int k = side == 0 ? -c[e] : c[e] - n + 1;
    if (closure.periodic[e]) {
      c = with(c, e, beside.opposite(k));
      continue;
    }
    if (closure.offsets[e][side] == nullptr) return {};
    const Index<Dim> face = with(c, axis, at.face());
    offset += slope * closure.offset(e, side, face);
    slope *= closure.slope(e, side, face);
    c = with(c, e, beside.inner(k));
  }
  return {offset + slope * by_own_closure(u, closure, at, axis, c), true};
}

template <int Dim>
HODGE_HD void fill_ghosts_across_side_at(const FieldView<Dim>& u, const ClosureView<Dim>& closure,
                                         const SideIndices& at, int axis, bool open,
                                         const Index<Dim>& c) {
  const Index<Dim> face = with(c, axis, at.face());
  const GhostValue given = open ? GhostValue{} : face_in_closed_side(u, closure, at, axis, c);
  if (given.is_given) u(face) = given.value;
  const int beyond = at.side == 0 ? ghost_width : ghost_width - 1;
  for (int k = 1; k <= beyond && k <= at.n; ++k)
    u(with(c, axis, at.face_beyond(k))) = 2.0 * u(face) - u(with(c, axis, at.face_within(k)));
}

// Of both sides, one after the other: on an axis of few cells one face is read for the other side.
template <int Dim>
HODGE_HD void fill_ghosts_across_sides_at(const FieldView<Dim>& u, const ClosureView<Dim>& closure,
                                          int n, int axis, const bool (&open)[2],
                                          const Index<Dim>& c) {
  if (closure.periodic[axis]) return;
  for (int side = 0; side < 2; ++side)
    if (closure.offsets[axis][side] != nullptr)
      fill_ghosts_across_side_at(u, closure, SideIndices{n, side}, axis, open[side], c);
}

template <int Dim>
struct VelocityClosures {
  ClosureView<Dim> component[Dim];
  SideKinds<Dim> sides;
};

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
      u(with(c, axis, SideIndices{n, side}.face())) =
          by_own_closure(u, closure, SideIndices{n, side}, axis, c);
}

// One kernel for all axes: the last index is the axis, those before it go over its side.
template <int Dim, class Space>
void fill_faces_in_own_sides(VelocityField<Dim, Space>& velocity,
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
}
template <int Dim, class Space>
void fill_faces_in_sides(VelocityField<Dim, Space>& velocity,
                         const VelocityClosures<Dim>& closures) {
  fill_faces_in_own_sides(velocity, closures);
  if (velocity[0].layout().halo != nullptr)
    velocity[0].layout().halo->template fill_upper_faces<Space>(velocity.view()[Dim - 1]);
}

template <int Dim, class Space>
void fill_velocity_ghosts(VelocityField<Dim, Space>& velocity,
                          const VelocityClosures<Dim>& closures) {
  const Layout<Dim> layout = velocity[0].layout();
  const VelocityView<Dim> u = velocity.view();
  for (int axis = 0; axis < Dim; ++axis) {
    const int n = layout.cells[axis];
    const Box<Dim> ghosts = ghosts_of_rows(layout, axis);
    linalg::for_each<Space>(ghosts, [=] HODGE_LAMBDA(const Index<Dim>& c) {
      const GhostOfRow row(n, c[axis]);
      GhostValue ghost[Dim];
      unrolled<Dim>(
          [&](auto d) { ghost[d] = ghost_value(u[d], closures.component[d], row, d, axis, c); });
      unrolled<Dim>([&](auto d) {
        store(ghost[d], u[d], row, axis, c);
        if (d == axis && row.is_first())
          fill_ghosts_across_sides_at(u[d], closures.component[d], n, axis,
                                      closures.sides.open[axis], c);
      });
    });
    std::array<FieldView<Dim>, Dim> components;
    for (int d = 0; d < Dim; ++d) components[static_cast<std::size_t>(d)] = u[d];
    fill_ghosts_beyond_cuts<Space, Dim>(layout, axis, components);
  }
}

template <int Dim, class Space>
void fill_scalar_ghosts(Field<Dim, Space>& scalar, const ClosureView<Dim>& closure) {
  const Layout<Dim> layout = scalar.layout();
  const FieldView<Dim> q = scalar.view();
  for (int axis = 0; axis < Dim; ++axis) {
    const int n = layout.cells[axis];
    linalg::for_each<Space>(ghosts_of_rows(layout, axis), [=] HODGE_LAMBDA(const Index<Dim>& c) {
      const GhostOfRow row(n, c[axis]);
      store(ghost_value(q, closure, row, at_cells, axis, c), q, row, axis, c);
    });
    fill_ghosts_beyond_cuts<Space, Dim>(layout, axis, std::span(&q, 1));
  }
}

// Values in open sides, arrays over the padded layer of each; null: 0.
template <int Dim>
struct SideValues {
  const double* of[Dim][2] = {};
  bool in_box = false;  // whether there are any in the sides of the whole box

  bool any() const { return in_box; }
};

// `value`: in the side, where it is open; null: 0.
template <int Dim>
HODGE_HD GhostValue pressure_ghost(const FieldView<Dim>& p, const Index<Dim>& cells,
                                   const SideKinds<Dim>& sides, const double* value,
                                   const GhostOfRow& row, int axis, const Index<Dim>& c) {
  if (sides.wraps[axis]) return periodic_ghost(p, row, axis, c);
  const int side = row.at.side;
  if (sides.continues[axis][side]) return {};  // another process's cells
  const double offset = value ? 2.0 * value[layer_position(cells, axis, c)] : 0.0;
  return mirrored_ghost(p, offset, sides.open[axis][side] ? -1.0 : 1.0, row, axis, c);
}

template <int Dim, int Count>
struct FieldViews {
  FieldView<Dim> of[Count];
};

// Of pressures with the same values in open sides.
template <int Dim, class Space, std::size_t Count>
void fill_pressure_ghosts(const std::array<Field<Dim, Space>*, Count>& pressures,
                          const SideKinds<Dim>& sides, const SideValues<Dim>& values) {
  constexpr int count = static_cast<int>(Count);
  const Layout<Dim> layout = pressures[0]->layout();
  FieldViews<Dim, count> views;
  for (std::size_t k = 0; k < Count; ++k) views.of[k] = pressures[k]->view();
  for (int axis = 0; axis < Dim; ++axis) {
    const int n = layout.cells[axis];
    linalg::for_each<Space>(ghosts_of_rows(layout, axis), [=] HODGE_LAMBDA(const Index<Dim>& c) {
      const GhostOfRow row(n, c[axis]);
      const double* const value = values.of[axis][row.at.side];
      GhostValue ghost[count];
      unrolled<count>([&](auto k) {
        ghost[k] = pressure_ghost(views.of[k], layout.cells, sides, value, row, axis, c);
      });
      unrolled<count>([&](auto k) { store(ghost[k], views.of[k], row, axis, c); });
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
