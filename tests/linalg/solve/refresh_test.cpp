// How long a preconditioner is kept, and that this changes only the cost of solves.
#include <gtest/gtest.h>

#include "linalg/solve/refresh_policy.hpp"
#include "linalg/solve/solve.hpp"
#include "linalg/space/traffic.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/spaces.hpp"
#include "tests/support/state_copier.hpp"

namespace hodge::linalg {
namespace {

TEST(RefreshPolicy, auto_keeps_while_iterations_do_not_grow) {
  RefreshPolicy policy(Refresh::automatic);
  policy.made(1.0, true);
  for (int solve = 0; solve < 100; ++solve) {
    EXPECT_FALSE(policy.due()) << solve;
    policy.solved(10, 10.0);
  }
  EXPECT_EQ(policy.age(), 100);
}

// A rebuild costs 20 iterations; solves take 10, 11, 12, ... The mean of n solves with the rebuild
// is 20 / n + 10 + (n - 1) / 2, and the last takes 9 + n: more from n = 7 on (2.86 + 13 < 16).
TEST(RefreshPolicy, auto_makes_anew_where_the_last_solve_costs_more_than_the_mean) {
  RefreshPolicy policy(Refresh::automatic);
  policy.made(20.0, false);
  int solves = 0;
  for (; solves < 50 && !policy.due(); ++solves) policy.solved(10 + solves, 10.0 + solves);
  int expected = 1;
  while (9 + expected <= 20.0 / expected + 10 + 0.5 * (expected - 1)) ++expected;
  EXPECT_EQ(solves, expected);
  EXPECT_GT(solves, 3);
  EXPECT_LT(solves, 10);
  policy.made(20.0, false);
  EXPECT_FALSE(policy.due());
}

TEST(RefreshPolicy, auto_makes_anew_sooner_where_making_is_cheap) {
  int solves[2] = {};
  for (const int cheap : {0, 1}) {
    RefreshPolicy policy(Refresh::automatic);
    policy.made(cheap ? 0.1 : 100.0, false);
    while (solves[cheap] < 100 && !policy.due()) {
      policy.solved(10 + solves[cheap], 10.0 + solves[cheap]);
      ++solves[cheap];
    }
  }
  EXPECT_LT(solves[1], solves[0]);
  EXPECT_EQ(solves[1], 2);
}

TEST(RefreshPolicy, an_unknown_policy_is_refused) {
  EXPECT_THROW((void)refresh_of("sometimes"), ConfigError);
}

template <class Space>
class RefreshedSolves : public tests::SpaceTest<Space> {
 protected:
  static constexpr int rows = 24 * 24;

  // The matrix of step n: its diagonal grows along the rows and with n.
  static tests::HostMatrix matrix(int step, double wind = 1.0) {
    tests::HostMatrix a = tests::convection_diffusion({24, 24, 1}, wind);
    for (int i = 0; i < a.rows; ++i)
      for (int k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
        if (a.columns[k] == i) a.values[k] *= 1 + 0.2 * step * i / a.rows;
    return a;
  }
  static SolverSettings with(const PreconditionerSettings& preconditioner, const char* refresh) {
    SolverSettings s;
    s.method = "bicgstab";
    s.preconditioner = preconditioner;
    s.tolerance = 1e-10;
    s.refresh = refresh;
    return s;
  }
  static std::vector<PreconditionerSettings> preconditioners() {
    std::vector<PreconditionerSettings> all;
    for (const auto& entry : preconditioner_table()) {
      if (entry.needs_box) continue;  // tests/linalg/preconditioners/direct_test.cpp
      all.push_back({entry.name});
      if (all.back().kind != "ssor_sai") continue;
      all.push_back({"ssor_sai", {{"order", 2}}});
      all.push_back({"ssor_sai", {{"form", "truncated"}}});
      all.push_back({"ssor_sai", {{"order", 2}, {"omega", 0.9}, {"form", "truncated"}}});
    }
    return all;
  }
};
TYPED_TEST_SUITE(RefreshedSolves, tests::Spaces, tests::SpaceName);

TYPED_TEST(RefreshedSolves, every_policy_converges_to_the_same_solutions) {
  const std::vector<double> b = tests::random_values(this->rows);
  const Vector<TypeParam> right{std::span<const double>(b)};
  for (const auto& preconditioner : this->preconditioners()) {
    std::vector<double> reference;
    for (const char* refresh : {"every", "never", "auto"}) {
      const auto a = this->matrix(0).template in<TypeParam>(Symmetry::nonsymmetric);
      LinearSolver<TypeParam> solver(this->with(preconditioner, refresh), this->rows);
      Vector<TypeParam> x(this->rows);
      for (int step = 0; step < 8; ++step) {
        a->values().upload(this->matrix(step).values);
        x.fill(0.0);
        const SolveReport report =
            solver.solve(*a, right, x, {.changed = step == 0 ? Changed::pattern : Changed::values});
        ASSERT_TRUE(report.converged()) << refresh << ": " << describe(report);
        if (std::string(refresh) == "every") {
          EXPECT_EQ(report.preconditioner_age, 0);
        }
        if (std::string(refresh) == "never") {
          EXPECT_EQ(report.preconditioner_age, step);
        }
      }
      const std::vector<double> result = x.to_host();
      if (reference.empty()) reference = result;
      double difference = 0;
      for (std::size_t i = 0; i < result.size(); ++i)
        difference = std::max(difference, std::abs(result[i] - reference[i]));
      EXPECT_LT(difference, 1e-8) << preconditioner.kind << ", " << refresh;
    }
  }
}

TYPED_TEST(RefreshedSolves, a_kept_preconditioner_does_what_the_old_matrix_asks_for) {
  const std::vector<double> b = tests::random_values(this->rows);
  const Vector<TypeParam> right{std::span<const double>(b)};
  int iterations[2] = {};
  for (const bool kept : {false, true}) {
    const auto a = this->matrix(0).template in<TypeParam>(Symmetry::nonsymmetric);
    LinearSolver<TypeParam> solver(this->with({"jacobi"}, kept ? "never" : "every"), this->rows);
    Vector<TypeParam> x(this->rows);
    (void)solver.solve(*a, right, x);
    a->values().upload(this->matrix(200).values);
    x.fill(0.0);
    const SolveReport report = solver.solve(*a, right, x, {.changed = Changed::values});
    EXPECT_TRUE(report.converged());
    iterations[kept] = report.iterations;
  }
  EXPECT_GT(iterations[1], 1.5 * iterations[0]);
}

TYPED_TEST(RefreshedSolves, numbered_systems_have_their_own_and_share_none) {
  const auto first = tests::convection_diffusion({24, 24, 1}, 1.0);
  const auto second = tests::convection_diffusion({12, 48, 1}, 30.0);
  const auto a = first.in<TypeParam>(Symmetry::nonsymmetric);
  const auto c = second.in<TypeParam>(Symmetry::nonsymmetric);
  const std::vector<double> b = tests::random_values(this->rows);
  const Vector<TypeParam> right{std::span<const double>(b)};
  for (const char* refresh : {"every", "never", "auto"})
    for (const char* method : {"bicgstab", "bicg", "gauss"}) {
      SolverSettings settings = this->with({"ssor_sai", {{"order", 2}}}, refresh);
      settings.method = method;
      LinearSolver<TypeParam> solver(settings, this->rows, 2);
      for (int step = 0; step < 3; ++step)
        for (const int system : {0, 1}) {
          Vector<TypeParam> x(this->rows);
          SolveOptions options;
          options.changed = step == 0 ? Changed::pattern : Changed::values;
          options.system = system;
          const SolveReport report = solver.solve(system == 0 ? *a : *c, right, x, options);
          ASSERT_TRUE(report.converged()) << method << ", " << refresh << describe(report);
          EXPECT_LT(tests::residual_norm(system == 0 ? first : second, b, x.to_host()),
                    1.01e-10 * tests::norm2(b));
        }
    }
}

TYPED_TEST(RefreshedSolves, an_old_preconditioner_that_fails_is_made_anew_before_the_next_method) {
  // The old diagonal is positive, the new one negative: cg with the old one breaks down.
  tests::HostMatrix host = tests::poisson({24, 24, 1});
  const auto a = host.in<TypeParam>(Symmetry::symmetric);
  SolverSettings settings = this->with({"jacobi"}, "never");
  settings.method = "cg";
  settings.fallback = {"gmres"};
  LinearSolver<TypeParam> solver(settings, this->rows);
  const std::vector<double> b = tests::random_values(this->rows);
  const Vector<TypeParam> right{std::span<const double>(b)};
  Vector<TypeParam> x(this->rows);
  for (double& value : host.values) value *= -1;
  a->values().upload(host.values);
  (void)solver.solve(*a, right, x);  // with M negative
  for (double& value : host.values) value *= -1;
  a->values().upload(host.values);
  x.fill(0.0);
  const SolveReport report = solver.solve(*a, right, x, {.changed = Changed::values});
  EXPECT_TRUE(report.converged()) << describe(report);
  ASSERT_EQ(report.attempts.size(), 2u);
  EXPECT_EQ(report.attempts[0].breakdown, Breakdown::indefinite_preconditioner);
  EXPECT_EQ(report.attempts[1].method, "cg");
}

TYPED_TEST(RefreshedSolves, solves_allocate_nothing_whatever_the_policy) {
  const std::vector<double> b = tests::random_values(this->rows);
  const Vector<TypeParam> right{std::span<const double>(b)};
  for (const auto& preconditioner : this->preconditioners())
    for (const char* refresh : {"every", "never", "auto"}) {
      const auto a = this->matrix(0).template in<TypeParam>(Symmetry::nonsymmetric);
      LinearSolver<TypeParam> solver(this->with(preconditioner, refresh), this->rows);
      Vector<TypeParam> x(this->rows);
      (void)solver.solve(*a, right, x);
      (void)solver.solve(*a, right, x, {.changed = Changed::values});
      const long long before = traffic<TypeParam>().allocations;
      for (int step = 0; step < 5; ++step) {
        x.fill(0.0);
        (void)solver.solve(*a, right, x, {.changed = Changed::values});
      }
      EXPECT_EQ(traffic<TypeParam>().allocations, before) << preconditioner.kind << refresh;
    }
}

TYPED_TEST(RefreshedSolves, a_copied_state_goes_on_bit_for_bit) {
  const std::vector<double> b = tests::random_values(this->rows);
  const Vector<TypeParam> right{std::span<const double>(b)};
  for (const auto& preconditioner : this->preconditioners()) {
    const SolverSettings settings = this->with(preconditioner, "never");
    const auto a = this->matrix(0).template in<TypeParam>(Symmetry::nonsymmetric);
    LinearSolver<TypeParam> straight(settings, this->rows);
    Vector<TypeParam> x(this->rows), y(this->rows);
    (void)straight.solve(*a, right, x);
    a->values().upload(this->matrix(9).values);
    tests::StateCopier copier;
    straight.for_each_state(copier);
    LinearSolver<TypeParam> restarted(settings, this->rows);
    copier.reads = true;
    restarted.for_each_state(copier);
    x.fill(0.0);
    const int kept = straight.solve(*a, right, x, {.changed = Changed::values}).iterations;
    EXPECT_EQ(restarted.solve(*a, right, y).iterations, kept) << preconditioner.kind;
    EXPECT_EQ(x.to_host(), y.to_host()) << preconditioner.kind;
  }
}

// What setup() chose by the first matrix (which cells are joined, omega, the entries of a product)
// stays when the values change, and is in the state.
TYPED_TEST(RefreshedSolves, choices_of_a_copied_state_are_those_of_the_first_matrix) {
  const std::vector<double> b = tests::random_values(this->rows);
  const Vector<TypeParam> right{std::span<const double>(b)};
  std::vector<PreconditionerSettings> all = this->preconditioners();
  all.push_back({"ssor_sai", {{"form", "truncated"}, {"alpha", 0.6}}});
  for (const auto& preconditioner : all) {
    for (const char* refresh : {"every", "auto"}) {
      SCOPED_TRACE(preconditioner.kind + ", " + refresh);
      const SolverSettings settings = this->with(preconditioner, refresh);
      const auto a = this->matrix(0, 0.0).template in<TypeParam>(Symmetry::nonsymmetric);
      LinearSolver<TypeParam> straight(settings, this->rows, 1, Choices::kept);
      Vector<TypeParam> x(this->rows), y(this->rows);
      (void)straight.solve(*a, right, x);
      a->values().upload(this->matrix(9, 40.0).values);
      (void)straight.solve(*a, right, x, {.changed = Changed::values});
      tests::StateCopier copier;
      straight.for_each_state(copier);
      LinearSolver<TypeParam> restarted(settings, this->rows, 1, Choices::kept);
      copier.reads = true;
      restarted.for_each_state(copier);
      a->values().upload(this->matrix(40, 40.0).values);
      x.fill(0.0);
      const SolveReport kept = straight.solve(*a, right, x, {.changed = Changed::values});
      const SolveReport again = restarted.solve(*a, right, y);
      EXPECT_EQ(again.preconditioner_settings, kept.preconditioner_settings);
      EXPECT_EQ(x.to_host(), y.to_host());
    }
  }
}

// One solver of two systems: that of the first has not changed, but another was solved in between.
TYPED_TEST(RefreshedSolves, a_matrix_after_that_of_another_system_counts_as_new) {
  const tests::HostMatrix first = tests::poisson({5, 4, 1});
  const auto a = first.in<TypeParam>(Symmetry::symmetric);
  CsrMatrix<TypeParam> b(a->shared_pattern(), Symmetry::symmetric);
  std::vector<double> values = first.values;
  for (std::size_t k = 0; k < values.size(); ++k) values[k] *= k % 3 == 0 ? 9.0 : 7.0;
  b.values().upload(std::span<const double>(values));
  SolverSettings settings;
  settings.method = "gauss";
  settings.tolerance = 1e-12;
  LinearSolver<TypeParam> solver(settings, first.rows, 2);
  const std::vector<double> ones(static_cast<std::size_t>(first.rows), 1.0);
  const Vector<TypeParam> right{std::span<const double>(ones)};
  const auto iterations = [&](const CsrMatrix<TypeParam>& matrix, Changed changed, int system) {
    Vector<TypeParam> x(first.rows);
    const SolveReport report =
        solver.solve(matrix, right, x, {.changed = changed, .system = system});
    EXPECT_TRUE(report.converged()) << describe(report);
    return report.iterations;
  };
  EXPECT_EQ(iterations(*a, Changed::pattern, 0), 1);
  EXPECT_EQ(iterations(b, Changed::values, 1), 1);
  EXPECT_EQ(iterations(*a, Changed::nothing, 0), 1);
}

}  // namespace
}  // namespace hodge::linalg
