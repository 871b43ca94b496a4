// Fields as lists of values without unused ones (layout.hpp), as files have them.
//
// And which values of a list over the whole box a process has, where the box is cut along its last
// axis alone: the layers of its cells follow one another, so its values are a run of the list.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "sim/base/state_visitor.hpp"
#include "sim/discrete/fields/field.hpp"

namespace hodge::sim {

// Of layers of `layer` values each, with `ghosts` layers on both sides. The ghosts beyond a cut are
// cells of a neighbour, which answers for them.
template <int Dim>
StatePiece piece_of_layers(const Layout<Dim>& part, std::size_t layer, int ghosts) {
  constexpr int last = Dim - 1;
  const int lower = part.before[last] == 0 ? 0 : ghosts;
  const int upper = part.cells[last] + (part.behind[last] == 0 ? 2 : 1) * ghosts;
  const auto values = [layer](int layers) { return layer * static_cast<std::size_t>(layers); };
  return {.first = values(part.before[last]),
          .total = values(part.whole(last) + 2 * ghosts),
          .own_first = values(lower),
          .own_count = values(upper - lower)};
}

// Of a padded field without unused values.
template <int Dim>
StatePiece piece_of_field(const Layout<Dim>& part) {
  const auto layer = static_cast<std::size_t>(part.dense().stride(Dim - 1));
  return piece_of_layers(part, layer, ghost_width);
}

// Of one value per cell.
template <int Dim>
StatePiece piece_of_cells(const Layout<Dim>& part) {
  std::size_t layer = 1;
  for (int d = 0; d + 1 < Dim; ++d) layer *= static_cast<std::size_t>(part.cells[d]);
  return piece_of_layers(part, layer, 0);
}

// Of the padded layer normal to an axis beside a side. Across the last axis one process has it all,
// and the others nothing.
template <int Dim>
StatePiece piece_of_side(const Layout<Dim>& part, int axis, bool is_here) {
  std::size_t layer = 1;
  for (int d = 0; d + 1 < Dim; ++d)
    if (d != axis) layer *= static_cast<std::size_t>(part.cells[d] + 2 * ghost_width);
  if (axis != Dim - 1) return piece_of_layers(part, layer, ghost_width);
  const std::size_t count = is_here ? layer : 0;
  return {.first = 0, .total = count, .own_first = 0, .own_count = count};
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

template <int Dim, class Space>
void visit_field(StateVisitor& visitor, const std::string& name, Field<Dim, Space>& field) {
  const Layout<Dim>& layout = field.layout();
  visit_on_host(visitor, field.values(), [&](std::span<double> values) {
    if (!visitor.restores()) make_dense(layout, values);
    visitor.visit_piece(name, values.first(layout.dense().size()), piece_of_field(layout));
    if (visitor.restores()) undo_dense(layout, values);
  });
}

}  // namespace hodge::sim
