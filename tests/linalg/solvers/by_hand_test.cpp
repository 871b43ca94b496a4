// Each method on systems that can be checked by hand, and each kind of breakdown.
#include <gtest/gtest.h>

#include "linalg/solve/solve.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

template <class Space>
class SolverByHand : public tests::SpaceTest<Space> {
 protected:
  using Dense = std::vector<std::vector<double>>;

  struct Outcome {
    SolveReport report;
    std::vector<double> x;
  };
  static Outcome solve(const Dense& matrix, const std::vector<double>& rhs, SolverSettings settings,
                       SolveOptions options = {}) {
    const auto a = tests::from_dense(matrix).in<Space>();
    const int n = static_cast<int>(rhs.size());
    Vector<Space> b{std::span<const double>(rhs)}, x(n);
    SolveReport report = LinearSolver<Space>(settings, n).solve(*a, b, x, options);
    return {std::move(report), x.to_host()};
  }
  static SolverSettings with(const char* method, const char* kind = "none") {
    SolverSettings s;
    s.method = method;
    s.preconditioner.kind = kind;
    s.tolerance = 1e-12;
    return s;
  }
};
TYPED_TEST_SUITE(SolverByHand, tests::Spaces, tests::SpaceName);

TYPED_TEST(SolverByHand, cg_takes_as_many_iterations_as_there_are_eigenvalues) {
  const auto [report, x] = this->solve({{2, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 5, 0}, {0, 0, 0, 5}},
                                       {2, 4, 5, 10}, this->with("cg"));
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.iterations, 2);
  const double expected[] = {1, 2, 1, 2};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(x[i], expected[i], 1e-12);
}

TYPED_TEST(SolverByHand, jacobi_solves_a_diagonal_system_in_one_iteration) {
  for (const auto& solver : solver_table()) {
    if (solver.needs_separable || solver.needs_box) continue;
    const auto [report, x] =
        this->solve({{2, 0}, {0, 8}}, {2, 16}, this->with(solver.name, "jacobi"));
    EXPECT_TRUE(report.converged()) << solver.name;
    EXPECT_EQ(report.iterations, 1) << solver.name;
  }
}

// Whole numbers: without a multiple of ones the last pivot would be exactly zero.
TYPED_TEST(SolverByHand, gauss_solves_up_to_a_constant_where_constants_are_the_null_space) {
  const auto [report, x] =
      this->solve({{1, -1, 0, 0}, {-1, 2, -1, 0}, {0, -1, 2, -1}, {0, 0, -1, 1}}, {3, -1, -1, -1},
                  this->with("gauss"), {.null_space = NullSpace::constant});
  EXPECT_TRUE(report.converged()) << describe(report);
  EXPECT_NEAR(x[0] - x[1], 3, 1e-13);
  EXPECT_NEAR(x[1] - x[2], 2, 1e-13);
  EXPECT_NEAR(x[2] - x[3], 1, 1e-13);
  EXPECT_NEAR(x[0] + x[1] + x[2] + x[3], 0, 1e-13);
}

TYPED_TEST(SolverByHand, bicgstab_stops_after_half_step_when_exact) {
  const auto [report, x] = this->solve({{3, 0}, {0, 3}}, {3, 6}, this->with("bicgstab"));
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.iterations, 1);
  EXPECT_EQ(x, (std::vector<double>{1, 2}));
}

TYPED_TEST(SolverByHand, gmres_ends_with_a_happy_breakdown) {
  // b spans an invariant space of dimension 2.
  const auto [report, x] = this->solve({{0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, 7, 1}, {0, 0, 0, 7}},
                                       {1, 2, 0, 0}, this->with("gmres"));
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.iterations, 2);
  EXPECT_NEAR(x[0], 2, 1e-12);
  EXPECT_NEAR(x[1], 1, 1e-12);
}

TYPED_TEST(SolverByHand, gmres_solves_in_at_most_n_iterations_also_across_restarts) {
  const auto matrix =
      std::vector<std::vector<double>>{{4, 1, 0, 0}, {-2, 5, 1, 0}, {0, -1, 6, 2}, {1, 0, 0, 3}};
  auto settings = this->with("gmres");
  auto outcome = this->solve(matrix, {1, 2, 3, 4}, settings);
  EXPECT_TRUE(outcome.report.converged());
  EXPECT_LE(outcome.report.iterations, 4);
  settings.options["restart"] = 2;
  outcome = this->solve(matrix, {1, 2, 3, 4}, settings);
  EXPECT_TRUE(outcome.report.converged());
  EXPECT_GT(outcome.report.iterations, 4);
}

TYPED_TEST(SolverByHand, cg_names_an_indefinite_operator) {
  const auto [report, x] = this->solve({{1, 0}, {0, -2}}, {1, 1}, this->with("cg"));
  EXPECT_EQ(report.status, SolveStatus::breakdown);
  EXPECT_EQ(report.breakdown, Breakdown::indefinite_operator);
}

TYPED_TEST(SolverByHand, cg_names_an_indefinite_preconditioner) {
  const auto [report, x] = this->solve({{-1, 0}, {0, -2}}, {1, 1}, this->with("cg", "jacobi"));
  EXPECT_EQ(report.breakdown, Breakdown::indefinite_preconditioner);
}

TYPED_TEST(SolverByHand, cg_refuses_a_nonsymmetric_operator) {
  const auto [report, x] = this->solve({{2, 1}, {0, 2}}, {1, 1}, this->with("cg"));
  EXPECT_EQ(report.breakdown, Breakdown::not_symmetric);
  EXPECT_EQ(x, (std::vector<double>{0, 0}));
}

TYPED_TEST(SolverByHand, bicgstab_names_an_infinite_alpha) {
  // r*.A r = 0 for a rotation by a right angle.
  const auto [report, x] = this->solve({{0, 1}, {-1, 0}}, {1, 0}, this->with("bicgstab"));
  EXPECT_EQ(report.status, SolveStatus::breakdown);
  EXPECT_EQ(report.breakdown, Breakdown::alpha_infinite);
}

TYPED_TEST(SolverByHand, bicgstab_names_a_vanishing_omega) {
  // With b = (1, 0): alpha = 1, s = (0, 1), t = A s = (1, 0), so t.s = 0.
  const auto [report, x] = this->solve({{1, 1}, {-1, 0}}, {1, 0}, this->with("bicgstab"));
  EXPECT_EQ(report.status, SolveStatus::breakdown);
  EXPECT_EQ(report.breakdown, Breakdown::omega_zero);
}

TYPED_TEST(SolverByHand, bicg_solves_in_at_most_n_iterations) {
  const auto [report, x] =
      this->solve({{4, 1, 0}, {-2, 5, 1}, {0, -1, 6}}, {6, 11, 16}, this->with("bicg"));
  EXPECT_TRUE(report.converged()) << describe(report);
  EXPECT_LE(report.iterations, 3);
  const double expected[] = {1, 2, 3};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(x[i], expected[i], 1e-11);
}

TYPED_TEST(SolverByHand, bicg_is_cg_on_a_symmetric_system) {
  const std::vector<std::vector<double>> a = {
      {4, 1, 0, 0}, {1, 5, 1, 0}, {0, 1, 6, 2}, {0, 0, 2, 3}};
  const auto cg = this->solve(a, {1, 2, 3, 4}, this->with("cg", "jacobi")).report;
  const auto bicg = this->solve(a, {1, 2, 3, 4}, this->with("bicg", "jacobi")).report;
  ASSERT_EQ(cg.history.size(), bicg.history.size());
  for (std::size_t i = 0; i + 1 < cg.history.size(); ++i)
    EXPECT_NEAR(cg.history[i], bicg.history[i], 1e-10 * cg.history[0]);
}

TYPED_TEST(SolverByHand, bicg_names_a_vanishing_shadow_step) {
  // p*.A p = 0 for a rotation by a right angle.
  const auto [report, x] = this->solve({{0, 1}, {-1, 0}}, {1, 0}, this->with("bicg"));
  EXPECT_EQ(report.status, SolveStatus::breakdown);
  EXPECT_EQ(report.breakdown, Breakdown::shadow_step_zero);
  EXPECT_EQ(x, (std::vector<double>{0, 0}));
}

TYPED_TEST(SolverByHand, bicg_names_a_vanishing_rho) {
  // With b = (1, 0): xi = 1, alpha = 1, r = (0, -1), r* = (0, 0).
  const auto [report, x] = this->solve({{1, 0}, {1, 1}}, {1, 0}, this->with("bicg"));
  EXPECT_EQ(report.status, SolveStatus::breakdown);
  EXPECT_EQ(report.breakdown, Breakdown::rho_zero) << describe(report);
}

TYPED_TEST(SolverByHand, breakdown_is_measured_against_the_norms_not_against_zero) {
  // The same systems behave alike in units that differ by a hundred orders of magnitude.
  for (const double unit : {1e-50, 1.0, 1e50}) {
    const auto fine =
        this->solve({{4 * unit, unit}, {unit, 3 * unit}}, {unit, 2 * unit}, this->with("cg"));
    EXPECT_TRUE(fine.report.converged()) << unit << " " << describe(fine.report);
    EXPECT_LE(fine.report.iterations, 2);
    const auto broken = this->solve({{0, unit}, {-unit, 0}}, {unit, 0}, this->with("bicgstab"));
    EXPECT_EQ(broken.report.breakdown, Breakdown::alpha_infinite) << unit;
  }
}

TYPED_TEST(SolverByHand, gauss_solves_in_one_iteration_and_exchanges_rows) {
  const auto [report, x] =
      this->solve({{0, 2, 1}, {1, 1, 1}, {4, 0, -2}}, {7, 6, -2}, this->with("gauss"));
  EXPECT_TRUE(report.converged()) << describe(report);
  EXPECT_EQ(report.iterations, 1);
  const double expected[] = {1, 2, 3};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(x[i], expected[i], 1e-14);
}

TYPED_TEST(SolverByHand, gauss_names_a_singular_matrix_with_its_column) {
  const auto [report, x] =
      this->solve({{1, 2, 0}, {2, 4, 0}, {0, 0, 1}}, {1, 1, 1}, this->with("gauss"));
  EXPECT_EQ(report.status, SolveStatus::breakdown);
  EXPECT_EQ(report.breakdown, Breakdown::singular_matrix);
  EXPECT_NE(describe(report).find("no pivot in column 2"), std::string::npos) << describe(report);
  EXPECT_EQ(x, (std::vector<double>{0, 0, 0}));
}

TYPED_TEST(SolverByHand, gauss_warns_of_a_near_singular_matrix) {
  const auto [report, x] = this->solve({{1, 1}, {1, 1 + 1e-16 * 3}}, {2, 2}, this->with("gauss"));
  EXPECT_NE(describe(report).find("near-singular"), std::string::npos) << describe(report);
}

TYPED_TEST(SolverByHand, gmres_names_a_singular_operator) {
  const auto [report, x] = this->solve({{1, 0}, {0, 0}}, {1, 1}, this->with("gmres"));
  EXPECT_FALSE(report.converged());
  EXPECT_EQ(report.breakdown, Breakdown::singular_krylov);
}

TYPED_TEST(SolverByHand, fallback_goes_on_from_the_last_good_x) {
  auto settings = this->with("bicgstab");
  settings.fallback = {"cg", "gmres"};
  const auto [report, x] = this->solve({{0, 1}, {-1, 0}}, {1, 0}, settings);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.method, "gmres");
  ASSERT_EQ(report.attempts.size(), 3u);
  EXPECT_EQ(report.attempts[0].breakdown, Breakdown::alpha_infinite);
  EXPECT_EQ(report.attempts[1].breakdown, Breakdown::not_symmetric);
  EXPECT_EQ(report.attempts[2].status, SolveStatus::converged);
  EXPECT_NEAR(x[0], 0, 1e-12);
  EXPECT_NEAR(x[1], 1, 1e-12);
}

TYPED_TEST(SolverByHand, missing_or_zero_diagonal_is_named_with_its_row) {
  for (const char* kind : {"jacobi", "neumann", "ssor_sai"}) {
    const auto [report, x] =
        this->solve({{1, 1, 0}, {0, 2, 0}, {1, 1, 0}}, {1, 1, 1}, this->with("gmres", kind));
    EXPECT_EQ(report.breakdown, Breakdown::bad_diagonal) << kind;
    EXPECT_EQ(report.bad_row, 2) << kind;
    EXPECT_NE(describe(report).find("row 3"), std::string::npos);  // rows from 1
  }
}

TYPED_TEST(SolverByHand, incompatible_right_side_is_projected) {
  SolveOptions options;
  options.null_space = NullSpace::constant;
  const auto [report, x] = this->solve({{1, -1}, {-1, 1}}, {3, 1}, this->with("cg"), options);
  EXPECT_TRUE(report.converged());
  EXPECT_NEAR(x[0], 0.5, 1e-12);
  EXPECT_NEAR(x[1], -0.5, 1e-12);
}

TYPED_TEST(SolverByHand, absolute_tolerance_stops_early) {
  SolveOptions options;
  options.absolute_tolerance = 10.0;
  const auto [report, x] = this->solve({{2, 1}, {1, 2}}, {3, 3}, this->with("cg"), options);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.iterations, 0);
}

TEST(SolverSettingsCheck, wrong_settings_are_refused_before_anything_is_allocated) {
  const auto refuses = [](auto change) {
    SolverSettings s;
    change(s);
    EXPECT_THROW(LinearSolver<Host>(s, 10), ConfigError);
  };
  refuses([](SolverSettings& s) { s.method = "cgg"; });
  refuses([](SolverSettings& s) { s.preconditioner.kind = "ilu"; });
  refuses([](SolverSettings& s) { s.fallback = {"gmres", "lu"}; });
  refuses([](SolverSettings& s) { s.tolerance = -1; });
  refuses([](SolverSettings& s) { s.tolerance = std::nan(""); });
  refuses([](SolverSettings& s) { s.absolute_tolerance = -1; });
  refuses([](SolverSettings& s) { s.max_iterations = 0; });
  refuses([](SolverSettings& s) { s.method = "gmres", s.options["restart"] = 0; });
  refuses([](SolverSettings& s) { s.preconditioner = {"ssor_sai", {{"order", 3}}}; });
  refuses([](SolverSettings& s) { s.preconditioner = {"ssor_sai", {{"omega", 2.0}}}; });
  refuses([](SolverSettings& s) { s.preconditioner = {"ssor_sai", {{"omega", 0.0}}}; });
  refuses([](SolverSettings& s) { s.preconditioner = {"ssor_sai", {{"form", "split"}}}; });
  refuses([](SolverSettings& s) { s.preconditioner = {"ssor_sai", {{"alpha", 0.0}}}; });
  refuses([](SolverSettings& s) { s.preconditioner = {"ssor_sai", {{"alpha", 1.1}}}; });
  refuses([](SolverSettings& s) { s.preconditioner = {"neumann", {{"degree", -1}}}; });
  refuses([](SolverSettings& s) { s.preconditioner = {"neumann", {{"degree", 2.5}}}; });
  refuses([](SolverSettings& s) { s.preconditioner = {"neumann", {{"degree", "two"}}}; });
  refuses([](SolverSettings& s) { s.preconditioner = {"neumann", {{"degre", 2}}}; });
  refuses([](SolverSettings& s) { s.options["restarts"] = 5; });
}

}  // namespace
}  // namespace hodge::linalg
