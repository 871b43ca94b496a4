// Fields as lists of values without unused ones (layout.hpp), as files have them.
//
// And which values of a list over the whole box a process has: the layers of its cells follow one
// another, so they are a run of the list.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "sim/base/state_visitor.hpp"
#include "sim/discrete/fields/field.hpp"

namespace hodge::sim {

// The points that a list has values of: the cells and `ghosts` layers around them, or of all these
// the layer normal to an axis beside a side.
struct ListedPoints {
  int ghosts = 0;
  int axis = -1, side = 0;  // -1: all layers
};
inline constexpr ListedPoints listed_cells{}, listed_field{.ghosts = ghost_width};
constexpr ListedPoints listed_side(int axis, int side) {
  return {.ghosts = ghost_width, .axis = axis, .side = side};
}

namespace detail {

// `beyond_cuts`: also ghosts that are cells of other processes.
template <int Dim>
Box<Dim> listed_points(const Layout<Dim>& part, const ListedPoints& list, bool beyond_cuts) {
  if (part.interior().size() == 0) return {};
  Box<Dim> box{part.before, part.in_whole(part.cells)};
  for (int d = 0; d < Dim; ++d) {
    box.lower[d] -= beyond_cuts || part.before[d] == 0 ? list.ghosts : 0;
    box.upper[d] += beyond_cuts || part.behind[d] == 0 ? list.ghosts : 0;
  }
  if (list.axis >= 0) {
    const bool is_here = (list.side == 0 ? part.before : part.behind)[list.axis] == 0;
    box.lower[list.axis] = 0;
    box.upper[list.axis] = is_here ? 1 : 0;
  }
  return box;
}

}  // namespace detail

// Those that a process has values of, and those that it answers for: the ghosts beyond a cut are
// cells of a neighbour. In indices of the whole box, but for a layer beside a side: 0 along its
// axis. No points of a part without cells.
template <int Dim>
Box<Dim> points_at_hand(const Layout<Dim>& part, const ListedPoints& list) {
  return detail::listed_points(part, list, true);
}
template <int Dim>
Box<Dim> own_points(const Layout<Dim>& part, const ListedPoints& list) {
  return detail::listed_points(part, list, false);
}
// Of all processes.
template <int Dim>
Box<Dim> all_points(const Layout<Dim>& part, const ListedPoints& list) {
  return points_at_hand(Layout<Dim>{part.whole_box().upper}, list);
}

// The place of point c in a list of the points of a box, which may be more than 2^31.
template <int Dim>
std::size_t place_in_list(const Box<Dim>& points, const Index<Dim>& c) {
  std::size_t place = 0;
  for (int d = Dim - 1; d >= 0; --d)
    place = place * static_cast<std::size_t>(points.extent(d)) +
            static_cast<std::size_t>(c[d] - points.lower[d]);
  return place;
}

template <int Dim>
StatePiece piece_of(const Layout<Dim>& part, const ListedPoints& list) {
  const Box<Dim> all = all_points(part, list), here = points_at_hand(part, list),
                 own = own_points(part, list);
  StatePiece piece{.total = static_cast<std::size_t>(all.size()),
                   .own_count = static_cast<std::size_t>(own.size())};
  if (own.size() == 0) return piece;
  piece.first = place_in_list(all, here.lower);
  piece.own_first = place_in_list(here, own.lower);
  return piece;
}

// Where row i of a padded field begins, and where without unused values.
template <int Dim>
struct RowsOfField {
  explicit RowsOfField(const Layout<Dim>& layout)
      : count(static_cast<std::ptrdiff_t>(layout.dense().size()) / layout.dense().stride(1)),
        length(layout.dense().stride(1)),
        first(static_cast<std::ptrdiff_t>(layout.size()) - layout.stride(Dim)),
        stride(layout.stride(1)) {}

  bool are_dense() const { return length == stride && first == 0; }
  std::ptrdiff_t place(std::ptrdiff_t i) const { return first + i * stride; }
  std::ptrdiff_t dense_place(std::ptrdiff_t i) const { return i * length; }

  std::ptrdiff_t count, length;  // of rows; of the values of one
  std::ptrdiff_t first, stride;
};

// Moves the rows of padded values to the front. Returns the list that they make there.
template <int Dim>
std::span<double> make_dense(const Layout<Dim>& layout, std::span<double> values) {
  const RowsOfField<Dim> rows(layout);
  for (std::ptrdiff_t i = 0; i < rows.count && !rows.are_dense(); ++i) {
    const auto from = values.begin() + rows.place(i);
    std::copy(from, from + rows.length, values.begin() + rows.dense_place(i));
  }
  return values.first(layout.dense().size());
}
// Moves them back; the unused values are arbitrary.
template <int Dim>
void undo_dense(const Layout<Dim>& layout, std::span<double> values) {
  const RowsOfField<Dim> rows(layout);
  for (std::ptrdiff_t i = rows.count - 1; i >= 0 && !rows.are_dense(); --i) {
    const auto from = values.begin() + rows.dense_place(i);
    std::copy_backward(from, from + rows.length, values.begin() + rows.place(i) + rows.length);
  }
}

// On the host, without unused values.
template <int Dim, class Space>
std::vector<double> dense_values(const Field<Dim, Space>& field) {
  std::vector<double> values = field.values().to_host();
  values.resize(make_dense(field.layout(), std::span(values)).size());
  return values;
}

}  // namespace hodge::sim
