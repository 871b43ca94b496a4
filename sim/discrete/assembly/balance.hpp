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
// of it in the space, without waiting.
#pragma once

#include "linalg/matrices/csr.hpp"
#include "linalg/vectors/parallel.hpp"
#include "linalg/vectors/vector.hpp"

namespace hodge::sim {

template <class Space>
void balance(linalg::CsrMatrix<Space>& a, const linalg::Vector<Space>& residual,
             linalg::Vector<Space>& x) {
  linalg::Buffer<double, Space>& values = a.values();
  const auto entries =
      linalg::Vector<Space>::view(values.data(), static_cast<int>(a.pattern().nonzeros()));
  const auto weight = sum(entries), missing = sum(residual);
  linalg::Scalar<Space> excess;
  const double* const total = weight.data();
  const double* const lack = missing.data();
  double* const shift = excess.data();
  linalg::for_each<Space>(1,
                          [=] HODGE_LAMBDA(int) { *shift = *total > 0.0 ? -*lack / *total : 0.0; });
  x = x - excess.monomial();
}

}  // namespace hodge::sim
