// Which points of a field are unknowns, and the numbers of their rows.
//
//   pressure, scalars                  every fluid cell
//   u_d, axis d not periodic           faces 1 .. n-1 along d, and those in open sides; in others
//                                      the velocity is given
//   u_d, axis d periodic               faces 0 .. n-1 along d (face n is face 0)
//   faces of solid cells               none
//
// Rows are numbered lexicographically, axis 0 fastest; solids leave no gaps. A row's entries are
// the point itself and its neighbours along each axis that are unknowns, also those beyond a cut,
// which are rows of another process (shared_unknowns.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "linalg/processes/row_blocks.hpp"
#include "sim/base/unrolled.hpp"
#include "sim/discrete/boundaries/side_kinds.hpp"

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
struct SharedUnknowns;

template <int Dim>
struct Unknowns {
  Box<Dim> box;
  bool periodic[Dim];
  // Beyond the side there are unknowns of another process; at the other end of the axis:
  // goes_round.
  bool shared[Dim][2] = {}, goes_round[Dim][2] = {};
  // What a correction to the unknowns is beyond a side, as a multiple of that within.
  double beyond[Dim][2] = {};
  int rows = 0;
  // Row of every point of a box, -1 where a solid has it; null: every point is an unknown. Where
  // processes share the whole box, that is a larger one than the own: points beyond the ends of
  // this have numbers, too (numbering.hpp).
  const int* numbers = nullptr;
  Box<Dim> numbered{};
  // On the host: of the rows of a system that is not shared, where sums begin anew (numbering.hpp).
  const linalg::RowLines* lines = nullptr;
  const SharedUnknowns<Dim>* among_processes = nullptr;  // on the host; null: no cuts

  HODGE_HD int row(const Index<Dim>& c) const {
    const int position = numbered.position(c);
    return numbers == nullptr ? position : numbers[position];
  }
  HODGE_HD bool contains(const Index<Dim>& c) const { return numbers == nullptr || row(c) >= 0; }
  HODGE_HD bool first(int axis, const Index<Dim>& c) const { return c[axis] == box.lower[axis]; }
  HODGE_HD bool last(int axis, const Index<Dim>& c) const { return c[axis] == box.upper[axis] - 1; }
  // Whether c has a neighbour on every side without going round a periodic axis; beyond a cut, too,
  // so that what is computed at c does not depend on where cuts are.
  HODGE_HD bool surrounded(const Index<Dim>& c) const {
    bool all = true;
    for (int d = 0; d < Dim; ++d)
      all = all && (!first(d, c) || (shared[d][0] && !goes_round[d][0])) &&
            (!last(d, c) || (shared[d][1] && !goes_round[d][1]));
    return all;
  }
  // Whether there is a point of the box beside c; beyond the others there is a side of the domain.
  HODGE_HD bool inside(int axis, int side, const Index<Dim>& c) const {
    return periodic[axis] || shared[axis][side] || !(side == 0 ? first(axis, c) : last(axis, c));
  }
  // Beyond a cut: an index outside of the box.
  HODGE_HD Index<Dim> neighbour(int axis, int side, const Index<Dim>& c) const {
    const bool wraps = periodic[axis];
    if (side == 0)
      return wraps && first(axis, c) ? with(c, axis, box.upper[axis] - 1) : c.shifted(axis, -1);
    return wraps && last(axis, c) ? with(c, axis, box.lower[axis]) : c.shifted(axis, 1);
  }
};

// The unknowns of all processes. On the host.
template <int Dim>
struct SharedUnknowns {
  linalg::Communicator* processes;
  Unknowns<Dim> whole;       // of the box that the processes share, as if without solids
  linalg::RowBlocks blocks;  // of the rows of all processes
  // What is added to the number that an unknown has here for its row in the whole system: in the
  // layer below the own ones, in these, in the layer above.
  std::array<std::int64_t, 3> first{};
};

// Rows in the whole system, of the unknowns of a process and of those in the layers beside its own.
template <int Dim>
struct WholeRows {
  Unknowns<Dim> own;
  std::int64_t first[3];

  explicit WholeRows(const Unknowns<Dim>& unknowns) : own(unknowns) {
    std::ranges::copy(own.among_processes->first, first);
  }
  HODGE_HD std::int64_t operator()(const Index<Dim>& c) const {
    const int i = c[Dim - 1];
    const bool below = i < own.box.lower[Dim - 1], above = i >= own.box.upper[Dim - 1];
    return own.row(c) + first[below ? 0 : above ? 2 : 1];
  }
};

template <int Dim>
Unknowns<Dim> cell_unknowns(const Layout<Dim>& layout, const SideKinds<Dim>& sides) {
  Unknowns<Dim> unknowns{layout.interior(), {}};
  for (const auto [axis, side] : sides_of_box(Dim)) {
    unknowns.periodic[axis] = sides.wraps[axis];
    unknowns.shared[axis][side] = sides.continues[axis][side] && !sides.wraps[axis];
    const bool at_end = (side == 0 ? layout.before : layout.behind)[axis] == 0;
    unknowns.goes_round[axis][side] = sides.continues[axis][side] && at_end;
    unknowns.beyond[axis][side] = sides.open[axis][side] ? -1.0 : 1.0;
  }
  unknowns.rows = static_cast<int>(unknowns.box.size());
  unknowns.numbered = unknowns.box;
  return unknowns;
}

// Of a location: component d or at_cells.
template <int Dim>
Unknowns<Dim> unknowns_at(int location, const Layout<Dim>& layout, const SideKinds<Dim>& sides) {
  Unknowns<Dim> unknowns = cell_unknowns(layout, sides);
  if (location != at_cells) {
    if (!sides.continues[location][0] && !sides.open[location][0]) unknowns.box.lower[location] = 1;
    if (sides.open[location][1]) unknowns.box.upper[location] += 1;
  }
  if (location != at_cells)  // beyond an open side goes on what is within; given values are held
    for (const auto [axis, side] : sides_of_box(Dim))
      unknowns.beyond[axis][side] = sides.open[axis][side] ? 1.0 : (axis == location ? 0.0 : -1.0);
  unknowns.rows = static_cast<int>(unknowns.box.size());
  unknowns.numbered = unknowns.box;
  return unknowns;
}

// Whether two locations have the same rows and entries, and the same beyond the sides.
template <int Dim>
bool same_rows(const Unknowns<Dim>& a, const Unknowns<Dim>& b) {
  if (a.among_processes != nullptr && b.among_processes != nullptr)  // all processes must agree
    return a.numbers == b.numbers && same_rows(a.among_processes->whole, b.among_processes->whole);
  bool same = a.numbers == b.numbers;
  for (int d = 0; d < Dim; ++d) {
    same = same && a.box.lower[d] == b.box.lower[d] && a.box.upper[d] == b.box.upper[d] &&
           a.periodic[d] == b.periodic[d];
    for (int side = 0; side < 2 && !a.periodic[d]; ++side)
      same = same && a.beyond[d][side] == b.beyond[d][side];
  }
  return same;
}

// Calls visit(direction, point) for the entries of the row of c, by ascending row of the point in
// the whole system. The groups nest by axis:
//
//   [ z before [ y before [ x before, c, x after ] y after ] z after ]
//
// where a periodic axis puts the wrapped neighbour of its last point first, and that of its first
// point last.
template <int Dim, class Visit>
HODGE_HD void for_each_entry_in_column_order(const Unknowns<Dim>& unknowns, const Index<Dim>& c,
                                             Visit visit) {
  // The neighbour on a side, if it comes from where `round` says.
  const auto visit_unknown = [&](int axis, int side, bool round) {
    const bool at_end = side == 0 ? unknowns.first(axis, c) : unknowns.last(axis, c);
    if ((at_end && unknowns.goes_round[axis][side]) != round) return;
    if (!unknowns.inside(axis, side, c)) return;
    const Index<Dim> neighbour = unknowns.neighbour(axis, side, c);
    if (unknowns.contains(neighbour)) visit(direction(axis, side), neighbour);
  };
  unrolled<Dim>([&](auto k) {
    const int axis = Dim - 1 - k;
    visit_unknown(axis, 1, true);
    visit_unknown(axis, 0, false);
  });
  visit(centre<Dim>, c);
  unrolled<Dim>([&](auto axis) {
    visit_unknown(axis, 1, false);
    visit_unknown(axis, 0, true);
  });
}

// The direction of entry k in that order, of a row whose neighbours surround it.
template <int Dim>
HODGE_HD constexpr int direction_of_entry(int k) {
  if (k == Dim) return centre<Dim>;
  return k < Dim ? direction(Dim - 1 - k, 0) : direction(k - Dim - 1, 1);
}

// Entries of all rows without solids: one on the diagonal, and two along each axis but for those
// that the sides cut off.
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
