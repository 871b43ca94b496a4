#include "sim/app/run/skipped_solves.hpp"

#include <gtest/gtest.h>

namespace hodge::sim {
namespace {

SolveSummary converged_at_once(const std::string& system, double right_side, double residual,
                               double target) {
  SolveSummary solve{system, 0, 0, {}};
  solve.report.status = linalg::SolveStatus::converged;
  solve.report.rhs_norm = right_side;
  solve.report.initial_residual = residual;
  solve.report.target = target;
  return solve;
}

TEST(SkippedSolves, are_those_that_an_absolute_tolerance_ends_before_the_first_iteration) {
  Settings settings;
  settings.scalars.tolerance = 1e-6;
  settings.scalars.absolute_tolerance = 1e-12;
  EXPECT_EQ(tolerance_that_skipped(converged_at_once("c", 1e-14, 1e-14, 1e-13), settings), 1e-12);
  // A guess that is good enough, a right-hand side of 0, a rule for the largest residual.
  EXPECT_EQ(tolerance_that_skipped(converged_at_once("c", 1, 1e-7, 1e-6), settings), 0);
  EXPECT_EQ(tolerance_that_skipped(converged_at_once("c", 0, 0, 1e-13), settings), 0);
  EXPECT_EQ(tolerance_that_skipped(converged_at_once("c", 1, 0.1, 1e-6), settings), 0);
  SolveSummary iterated = converged_at_once("c", 1e-14, 1e-14, 1e-13);
  iterated.iterations = 1;
  EXPECT_EQ(tolerance_that_skipped(iterated, settings), 0);
}

TEST(SkippedSolves, are_told_with_step_system_and_key) {
  Settings settings;
  settings.transport.tolerance = 1e-6;
  settings.transport.absolute_tolerance = 1e-3;
  StepReport report;
  report.solves = {converged_at_once("pressure", 1, 1e-9, 1e-8),
                   converged_at_once("w", 1e-5, 1e-5, 1e-4)};
  EXPECT_EQ(skipped_solve_text(report, settings, 7, 0.25).value_or(""),
            "step 7, t = 0.25: the w system took 0 iterations although its right-hand side is not "
            "0, since solvers.transport.absolute_tolerance 0.001 allows that error: set it to 0 if "
            "so small a change matters");
  settings.transport.absolute_tolerance = 0;
  EXPECT_FALSE(skipped_solve_text(report, settings, 7, 0.25));
}

}  // namespace
}  // namespace hodge::sim
