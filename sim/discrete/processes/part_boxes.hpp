// Which points of a box each process has, in two ways.
//
// Fields are in blocks: the cells between the cuts of all axes. Rows of systems, and lists in
// files, are in layers: each process has some whole layers across the last axis, so that its rows,
// and its values of a list, follow one another. Where no other axis is cut, both are the same.
//
//       blocks of {2, 2}      layers           the values of process 1 in layers are those of
//       +-----+-----+         +-----------+    processes 0 and 1 in blocks (point_move.hpp)
//       |  2  |  3  |         |     3     |
//       |     |     |         +-----------+
//       +-----+-----+         |     2     |
//       |  0  |  1  |         +-----------+
//       |     |     |         |     1     |
//       +-----+-----+         +-----------+
//                             |     0     |
//                             +-----------+
#pragma once

#include <algorithm>
#include <vector>

#include "sim/discrete/fields/pieces.hpp"
#include "sim/discrete/processes/halo_exchange.hpp"

namespace hodge::sim {

// Of each process, in indices of the whole box; boxes may be empty.
template <int Dim>
using PartBoxes = std::vector<Box<Dim>>;

// Whether a process has blocks of fields, and layers of what is shared by layers, that differ.
template <int Dim>
bool is_cut_in_blocks(const Layout<Dim>& part) {
  return part.halo != nullptr && !part.halo->decomposition().has_whole_layers();
}

// The cells of process `p` of a box that is shared as `part` is.
template <int Dim>
Layout<Dim> block_of(const Layout<Dim>& part, int p) {
  const Decomposition& decomposition = part.halo->decomposition();
  Layout<Dim> block = part;
  for (int d = 0; d < Dim; ++d) {
    block.before[d] = decomposition.first(p, d);
    block.cells[d] = decomposition.last(p, d) - block.before[d];
    block.behind[d] = part.whole(d) - decomposition.last(p, d);
  }
  return block;
}

// The same of whole layers. Without any: 0 cells along the last axis, behind all others.
template <int Dim>
Layout<Dim> layers_of(const Layout<Dim>& part, int p) {
  const std::vector<int>& first = part.halo->decomposition().first_layers();
  const auto at = static_cast<std::size_t>(p);
  Layout<Dim> layers = part;
  for (int d = 0; d < Dim; ++d) {
    const bool is_last = d == Dim - 1;
    layers.before[d] = is_last ? first[at] : 0;
    layers.cells[d] = is_last ? first[at + 1] - first[at] : part.whole(d);
    layers.behind[d] = is_last ? part.whole(d) - first[at + 1] : 0;
  }
  return layers;
}
// Of this process; all cells of a box that is not shared.
template <int Dim>
Layout<Dim> layers_of(const Layout<Dim>& part) {
  return is_cut_in_blocks(part) ? layers_of(part, part.halo->processes().rank()) : part;
}

// box_of(p) of each process p.
template <int Dim, class BoxOf>
PartBoxes<Dim> boxes_of_all(const Layout<Dim>& part, const BoxOf& box_of) {
  PartBoxes<Dim> boxes;
  for (int p = 0; p < part.halo->processes().size(); ++p) boxes.push_back(box_of(p));
  return boxes;
}

// Of a list: the points that each process answers for, and all that it has values of.
template <int Dim>
PartBoxes<Dim> own_points_in_blocks(const Layout<Dim>& part, const ListedPoints& list) {
  return boxes_of_all(part, [&](int p) { return own_points(block_of(part, p), list); });
}
template <int Dim>
PartBoxes<Dim> own_points_in_layers(const Layout<Dim>& part, const ListedPoints& list) {
  return boxes_of_all(part, [&](int p) { return own_points(layers_of(part, p), list); });
}
template <int Dim>
PartBoxes<Dim> points_at_hand_in_blocks(const Layout<Dim>& part, const ListedPoints& list) {
  return boxes_of_all(part, [&](int p) { return points_at_hand(block_of(part, p), list); });
}

}  // namespace hodge::sim
