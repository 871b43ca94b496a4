// Which values of a list over the whole box a process has, where the box is cut along its last axis
// alone: the layers of its cells follow one another, so its values are a run of the list.
#pragma once

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

// Of a padded field.
template <int Dim>
StatePiece piece_of_field(const Layout<Dim>& part) {
  return piece_of_layers(part, static_cast<std::size_t>(part.stride(Dim - 1)), ghost_width);
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

template <int Dim, class Space>
void visit_field(StateVisitor& visitor, const std::string& name, Field<Dim, Space>& field) {
  visit_values(visitor, name, field.values(), piece_of_field(field.layout()));
}

}  // namespace hodge::sim
