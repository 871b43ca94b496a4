// The orthogonality of GMRES's basis, and the residuals that follow from it.
#include <gtest/gtest.h>

#include <cmath>

#include "linalg/solve/solve.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

template <class Space>
class GmresTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(GmresTest, tests::Spaces, tests::SpaceName);

template <class Space>
SolveReport solve(const tests::HostMatrix& matrix, const std::vector<double>& right_side,
                  const SolverSettings& settings) {
  const auto a = matrix.in<Space>();
  const Vector<Space> b{std::span<const double>(right_side)};
  Vector<Space> x(matrix.rows);
  return LinearSolver<Space>(settings, matrix.rows).solve(*a, b, x, {});
}

SolverSettings gmres(int restart, int max_iterations, double tolerance) {
  SolverSettings settings;
  settings.method = "gmres";
  settings.preconditioner.kind = "none";
  settings.options["restart"] = restart;
  settings.max_iterations = max_iterations;
  settings.tolerance = tolerance;
  return settings;
}

// W. Kahan, Can. Math. Bull. 9 (1966) 757: a_ij = s^i (1 at i = j, -c above), s = sin, c = cos of
// an angle. Its Krylov vectors are nearly dependent.
tests::HostMatrix kahan(int n, double angle) {
  tests::Entries entries;
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j)
      entries[{i, j}] = std::pow(std::sin(angle), i) * (i == j ? 1.0 : -std::cos(angle));
  return tests::from_entries(n, n, entries);
}

// With a second round for oblique vectors one cycle is enough; the bases of a single round lose
// their orthogonality, and the cycle ends with a residual far from the one it believes in.
TYPED_TEST(GmresTest, orthogonalises_again_where_vectors_are_nearly_dependent) {
  for (const double angle : {0.8, 0.9, 1.0, 1.1}) {
    const tests::HostMatrix a = kahan(40, angle);
    const SolveReport report =
        solve<TypeParam>(a, a.multiply(std::vector<double>(40, 1.0)), gmres(40, 200, 1e-8));
    EXPECT_TRUE(report.converged()) << angle << ": " << describe(report);
    EXPECT_LE(report.iterations, 39) << angle;
    EXPECT_NEAR(report.history.back() / report.true_residual, 1, 1e-3) << angle;
  }
}

// min |b - A x| over x in span(b, A b, ..., A^{k-1} b), k = 1 .. most, by an Arnoldi process whose
// vectors are orthogonalised twice, and Householder's least squares in long double.
std::vector<double> least_residuals(const tests::HostMatrix& a, const std::vector<double>& b,
                                    int most) {
  using Column = std::vector<long double>;
  const auto n = static_cast<std::size_t>(a.rows);
  const auto dot = [n](const Column& x, const Column& y) {
    long double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
  };
  const auto multiply = [&a, n](const Column& x) {
    Column y(n);
    for (std::size_t i = 0; i < n; ++i)
      for (int k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
        y[i] += static_cast<long double>(a.values[k]) * x[static_cast<std::size_t>(a.columns[k])];
    return y;
  };
  Column residual(b.begin(), b.end());  // made orthogonal to A v_1, A v_2, ... in turn
  std::vector<Column> basis{residual}, images;
  std::vector<double> norms;
  for (int k = 0; k < most; ++k) {
    Column image = multiply(basis.back());
    basis.push_back(image);
    for (int round = 0; round < 2; ++round) {
      for (const Column& q : images) {
        const long double h = dot(q, image);
        for (std::size_t i = 0; i < n; ++i) image[i] -= h * q[i];
      }
      for (std::size_t j = 0; j + 1 < basis.size(); ++j) {
        const long double h = dot(basis[j], basis.back()) / dot(basis[j], basis[j]);
        for (std::size_t i = 0; i < n; ++i) basis.back()[i] -= h * basis[j][i];
      }
    }
    const long double length = std::sqrt(dot(image, image));
    for (long double& value : image) value /= length;
    images.push_back(image);
    const long double h = dot(image, residual);
    for (std::size_t i = 0; i < n; ++i) residual[i] -= h * image[i];
    norms.push_back(static_cast<double>(std::sqrt(dot(residual, residual))));
  }
  return norms;
}

TYPED_TEST(GmresTest, has_the_least_residual_of_every_krylov_space) {
  constexpr int most = 12;
  const tests::HostMatrix a = tests::convection_diffusion({7, 6, 1}, 1.5);
  const std::vector<double> b = tests::random_values(a.rows, 3);
  const std::vector<double> least = least_residuals(a, b, most);
  for (int k = 1; k <= most; ++k) {
    const SolveReport report = solve<TypeParam>(a, b, gmres(30, k, 1e-14));
    EXPECT_EQ(report.iterations, k);
    EXPECT_NEAR(report.true_residual, least[static_cast<std::size_t>(k) - 1], 1e-11) << k;
    EXPECT_NEAR(report.recurrence_residual, report.true_residual, 1e-11) << k;
  }
}

}  // namespace
}  // namespace hodge::linalg
