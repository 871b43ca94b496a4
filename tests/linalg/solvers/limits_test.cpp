// The other limits that end a solve: its time, and the largest entry of the residual.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linalg/solve/solve.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

template <class Space>
class SolveLimits : public tests::SpaceTest<Space> {
 protected:
  static SolverSettings with(const char* method, double tolerance = 1e-12) {
    SolverSettings s;
    s.method = method;
    s.preconditioner.kind = "jacobi";
    s.tolerance = tolerance;
    s.max_iterations = 1000000;
    return s;
  }
};
TYPED_TEST_SUITE(SolveLimits, tests::Spaces, tests::SpaceName);

// Krylov methods need as many iterations as a line has points.
TYPED_TEST(SolveLimits, a_solve_ends_soon_after_its_seconds_with_the_x_that_it_has) {
  const auto host = tests::poisson({90000, 1, 1});
  const auto a = host.in<TypeParam>(Symmetry::symmetric);
  const std::vector<double> b = tests::random_values(host.rows);
  const Vector<TypeParam> right{std::span<const double>(b)};
  for (const char* method : {"cg", "bicg", "bicgstab", "gmres"}) {
    SolverSettings settings = this->with(method);
    settings.fallback = {std::string(method) == "gmres" ? "cg" : "gmres"};
    Vector<TypeParam> x(host.rows);
    SolveReport report;
    for (double limit = 0.05; report.iterations == 0 && limit < 60;
         limit *= 4) {  // on a busy machine
      settings.max_seconds = limit;
      report = LinearSolver<TypeParam>(settings, host.rows).solve(*a, right, x, {});
    }
    EXPECT_EQ(report.status, SolveStatus::max_seconds) << describe(report);
    EXPECT_EQ(report.attempts.size(), 1u) << "no time is left for a fallback";
    EXPECT_GT(report.iterations, 0) << method;
    EXPECT_EQ(static_cast<int>(report.history.size()), report.iterations + 1) << method;
    EXPECT_NEAR(report.true_residual, tests::residual_norm(host, b, x.to_host()),
                1e-9 * report.rhs_norm)
        << method;
    EXPECT_NE(describe(report).find("max_seconds"), std::string::npos);
  }
}

// Of one solve: the next one of the same solver has none.
TYPED_TEST(SolveLimits, the_options_of_a_solve_may_limit_its_seconds) {
  const auto host = tests::poisson({40, 40, 1});
  const auto a = host.in<TypeParam>(Symmetry::symmetric);
  const std::vector<double> b = tests::random_values(host.rows);
  const Vector<TypeParam> right{std::span<const double>(b)};
  Vector<TypeParam> x(host.rows);
  LinearSolver<TypeParam> solver(this->with("cg"), host.rows);
  EXPECT_EQ(solver.solve(*a, right, x, {.most_seconds = 1e-9}).status, SolveStatus::max_seconds);
  EXPECT_TRUE(solver.solve(*a, right, x).converged());
  x.fill(0);
  EXPECT_TRUE(solver.solve(*a, right, x, {.most_seconds = 1e14}).converged());
}

TYPED_TEST(SolveLimits, seconds_that_suffice_change_nothing) {
  const auto host = tests::poisson({40, 40, 1});
  const auto a = host.in<TypeParam>(Symmetry::symmetric);
  const std::vector<double> b = tests::random_values(host.rows);
  const Vector<TypeParam> right{std::span<const double>(b)};
  std::vector<double> result[2];
  for (const bool limited : {false, true}) {
    SolverSettings settings = this->with("cg");
    if (limited) settings.max_seconds = 1e300;  // more than a clock counts
    Vector<TypeParam> x(host.rows);
    EXPECT_TRUE(LinearSolver<TypeParam>(settings, host.rows).solve(*a, right, x).converged());
    result[limited] = x.to_host();
  }
  EXPECT_EQ(result[0], result[1]);
}

// Weights from 1 to 1000: a norm does not show the residual at the side of small weights.
TYPED_TEST(SolveLimits, a_maximum_rule_ends_where_the_largest_weighted_entry_is_small) {
  const auto host = tests::poisson({30, 30, 1}, true);
  const auto a = host.in<TypeParam>(Symmetry::symmetric);
  std::vector<double> b = tests::random_values(host.rows), w(b.size());
  const double m = tests::mean(b);
  for (std::size_t i = 0; i < b.size(); ++i) {
    b[i] -= m;
    w[i] = std::pow(1000.0, static_cast<double>(i) / static_cast<double>(b.size()));
  }
  const Vector<TypeParam> right{std::span<const double>(b)}, weights{std::span<const double>(w)};
  for (const char* method : {"cg", "bicg", "bicgstab", "gmres", "gauss"})
    for (const double limit : {1e-2, 1e-5}) {
      SolverSettings settings = this->with(method, 0.0);
      settings.options["restart"] = 20;
      Vector<TypeParam> x(host.rows);
      const MaximumRule<TypeParam> rule{&weights, 1.0, limit};
      const SolveReport report =
          LinearSolver<TypeParam>(settings, host.rows)
              .solve(*a, right, x, {.null_space = NullSpace::constant}, &rule);
      EXPECT_TRUE(report.converged()) << method << ": " << describe(report);
      const std::vector<double> ax = host.multiply(x.to_host());
      double largest = 0;
      for (std::size_t i = 0; i < b.size(); ++i)
        largest = std::max(largest, w[i] * std::abs(b[i] - ax[i]));
      EXPECT_LE(largest, limit * 1.0001) << method;
      EXPECT_NEAR(report.maximum, largest, 1e-6 * limit) << method;
      // Not far below the limit: between two tests the residual falls by less than this factor.
      if (std::string(method) != "gauss") {
        EXPECT_GT(largest, 1e-3 * limit) << method;
      }
    }
}

TYPED_TEST(SolveLimits, a_maximum_rule_of_limit_0_is_reported_and_never_met) {
  const auto host = tests::poisson({20, 20, 1});
  const auto a = host.in<TypeParam>(Symmetry::symmetric);
  const std::vector<double> b = tests::random_values(host.rows), w(b.size(), 2.0);
  const Vector<TypeParam> right{std::span<const double>(b)}, weights{std::span<const double>(w)};
  const MaximumRule<TypeParam> rule{&weights, 2.0, 0.0};
  std::vector<double> result[2];
  for (const bool watched : {false, true}) {
    Vector<TypeParam> x(host.rows);
    const SolveReport report = LinearSolver<TypeParam>(this->with("cg", 1e-8), host.rows)
                                   .solve(*a, right, x, {}, watched ? &rule : nullptr);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.maximum > 0, watched);
    result[watched] = x.to_host();
  }
  EXPECT_EQ(result[0], result[1]);
}

TYPED_TEST(SolveLimits, a_guess_that_meets_the_maximum_is_left_as_it_is) {
  const auto host = tests::poisson({20, 20, 1});
  const auto a = host.in<TypeParam>(Symmetry::symmetric);
  const std::vector<double> solution = tests::random_values(host.rows), w(solution.size(), 1.0);
  const std::vector<double> b = host.multiply(solution);
  const Vector<TypeParam> right{std::span<const double>(b)}, weights{std::span<const double>(w)};
  const MaximumRule<TypeParam> rule{&weights, 1.0, 1e-9};
  Vector<TypeParam> x{std::span<const double>(solution)};
  const SolveReport report =
      LinearSolver<TypeParam>(this->with("cg", 0.0), host.rows).solve(*a, right, x, {}, &rule);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(x.to_host(), solution);
}

TYPED_TEST(SolveLimits, iterations_of_methods_that_failed_count) {
  const auto host = tests::poisson({12, 11, 1});
  const auto a = host.in<TypeParam>(Symmetry::symmetric);
  const Vector<TypeParam> right{std::span<const double>(tests::random_values(host.rows))};
  for (const char* method : {"cg", "bicg", "bicgstab", "gmres"}) {
    SolverSettings settings = this->with(method);
    settings.max_iterations = 3;
    settings.fallback = {"bicg", "gauss"};
    Vector<TypeParam> x(host.rows);
    const SolveReport report = LinearSolver<TypeParam>(settings, host.rows).solve(*a, right, x);
    EXPECT_TRUE(report.converged()) << describe(report);
    ASSERT_EQ(report.attempts.size(), 3u);
    EXPECT_EQ(report.attempts[0].iterations, 3);
    EXPECT_EQ(report.attempts[1].iterations, 3);
    EXPECT_EQ(report.iterations, 6 + report.attempts[2].iterations) << describe(report);
  }
}

}  // namespace
}  // namespace hodge::linalg
