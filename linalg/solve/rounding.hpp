// Which residuals are rounding. A solution x in floating point solves
//
//   (A + dA) x = b + db,   ||dA|| <= c eps ||A||,   ||db|| <= c eps ||b||,
//
// if and only if ||b - A x||_2 <= c eps (||A|| ||x||_2 + ||b||_2) (J. L. Rigal & J. Gaches, J. ACM
// 14, 1967; N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2002, Theorem 7.1). Such
// a residual is as small as the numbers of T let it be: entries of A and b are not known better.
// max |a_ij| stands for ||A||, which is 1 to sqrt(nnz) times as large.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/matrices/operator.hpp"
#include "linalg/vectors/powers_of_two.hpp"

namespace hodge::linalg {

// Rounding errors of a row: c of the formula above.
inline constexpr double roundings_per_row = 8;

// c eps (max |a_ij| ||x|| + ||b||). Not above sqrt(eps) ||b||, which an x that grows without bound
// would reach, as it does in a singular system without a solution. Of an operator without entries
// c eps ||b||. Waits; three passes. `work` has two entries.
template <class Space, class T>
double norm_of_rounding(const LinearOperator<Space, T>& a, const Vector<Space, T>& b,
                        const Vector<Space, T>& x, Buffer<double, Space>& work) {
  const double eps = static_cast<double>(std::numeric_limits<T>::epsilon());
  const double of_b = norm(b).to_host();
  double of_product = 0;
  if (a.csr() != nullptr) {
    const auto& values = a.csr()->values();
    of_product = largest_size<Space>(static_cast<int>(values.size()), values.data(), work) *
                 norm(x).to_host();
  }
  const double level = roundings_per_row * eps * (of_product + of_b);
  return std::isfinite(level) ? std::min(level, std::sqrt(eps) * of_b) : 0.0;
}

}  // namespace hodge::linalg
