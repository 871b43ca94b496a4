#include "sim/time/deferred_convection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/flow/flow.hpp"
#include "sim/time/stability.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge::sim {
namespace {

TEST(DeferredRule, asks_for_a_small_share_of_the_step_or_what_the_solver_leaves) {
  const DeferredRule rule{false, 1e-8, 1};
  EXPECT_TRUE(rule.met_by({.squares = 0.9e-6, .step_squares = 1, .value_squares = 1e6}));
  EXPECT_FALSE(rule.met_by({.squares = 1.1e-6, .step_squares = 1, .value_squares = 1e6}));
  EXPECT_TRUE(rule.met_by({.squares = 0.9e-16, .step_squares = 1e-14, .value_squares = 1}));
}

TEST(DeferredRule, asks_for_a_small_share_of_the_largest_value_where_bounds_are_kept) {
  const DeferredRule rule{true, 1e-8, 1};
  EXPECT_FALSE(rule.met_by({.squares = 0, .step_squares = 1, .largest = 1e-9, .largest_value = 1}));
  EXPECT_TRUE(
      rule.met_by({.squares = 1, .step_squares = 1, .largest = 1e-9, .largest_value = 200}));
  EXPECT_GT(rule.most_iterations(), (DeferredRule{false, 1e-8, 1}.most_iterations()));
}

TEST(DeferredConvection, keeps_bounds_only_where_steps_are_short_enough_for_them) {
  Settings settings = test::flow_settings(2, 8);
  settings.convection_scheme = "van_leer";
  settings.time.step.cfl = 4;
  EXPECT_TRUE(keeps_bounds(settings, {}));
  settings.time.scheme = "backward_euler";
  EXPECT_TRUE(keeps_bounds(settings, {}));
  settings.time.scheme = "rk3";
  EXPECT_FALSE(keeps_bounds(settings, {}));
  settings.time.step.cfl = 1;
  EXPECT_TRUE(keeps_bounds(settings, {}));
  settings.convection_scheme = "weno5";
  EXPECT_FALSE(keeps_bounds(settings, {}));
}

TEST(DeferredConvection, that_does_not_converge_is_named_with_system_scheme_and_step) {
  EXPECT_EQ(deferred_failure("u", "weno5", 7, 0.5, 0.02),
            "convection of u by weno5 in step 7 at t = 0.5 did not converge: its last iteration "
            "changed 0.02 of what the step does; take smaller steps (time.step.cfl, "
            "time.step.size)");
  EXPECT_THAT(deferred_failure("T", "", 7, 0.5, 0.02),
              testing::StartsWith("heat along the surfaces of sharp bodies (T) in step 7 at t = "));
}

// The old level in a step without motion is the solution: nothing is iterated, and it stays.
TEST(DeferredConvection, solves_once_where_nothing_moves) {
  Settings settings = test::flow_settings(2, 8);
  settings.convection_scheme = "quick";
  Problem problem;
  problem.viscosity = 0.1;
  const auto flow = make_flow(settings, problem);
  const StepReport report = flow->advance(0.1);
  ASSERT_TRUE(report.ok) << report.failure;
  int solves = 0;
  for (const SolveSummary& solve : report.solves) solves += solve.system == "u";
  EXPECT_EQ(solves, 1);
}

}  // namespace
}  // namespace hodge::sim
