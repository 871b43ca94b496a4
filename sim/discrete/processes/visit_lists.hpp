// Lists over a box in files, from the processes that share it: the same list for any number of
// them. Restored are all values that a process has, ghosts beyond cuts included. Collective.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/state_visitor.hpp"
#include "sim/discrete/fields/pieces.hpp"

namespace hodge::sim {

// `values`: of the points that this process has.
template <int Dim>
void visit_list(StateVisitor& visitor, const std::string& name, const Layout<Dim>& part,
                const ListedPoints& list, std::span<double> values) {
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
