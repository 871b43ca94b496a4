#include "sim/time/step_control.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tests/support/flow_settings.hpp"

namespace hodge::sim {
namespace {

Settings by_cfl(double end) {
  Settings settings = test::flow_settings(2, 10);
  settings.time.end = end;
  settings.time.step.cfl = 0.5;
  return settings;
}

std::optional<double> longest_at_rest(const Problem& problem,
                                      const Settings& settings = by_cfl(20)) {
  return longest_step_from_rest(settings, problem, Grid(settings.grid));
}

TEST(LongestStepFromRest, is_a_hundredth_of_the_end_where_nothing_moves_at_the_start) {
  Problem problem;
  EXPECT_EQ(longest_at_rest(problem), 0.2);
  problem.boundaries.sides[1][1].velocity[0] = Expression::parse("x*sin(t)");
  EXPECT_EQ(longest_at_rest(problem), 0.2);
  problem.initial_velocity = [](const Point&) { return std::array<double, 3>{}; };
  EXPECT_EQ(longest_at_rest(problem), 0.2);
}

TEST(LongestStepFromRest, takes_rounding_of_a_formula_for_rest) {
  Problem problem;
  problem.boundaries.sides[1][1].velocity[0] = Expression::parse("cos(t - 1.5707963267948966)");
  EXPECT_EQ(longest_at_rest(problem), 0.2);
  problem.boundaries.sides[1][1].velocity[0] = Expression::parse("cos(t - 1.57)");
  EXPECT_EQ(longest_at_rest(problem), std::nullopt);
}

TEST(LongestStepFromRest, is_none_where_something_moves_or_the_file_gives_one) {
  Problem lid, vortex, carried;
  lid.boundaries.sides[1][1].velocity[0] = Expression::parse("x > 0.9 ? 1 : 0");
  EXPECT_EQ(longest_at_rest(lid), std::nullopt);
  vortex.initial_velocity = [](const Point& x) {
    return std::array{0.0, x[0] > 0.9 ? 1.0 : 0.0, 0.0};
  };
  EXPECT_EQ(longest_at_rest(vortex), std::nullopt);
  carried.prescribed_velocity = PrescribedVelocity{0, 1, 0};
  EXPECT_EQ(longest_at_rest(carried), std::nullopt);
  Settings settings = by_cfl(20);
  settings.time.step.max = 7;
  EXPECT_EQ(longest_at_rest(Problem{}, settings), std::nullopt);
  settings.time.step = {.cfl = std::nullopt, .max = std::nullopt, .size = 0.1};
  EXPECT_EQ(longest_at_rest(Problem{}, settings), std::nullopt);
}

TEST(StepControl, bounds_steps_of_a_run_that_begins_at_rest) {
  const Settings settings = by_cfl(20);
  const StepControl control(settings, Problem{}, Grid(settings.grid));
  EXPECT_DOUBLE_EQ(control.next(StepControl::Present{.next_stop = 20}), 0.2);
  EXPECT_DOUBLE_EQ(control.next(StepControl::Present{.next_stop = 20, .cfl_rate = 25}), 0.02);
}

TEST(StepControl, goes_on_where_what_moved_has_come_to_rest) {
  const Settings settings = by_cfl(20);
  Problem problem;
  problem.initial_velocity = [](const Point&) { return std::array{1.0, 0.0, 0.0}; };
  const StepControl control(settings, problem, Grid(settings.grid));
  EXPECT_NEAR(control.next(StepControl::Present{.time = 1, .next_stop = 20, .previous_dt = 0.1}),
              0.15, 1e-2);
}

}  // namespace
}  // namespace hodge::sim
