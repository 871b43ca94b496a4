// Lists over a box in files, from the processes that share it: the same list for any cut.
//
// A list is written and restored in layers (part_boxes.hpp). Where fields are in blocks, the values
// that each process answers for are moved to the layers before they are written; what was restored
// is moved to all who have the points, ghosts beyond cuts included. Collective.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/state_visitor.hpp"
#include "sim/discrete/fields/pieces.hpp"
#include "sim/discrete/processes/part_boxes.hpp"
#include "sim/discrete/processes/point_move.hpp"

namespace hodge::sim {

namespace detail {

// Of a list in layers: the values that this process answers for, and no others.
template <int Dim>
StatePiece piece_of_own_layers(const Layout<Dim>& part, const ListedPoints& list) {
  StatePiece piece = piece_of(layers_of(part), list);
  piece.first += piece.own_first;
  piece.own_first = 0;
  return piece;
}

template <int Dim>
void visit_blocks(StateVisitor& visitor, const std::string& name, const Layout<Dim>& part,
                  const ListedPoints& list, std::span<double> values) {
  linalg::Communicator& processes = part.halo->processes();
  const PartBoxes<Dim> layers = own_points_in_layers(part, list);
  const StatePiece piece = piece_of_own_layers(part, list);
  std::vector<double> in_layers(piece.own_count);
  if (!visitor.restores()) {
    const PartBoxes<Dim> own = own_points_in_blocks(part, list);
    const std::vector<double> own_values =
        values_at<Dim, double>(own_points(part, list), points_at_hand(part, list), 1, values);
    move_points<Dim, double>(processes, 1, own, own_values, layers, in_layers);
  }
  visitor.visit_piece(name, in_layers, piece);
  if (visitor.restores())
    move_points<Dim, double>(processes, 1, layers, in_layers, points_at_hand_in_blocks(part, list),
                             values);
}

}  // namespace detail

// `values`: of the points that this process has.
template <int Dim>
void visit_list(StateVisitor& visitor, const std::string& name, const Layout<Dim>& part,
                const ListedPoints& list, std::span<double> values) {
  if (is_cut_in_blocks(part)) return detail::visit_blocks(visitor, name, part, list, values);
  visitor.visit_piece(name, values, piece_of(part, list));
}

// The same of values in the memory of a space.
template <int Dim, class Values>
void visit_list_in_space(StateVisitor& visitor, const std::string& name, const Layout<Dim>& part,
                         const ListedPoints& list, Values& values) {
  visit_on_host(visitor, values,
                [&](std::span<double> host) { visit_list(visitor, name, part, list, host); });
}

template <int Dim, class Space>
void visit_field(StateVisitor& visitor, const std::string& name, Field<Dim, Space>& field) {
  const Layout<Dim>& layout = field.layout();
  visit_on_host(visitor, field.values(), [&](std::span<double> values) {
    if (!visitor.restores()) make_dense(layout, values);
    visit_list(visitor, name, layout, listed_field, values.first(layout.dense().size()));
    if (visitor.restores()) undo_dense(layout, values);
  });
}

// A field of zeros that nobody has; what is restored is left out.
template <int Dim>
void visit_zeros(StateVisitor& visitor, const std::string& name, const Layout<Dim>& layout) {
  std::vector<double> zeros(layout.dense().size());
  visit_list<Dim>(visitor, name, layout, listed_field, zeros);
}

}  // namespace hodge::sim
