#include "sim/time/step_control.hpp"

#include <gtest/gtest.h>

#include <array>
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

// h^2 / nu = 0.01; the Courant number allows 0.5.
double first_step(const std::string& scheme, double velocity_rate, double previous_dt = 0) {
  Settings settings = by_cfl(200);
  settings.time.scheme = scheme;
  Problem problem;
  problem.viscosity = 1;
  problem.initial_velocity = [](const Point&) { return std::array{1.0, 0.0, 0.0}; };
  const StepControl control(settings, problem, Grid(settings.grid));
  return control.next({.next_stop = 20,
                       .cfl_rate = 1,
                       .max_speed = 1,
                       .velocity_rate = velocity_rate,
                       .previous_dt = previous_dt});
}

TEST(StepControl, starts_with_steps_that_resolve_the_layers_at_walls) {
  for (const std::string scheme : {"bdf2", "backward_euler", "cn_ab2"}) {
    EXPECT_NEAR(first_step(scheme, 200), 0.01, 1e-4) << scheme;
    EXPECT_NEAR(first_step(scheme, 0.01), 0.5, 1e-2) << scheme << ", nearly steady";
    EXPECT_NEAR(first_step(scheme, 200, 0.4), 0.5, 1e-2) << scheme << ", a later step";
  }
}

// Decay between walls takes L^2 / (pi^2 D), here 0.1 / D; the Courant number allows 0.5.
TEST(StepControl, takes_a_hundred_steps_where_diffusion_is_faster_than_the_flow) {
  const auto step = [](double viscosity, double diffusivity, const std::string& scheme,
                       std::optional<double> max = std::nullopt) {
    Settings settings = by_cfl(20);
    settings.time.scheme = scheme;
    settings.time.step.max = max;
    Problem problem;
    problem.viscosity = viscosity;
    problem.scalars.resize(1);
    problem.scalars[0].diffusivity = diffusivity;
    problem.initial_velocity = [](const Point&) { return std::array{1.0, 0.0, 0.0}; };
    const StepControl control(settings, problem, Grid(settings.grid));
    return control.next(
        {.time = 5, .next_stop = 20, .cfl_rate = 1, .max_speed = 1, .previous_dt = 0.5});
  };
  for (const std::string scheme : {"bdf2", "backward_euler", "cn_ab2"}) {
    const double planned = step(0.01, 0.01, scheme);
    EXPECT_GT(planned, 0.3) << scheme;
    EXPECT_NEAR(step(0.01, 1, scheme), 0.2, 1e-3) << scheme << ", a scalar";
    EXPECT_NEAR(step(1, 0.01, scheme), 0.2, 1e-3) << scheme << ", the velocity";
    EXPECT_GE(step(1, 1, scheme, 7), planned) << scheme << ", max is given";
  }
}

TEST(StepControl, divides_a_first_step_in_which_viscosity_crosses_the_box) {
  Settings settings = by_cfl(20);
  settings.time.step = {.cfl = std::nullopt, .max = std::nullopt, .size = 8};
  Problem problem;
  problem.viscosity = 1;
  problem.initial_velocity = [](const Point&) { return std::array{1.0, 0.0, 0.0}; };
  const StepControl control(settings, problem, Grid(settings.grid));
  const auto next = [&](double time, double rate, double previous) {
    return control.next({.time = time,
                         .next_stop = 16,
                         .max_speed = 1,
                         .velocity_rate = rate,
                         .previous_dt = previous});
  };
  EXPECT_EQ(next(0, 1e-4, 0), 8) << "nearly steady";
  double time = 0, dt = 0;
  int steps = 0;
  for (; time < 8 && steps < 30; ++steps) {
    const double longer = next(time, 1, dt);
    if (steps > 0) {
      EXPECT_LE(longer, 1.5 * dt * (1 + 1e-9));
    }
    time += dt = longer;
  }
  EXPECT_NEAR(time, 8, 1e-9);
  EXPECT_LT(steps, 25);
  EXPECT_NEAR(next(8, 1, dt), 8, 1e-9);
}

TEST(ShortTimeOfSides, is_a_small_part_of_the_first_step_where_sides_change) {
  const Settings settings = by_cfl(20);
  Problem problem;
  EXPECT_EQ(short_time_of_sides(settings, problem, Grid(settings.grid)), 0);
  problem.boundaries.sides[1][1].velocity[0] = Expression::parse("10");
  EXPECT_EQ(short_time_of_sides(settings, problem, Grid(settings.grid)), 0);
  problem.boundaries.sides[1][1].velocity[0] = Expression::parse("10 + sin(t)");
  EXPECT_NEAR(short_time_of_sides(settings, problem, Grid(settings.grid)), 5e-6, 1e-7);
}

}  // namespace
}  // namespace hodge::sim
