// The rows beside sides along which the velocity is given (operators/side_friction.hpp): what the
// explicit terms of a transport equation have there, and the scaling that makes the matrix of an
// equation without implicit convection symmetric.
#pragma once

#include "linalg/matrices/csr.hpp"
#include "sim/discrete/assembly/pattern.hpp"
#include "sim/discrete/assembly/transport_equation.hpp"
#include "sim/discrete/operators/side_friction.hpp"

namespace hodge::sim {

// f(c, e) for the unknowns whose rows have a factor along e, axis by axis.
template <int Dim, class Space, class F>
void for_each_side_row(const TransportOperator<Dim>& on, const Unknowns<Dim>& unknowns, F f) {
  for (int e = 0; e < Dim; ++e) {
    const SideRows<Dim> beside = side_rows(on, unknowns.box, e);
    if (beside.count == 0) continue;
    linalg::for_each<Space>(beside.box, [=] HODGE_LAMBDA(const Index<Dim>& first) {
      for (int k = 0; k < beside.count; ++k) {
        const Index<Dim> c = beside.at(k, first);
        if (unknowns.contains(c)) f(c, beside.axis);
      }
    });
  }
}

// b += weight * what the factors add to the diffusion of a field
template <int Dim, class Space>
void add_side_friction_to(const TransportOperator<Dim>& on, const Unknowns<Dim>& unknowns,
                          double weight, const ConstFieldView<Dim>& field,
                          linalg::Vector<Space>& right_side) {
  double* const b = right_side.data();
  for_each_side_row<Dim, Space>(on, unknowns, [=] HODGE_LAMBDA(const Index<Dim>& c, int e) {
    b[unknowns.row(c)] +=
        weight * share_of_control_volume(on, c) * added_side_friction(on, field, e, c);
  });
}

// Divides the right side b of every row by the product of its factors, and its entries unless they
// are kept from a step before; b may be null. Along e the entries of a first row are
// then those of the second, g_e over the factors of the other axes, which both rows have in common.
template <int Dim, class Space>
void divide_by_side_factors(const TransportOperator<Dim>& on, const Unknowns<Dim>& unknowns,
                            const RowEntries& entries, double* b) {
  double *const a = entries.values, *const diagonal = entries.diagonal;
  const int* const row_offsets = entries.row_offsets;
  for_each_side_row<Dim, Space>(on, unknowns, [=] HODGE_LAMBDA(const Index<Dim>& c, int e) {
    const int row = unknowns.row(c);
    const double scale = 1.0 / side_factor(on.grid, on.sides, on.bodies, on.location, e, c);
    if (b != nullptr) b[row] *= scale;
    if (a == nullptr) return;
    if (diagonal != nullptr) diagonal[row] *= scale;
    for (int j = row_offsets[row]; j < row_offsets[row + 1]; ++j) a[j] *= scale;
  });
}

}  // namespace hodge::sim
