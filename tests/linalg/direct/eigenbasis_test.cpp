#include "linalg/direct/eigenbasis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/separable.hpp"

namespace hodge::linalg {
namespace {

// T v - lambda W v and V^T W V - 1, in the maximum norm over the largest eigenvalue.
void expect_basis_of(const SeparableAxis& axis, const Eigenbasis& basis) {
  const int n = axis.points();
  const double largest = *std::max_element(basis.values.begin(), basis.values.end());
  const auto at = [&](int i, int k) { return basis.vectors[i + static_cast<std::size_t>(k) * n]; };
  const tests::HostMatrix t = tests::matrix_of({{axis}});
  for (int k = 0; k < n; ++k) {
    const std::vector<double> v(basis.vectors.begin() + static_cast<std::ptrdiff_t>(k) * n,
                                basis.vectors.begin() + static_cast<std::ptrdiff_t>(k + 1) * n);
    const std::vector<double> tv = t.multiply(v);
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(tv[i], basis.values[k] * axis.weights[i] * v[i], 1e-14 * n * largest)
          << i << " " << k;
    for (int l = 0; l <= k; ++l) {
      double product = 0;
      for (int i = 0; i < n; ++i) product += axis.weights[i] * at(i, k) * at(i, l);
      EXPECT_NEAR(product, k == l ? 1 : 0, 1e-14 * n) << k << " " << l;
    }
  }
}

TEST(Eigenbasis, of_equal_cells_is_made_of_sines_and_cosines) {
  for (const int n : {2, 3, 4, 7, 16, 31})
    for (int open = 0; open < 4; ++open) {
      const SeparableAxis axis = tests::uniform_axis(n, 0.3, false, (open & 1) != 0, open > 1);
      ASSERT_TRUE(axis.is_uniform());
      expect_basis_of(axis, eigenbasis(axis));
    }
  for (const int n : {2, 3, 4, 7, 16, 31})
    expect_basis_of(tests::uniform_axis(n, 0.3, true),
                    eigenbasis(tests::uniform_axis(n, 0.3, true)));
}

TEST(Eigenbasis, of_stretched_cells_diagonalises_the_axis) {
  for (const int n : {2, 3, 17, 40})
    for (int ends = 0; ends < 5; ++ends) {
      const SeparableAxis axis = tests::axis_of(tests::stretched_edges(n, 2, 1, 1.5), ends == 4,
                                                (ends & 1) != 0, ends == 2 || ends == 3);
      ASSERT_FALSE(axis.is_uniform());
      expect_basis_of(axis, eigenbasis(axis));
      if (axis.is_singular()) {
        EXPECT_EQ(eigenbasis(axis).values[0], 0);
      }
    }
}

// A build has either LAPACK or these.
TEST(Eigenbasis, ql_steps_and_rotations_find_the_same_values) {
  const int n = 23;
  std::vector<double> diagonal(n), beside(n), full(n * n, 0.0);
  for (int i = 0; i < n; ++i) {
    diagonal[i] = full[i + i * n] = 2 + std::sin(i);
    beside[i] = i == 11 ? 0 : -1 + 0.4 * std::cos(3 * i);
    if (i + 1 < n) full[i + (i + 1) * n] = full[i + 1 + i * n] = beside[i];
  }
  const Eigenbasis ql = ql_eigenbasis(diagonal, beside), jacobi = jacobi_eigenbasis(n, full);
  for (int k = 0; k < n; ++k) EXPECT_NEAR(ql.values[k], jacobi.values[k], 1e-13);
  for (int k = 0; k < n; ++k) {
    double product = 0;
    for (int i = 0; i < n; ++i) product += ql.vectors[i + k * n] * jacobi.vectors[i + k * n];
    EXPECT_NEAR(std::abs(product), 1, 1e-11) << k;
  }
}

}  // namespace
}  // namespace hodge::linalg
