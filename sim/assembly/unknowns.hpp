// Which points of a field are unknowns, and the numbers of their rows.
//
//   pressure                           every cell
//   u_d, axis d ends at walls          faces 1 .. n-1 along d (faces 0 and n are known)
//   u_d, axis d periodic               faces 0 .. n-1 along d (face n is face 0)
//
// Rows are numbered lexicographically, axis 0 fastest. A row's entries are the point itself and its
// neighbours along each axis; beyond a wall there is none.
#pragma once

#include "sim/boundaries/ghosts.hpp"
#include "sim/fields/layout.hpp"

namespace hodge::sim {

// Points of a stencil: 2 axis + side (0 lower, 1 upper), and last the centre.
template <int Dim>
inline constexpr int centre = 2 * Dim;
template <int Dim>
inline constexpr int stencil_size = 2 * Dim + 1;

HODGE_HD constexpr int direction(int axis, int side) {
  return 2 * axis + side;
}

template <int Dim>
struct Unknowns {
  Box<Dim> box;
  bool periodic[Dim];

  HODGE_HD int row(const Index<Dim>& c) const { return box.position(c); }
  HODGE_HD bool first(int axis, const Index<Dim>& c) const { return c[axis] == box.lower[axis]; }
  HODGE_HD bool last(int axis, const Index<Dim>& c) const { return c[axis] == box.upper[axis] - 1; }
  HODGE_HD bool has_neighbour(int axis, int side, const Index<Dim>& c) const {
    return periodic[axis] || !(side == 0 ? first(axis, c) : last(axis, c));
  }
};

template <int Dim>
Unknowns<Dim> pressure_unknowns(const Layout<Dim>& layout, const BoundaryView<Dim>& boundaries) {
  Unknowns<Dim> unknowns{layout.interior(), {}};
  for (int axis = 0; axis < Dim; ++axis) unknowns.periodic[axis] = boundaries.periodic[axis];
  return unknowns;
}

template <int Dim>
Unknowns<Dim> velocity_unknowns(int d, const Layout<Dim>& layout,
                                const BoundaryView<Dim>& boundaries) {
  Unknowns<Dim> unknowns = pressure_unknowns(layout, boundaries);
  if (!boundaries.periodic[d]) unknowns.box.lower[d] = 1;
  return unknowns;
}

// Calls visit(direction, column) for the entries of the row of c, by ascending column. The groups
// nest by axis:
//
//   [ z before [ y before [ x before, c, x after ] y after ] z after ]
//
// where a periodic axis puts the wrapped neighbour of its last point first, and that of its first
// point last.
template <int Dim, class Visit>
HODGE_HD void for_each_entry_in_column_order(const Unknowns<Dim>& unknowns, const Index<Dim>& c,
                                             Visit visit) {
  for (int axis = Dim - 1; axis >= 0; --axis) {
    if (unknowns.last(axis, c) && unknowns.periodic[axis])
      visit(direction(axis, 1), unknowns.row(with(c, axis, unknowns.box.lower[axis])));
    if (!unknowns.first(axis, c)) visit(direction(axis, 0), unknowns.row(c.shifted(axis, -1)));
  }
  visit(centre<Dim>, unknowns.row(c));
  for (int axis = 0; axis < Dim; ++axis) {
    if (!unknowns.last(axis, c)) visit(direction(axis, 1), unknowns.row(c.shifted(axis, 1)));
    if (unknowns.first(axis, c) && unknowns.periodic[axis])
      visit(direction(axis, 0), unknowns.row(with(c, axis, unknowns.box.upper[axis] - 1)));
  }
}

// Entries of all rows: one on the diagonal, and two along each axis but for those that walls cut
// off.
template <int Dim>
long long nonzero_count(const Unknowns<Dim>& unknowns) {
  const long long rows = unknowns.box.size();
  long long count = rows;
  for (int axis = 0; axis < Dim; ++axis) {
    const int n = unknowns.box.extent(axis);
    if (n > 0) count += 2 * (unknowns.periodic[axis] ? rows : rows / n * (n - 1));
  }
  return count;
}

}  // namespace hodge::sim
