// Separable systems with every kind of ends, and their solutions by cg.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "linalg/solve/solve.hpp"
#include "tests/support/separable.hpp"

namespace hodge::tests {

inline constexpr int end_kinds = 5;  // of AxisEnds

inline linalg::SeparableAxis axis_with(int ends, int n, bool stretched, double lower,
                                       double length) {
  const bool periodic = ends == 0, below = ends == 2 || ends == 4, above = ends == 2 || ends == 3;
  if (!stretched) return uniform_axis(n, length / n, periodic, below, above);
  return axis_of(stretched_edges(n, lower, length, 1.4), periodic, below, above);
}

// Random values that A x = b can match.
inline std::vector<double> compatible_values(const linalg::SeparableSystem& system) {
  std::vector<double> b = random_values(static_cast<int>(system.rows()), 3);
  if (!system.is_singular()) return b;
  const double level = mean(b);
  for (double& value : b) value -= level;
  return b;
}

// |b - A x| over eps (|A| |x|), in the maximum norm.
inline double scaled_residual(const HostMatrix& a, const std::vector<double>& b,
                              const std::vector<double>& x) {
  double worst = 0, norm = 0, size = 0;
  const std::vector<double> ax = a.multiply(x);
  for (int i = 0; i < a.rows; ++i) {
    double sum = 0;
    for (int k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) sum += std::abs(a.values[k]);
    norm = std::max(norm, sum);
    size = std::max(size, std::abs(x[i]));
    worst = std::max(worst, std::abs(b[i] - ax[i]));
  }
  return worst / (2.3e-16 * norm * std::max(size, 1e-300));
}

// cg with its own constant taken out: 1^T W x = 0.
template <class Space>
std::vector<double> by_cg(const linalg::SeparableSystem& system, const HostMatrix& host,
                          const std::vector<double>& b) {
  const auto a = host.in<Space>(linalg::Symmetry::symmetric);
  const linalg::Vector<Space> right_side{std::span<const double>(b)};
  linalg::Vector<Space> x(host.rows);
  linalg::SolverSettings settings{.method = "cg", .preconditioner = {"jacobi"}};
  settings.tolerance = 1e-13;
  settings.max_iterations = 20000;
  const linalg::NullSpace null_space =
      system.is_singular() ? linalg::NullSpace::constant : linalg::NullSpace::none;
  const linalg::SolveReport report = linalg::LinearSolver<Space>(settings, host.rows)
                                         .solve(*a, right_side, x, {.null_space = null_space});
  EXPECT_TRUE(report.converged()) << describe(report);
  return x.to_host();
}

inline std::vector<double> without_mean(std::vector<double> x) {
  const double level = mean(x);
  for (double& value : x) value -= level;
  return x;
}

// x of A x = b, singular or not, against the x of cg, and |b - A x|.
template <class Space>
void expect_solution_of_cg(const linalg::SeparableSystem& system, const std::vector<double>& b,
                           std::vector<double> x, double tolerance) {
  const HostMatrix a = matrix_of(system);
  EXPECT_LT(scaled_residual(a, b, x), 150);
  std::vector<double> expected = by_cg<Space>(system, a, b);
  if (system.is_singular()) {
    x = without_mean(x);
    expected = without_mean(expected);
  }
  double worst = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    worst = std::max(worst, std::abs(x[i] - expected[i]));
    size = std::max(size, std::abs(expected[i]));
  }
  EXPECT_LE(worst, tolerance * size);
}

}  // namespace hodge::tests
