// Rankings and advice from solves that are made up.
#include "sim/compare/ranking.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/app/compare/comparison_text.hpp"
#include "sim/compare/solver_text.hpp"

namespace hodge::sim {
namespace {

using linalg::SolveStatus;
using testing::HasSubstr;
using testing::Not;

ComparedSolve solve(const std::string& method, double seconds, int iterations,
                    SolveStatus status = SolveStatus::converged) {
  ComparedSolve solve;
  solve.settings.method = method;
  solve.settings.preconditioner.kind = "jacobi";
  solve.report.status = status;
  solve.report.iterations = iterations;
  solve.report.rhs_norm = 2;
  solve.report.initial_residual = 1;
  solve.report.true_residual = 1e-4;
  solve.report.recurrence_residual = 5e-5;
  solve.report.solve_seconds = seconds;
  solve.setup_seconds = seconds / 3;
  solve.seconds = seconds;
  return solve;
}

ComparedSystem system_of(long step, std::vector<ComparedSolve> solves) {
  ComparedSystem system;
  system.step = step;
  system.name = "pressure";
  system.rows = 100;
  system.rhs_norm = 2;
  system.solves = std::move(solves);
  system.solves.front().configured = true;
  return system;
}

std::vector<std::string> order(const std::vector<RankedSolver>& ranked) {
  std::vector<std::string> names;
  for (const RankedSolver& solver : ranked) names.push_back(solver.settings.method);
  return names;
}

TEST(Ranking, puts_the_fastest_in_total_first_and_failures_last) {
  const std::vector<ComparedSystem> systems{
      system_of(1, {solve("cg", 0.3, 29), solve("gmres", 0.02, 9), solve("bicg", 0.01, 5),
                    solve("bicgstab", 0.2, 19)}),
      system_of(2, {solve("cg", 0.3, 29), solve("gmres", 0.2, 99),
                    solve("bicg", 0.01, 5, SolveStatus::diverged), solve("bicgstab", 0.1, 9)})};
  const auto ranked = ranking(systems, SystemKind::pressure);
  EXPECT_EQ(order(ranked), (std::vector<std::string>{"gmres", "bicgstab", "cg", "bicg"}));
  EXPECT_DOUBLE_EQ(ranked[0].median_iterations, 54);
  EXPECT_DOUBLE_EQ(ranked[0].worst_iterations, 99);
  EXPECT_DOUBLE_EQ(ranked[1].worst_seconds, 0.2);
  EXPECT_NEAR(ranked[1].total_seconds, 0.2 + 0.1, 1e-12);
  EXPECT_DOUBLE_EQ(ranked[0].setup_share, 0.25);
  EXPECT_NEAR(ranked[0].digits_per_second, 8 / 0.22, 1e-9);
  EXPECT_DOUBLE_EQ(ranked[0].worst_gap, 2.5e-5);
  EXPECT_EQ(ranked[3].failures, 1);
  EXPECT_EQ(ranked[3].first_failure, "step 2, pressure: diverged");
  EXPECT_TRUE(ranking(systems, SystemKind::scalars).empty());
}

TEST(Ranking, solvers_that_were_given_up_come_last_and_are_no_failures) {
  ComparedSolve slow = solve("bicg", 0.9, 29);
  slow.given_up = "solved after 900 ms, more than 3 times the 100 ms of cg";
  const std::vector<ComparedSystem> systems{
      system_of(1, {solve("cg", 0.1, 9), solve("bicg", 0.01, 5), solve("gmres", 0.2, 5)}),
      system_of(2, {solve("cg", 0.1, 9), slow, solve("gmres", 0.2, 5, SolveStatus::diverged)})};
  const auto ranked = ranking(systems, SystemKind::pressure);
  EXPECT_EQ(order(ranked), (std::vector<std::string>{"cg", "gmres", "bicg"}));
  EXPECT_EQ(ranked[2].failures, 0);
  EXPECT_EQ(ranked[2].systems, 1);
  EXPECT_EQ(ranked[2].given_up, "step 2, pressure: " + slow.given_up);
  const std::string text = comparison_text(systems, 1);
  EXPECT_THAT(text, HasSubstr("bicg + jacobi (given up): step 2, pressure: solved after 900 ms"));
  EXPECT_THAT(text, Not(HasSubstr("bicg + jacobi (given up) failed")));
}

TEST(Ranking, does_not_count_that_the_machine_held_a_solve_up) {
  std::vector<ComparedSystem> systems;
  for (const double held_up : {0.0, 5.0, 0.0})
    systems.push_back(system_of(1, {solve("cg", 0.1 + held_up, 9), solve("gmres", 0.2, 19)}));
  const auto ranked = ranking(systems, SystemKind::pressure);
  EXPECT_EQ(order(ranked), (std::vector<std::string>{"cg", "gmres"}));
  EXPECT_NEAR(ranked[0].total_seconds, 0.3, 1e-12);
  EXPECT_NEAR(ranked[0].worst_seconds, 5.1, 1e-12);
}

TEST(Advice, names_the_fastest_and_what_to_put_in_the_file) {
  const std::vector<ComparedSystem> systems{
      system_of(1, {solve("cg", 0.3, 30), solve("gmres", 0.1, 10)})};
  const std::string text =
      solver_advice(ranking(systems, SystemKind::pressure), SystemKind::pressure);
  EXPECT_EQ(
      text,
      "pressure: gmres(30) + jacobi takes 100 ms a solve, 3.00 times faster than the "
      "configured cg + jacobi, and saves 66.7 % of its solves; put this in the file: solvers: "
      "{pressure: {method: gmres, "
      "preconditioner: {kind: jacobi}, restart: 30, fallback: [], tolerance: 1.0e-08, "
      "absolute_tolerance: 0, max_iterations: 1000}}");
}

TEST(Advice, does_not_name_the_new_method_as_its_own_fallback) {
  ComparedSolve configured = solve("bicgstab", 0.3, 30);
  configured.settings.fallback = {"gmres", "bicg"};
  const std::vector<ComparedSystem> systems{system_of(1, {configured, solve("gmres", 0.1, 10)})};
  EXPECT_THAT(solver_advice(ranking(systems, SystemKind::pressure), SystemKind::pressure),
              HasSubstr("fallback: [bicg]"));
}

TEST(Advice, keeps_the_configured_solver_where_nothing_is_much_faster) {
  const std::vector<ComparedSystem> systems{
      system_of(1, {solve("cg", 0.103, 30), solve("gmres", 0.1, 10)})};
  EXPECT_THAT(solver_advice(ranking(systems, SystemKind::pressure), SystemKind::pressure),
              HasSubstr("keep cg + jacobi"));
}

// The solves take 0.3 s of 10 s, the fastest 0.1 s.
TEST(Advice, does_not_change_what_saves_less_than_a_twentieth_of_the_step) {
  const std::vector<ComparedSystem> systems{
      system_of(1, {solve("cg", 0.3, 30), solve("gmres", 0.1, 10)})};
  const auto ranked = ranking(systems, SystemKind::pressure);
  EXPECT_EQ(solver_advice(ranked, SystemKind::pressure, 10),
            "pressure: no change pays: keep cg + jacobi; the fastest, gmres(30) + jacobi, would "
            "save 2 % of a step");
  EXPECT_THAT(solver_advice(ranked, SystemKind::pressure, 2),
              HasSubstr("3.00 times faster than the configured cg + jacobi, and saves 10 % of a "
                        "step; put this in the file: "));
}

TEST(Advice, says_that_the_configured_solver_is_the_fastest) {
  const std::vector<ComparedSystem> systems{
      system_of(1, {solve("cg", 0.1, 30), solve("gmres", 0.3, 10)})};
  EXPECT_EQ(solver_advice(ranking(systems, SystemKind::pressure), SystemKind::pressure, 1),
            "pressure: keep cg + jacobi, the fastest of 2 solvers");
}

TEST(Advice, replaces_a_configured_solver_that_fails_by_a_slower_one) {
  const std::vector<ComparedSystem> systems{
      system_of(1, {solve("cg", 0.01, 30, SolveStatus::stagnated), solve("gmres", 0.1, 10)})};
  EXPECT_THAT(
      solver_advice(ranking(systems, SystemKind::pressure), SystemKind::pressure),
      HasSubstr("gmres(30) + jacobi takes 100 ms a solve, the configured cg + jacobi failed "
                "1 of 1 times"));
}

TEST(Advice, says_so_where_no_solver_has_solved_everything) {
  const std::vector<ComparedSystem> systems{
      system_of(1, {solve("cg", 0.01, 30, SolveStatus::stagnated),
                    solve("gmres", 0.1, 10, SolveStatus::max_iterations)})};
  EXPECT_THAT(solver_advice(ranking(systems, SystemKind::pressure), SystemKind::pressure),
              HasSubstr("none of the 2 solvers has solved all systems"));
}

TEST(ComparisonReport, has_tables_failures_and_the_compatibility_defect) {
  ComparedSystem system = system_of(4, {solve("cg", 0.3, 30), solve("gmres", 0.1, 10),
                                        solve("bicg", 1, 9, SolveStatus::max_iterations)});
  system.rhs_mean = 1e-3;
  system.reference = "gauss";
  system.reference_residual = 4e-15;
  const std::string text = comparison_markdown({{system}});
  EXPECT_THAT(text, HasSubstr("pressure: 1 system of up to 100 unknowns, steps 4 to 4"));
  EXPECT_THAT(text, HasSubstr("| cg + jacobi (configured) | 0 | 30 | 30 | 300 | 300 | 1.00 |"));
  EXPECT_THAT(text, HasSubstr("bicg + jacobi failed 1 of 1 times, first in step 4, pressure: "
                              "max_iterations"));
  EXPECT_THAT(text, HasSubstr("|b-Ax|/|b| <= 2.0e-15"));
  EXPECT_THAT(text, HasSubstr("is at most 5.0e-03"));  // 1e-3 sqrt(100) / 2
  EXPECT_THAT(comparison_text({}), HasSubstr("no step was compared"));
}

}  // namespace
}  // namespace hodge::sim
