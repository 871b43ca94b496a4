// Adds a constant to the solution of A x = b so that the sum of its residual r = b - A x is 0:
//
//   x := x + 1^T r / 1^T A 1
//
// The rows of a transported scalar add up to the balance of its total: what is in the box changes
// by what passes the sides and by sources. An iterative solution misses that sum by its tolerance;
// with the constant (the Galerkin correction in the constant vector) it is met to rounding. The
// change of x is one that the tolerance allows: at most |r| sqrt(n) / 1^T A 1.
//
// No correction where 1^T A 1 <= 0. Cost: a pass over the values of A, one over r, one over x; all
// of it in the space, without waiting. The entries are added row by row, because processes share
// rows.
#pragma once

#include <utility>

#include "linalg/matrices/csr.hpp"
#include "linalg/vectors/parallel.hpp"
#include "linalg/vectors/vector.hpp"
#include "sim/discrete/assembly/unknowns.hpp"

namespace hodge::sim {

// 1^T A 1
template <int Dim, class Space>
linalg::Scalar<Space> sum_of_entries(const Unknowns<Dim>& unknowns, linalg::CsrMatrix<Space>& a) {
  const double* const values = std::as_const(a).values().data();
  const int* const offsets = a.pattern().row_offsets().data();
  linalg::Scalar<Space> total;
  linalg::reduce<Space>(
      unknowns.box, linalg::Sums<1>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
        value[0] = 0.0;
        if (!unknowns.contains(c)) return;
        const int row = unknowns.row(c);
        for (int k = offsets[row]; k < offsets[row + 1]; ++k) value[0] += values[k];
      },
      total.data());
  return total;
}

template <int Dim, class Space>
void balance(const Unknowns<Dim>& unknowns, linalg::CsrMatrix<Space>& a,
             const linalg::Vector<Space>& residual, linalg::Vector<Space>& x) {
  const linalg::Scalar<Space> weight = sum_of_entries(unknowns, a), missing = sum(residual);
  linalg::Scalar<Space> excess;
  const double* const total = weight.data();
  const double* const lack = missing.data();
  double* const shift = excess.data();
  linalg::for_each<Space>(1,
                          [=] HODGE_LAMBDA(int) { *shift = *total > 0.0 ? -*lack / *total : 0.0; });
  x = x - excess.monomial();
}

}  // namespace hodge::sim
