// What counts as converged because nothing better can be had.
#include "linalg/solve/rounding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "linalg/solve/solve.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests::HostMatrix;

template <class Space>
class RoundingOfSolves : public tests::SpaceTest<Space> {
 protected:
  static SolveReport solved(const HostMatrix& host, const std::vector<double>& b,
                            const SolverSettings& settings,
                            NullSpace null_space = NullSpace::none) {
    const auto a = host.in<Space>(Symmetry::symmetric);
    const Vector<Space> right{std::span<const double>(b)};
    Vector<Space> x(host.rows);
    SolveOptions options;
    options.null_space = null_space;
    return LinearSolver<Space>(settings, host.rows).solve(*a, right, x, options);
  }
};
TYPED_TEST_SUITE(RoundingOfSolves, tests::Spaces, tests::SpaceName);

// (4 |x| + |b|) 8 eps for A = diag(4, -2), x = (3, 4), b = (12, -8).
TYPED_TEST(RoundingOfSolves, is_that_of_the_products_and_of_the_right_side) {
  const HostMatrix host{2, 2, {0, 1, 2}, {0, 1}, {4, -2}};
  const auto a = host.in<TypeParam>(Symmetry::symmetric);
  const std::vector<double> b{12, -8}, x{3, 4};
  Buffer<double, TypeParam> work(2);
  EXPECT_DOUBLE_EQ(norm_of_rounding(*a, Vector<TypeParam>{std::span<const double>(b)},
                                    Vector<TypeParam>{std::span<const double>(x)}, work),
                   8 * std::ldexp(1.0, -52) * (4 * 5 + std::sqrt(208.0)));
}

// The part of b that is not in the null space is rounding of the part that is.
TYPED_TEST(RoundingOfSolves, of_a_large_mean_leaves_a_small_rest_that_need_not_be_solved_for) {
  HostMatrix host = tests::poisson({12, 10, 1}, true);
  std::vector<double> b = tests::random_values(host.rows);
  for (double& value : b) value = 1e9 + 1e-7 * value;
  SolverSettings settings{.method = "cg", .preconditioner = {"jacobi"}};
  settings.tolerance = 1e-10;
  const SolveReport report = this->solved(host, b, settings, NullSpace::constant);
  EXPECT_TRUE(report.converged()) << describe(report);
  EXPECT_LE(report.true_residual, report.rounding) << describe(report);
  EXPECT_LT(report.iterations, 200) << describe(report);
}

// x grows along the null space, and |A| |x| with it.
TYPED_TEST(RoundingOfSolves, is_no_excuse_for_a_system_without_a_solution) {
  const HostMatrix host = tests::poisson({12, 10, 1}, true);
  std::vector<double> b = tests::random_values(host.rows);
  for (double& value : b) value += 1;
  for (const char* method : {"cg", "bicgstab", "gmres"}) {
    SolverSettings settings{.method = method};
    settings.max_iterations = 2000;
    EXPECT_FALSE(this->solved(host, b, settings).converged()) << method;
  }
}

}  // namespace
}  // namespace hodge::linalg
