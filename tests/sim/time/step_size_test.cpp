#include "sim/time/step_size.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "linalg/base/errors.hpp"

namespace hodge {
namespace {

using sim::next_step_size;

constexpr double far = 1000;

sim::StepSettings cfl(double number, std::optional<double> max = std::nullopt) {
  return {number, max, std::nullopt};
}
sim::StepSettings size(double dt) {
  return {std::nullopt, std::nullopt, dt};
}

TEST(StepSize, is_bounded_by_the_cfl_number) {
  EXPECT_NEAR(next_step_size(cfl(0.5), {.next_stop = far, .cfl_rate = 10}), 0.05, 1e-6);
}

TEST(StepSize, is_bounded_by_the_maximum) {
  const sim::StepSettings settings = cfl(0.5, 0.01);
  EXPECT_NEAR(next_step_size(settings, {.next_stop = far, .cfl_rate = 10}), 0.01, 1e-6);
  EXPECT_NEAR(next_step_size(settings, {.next_stop = far, .cfl_rate = 0}), 0.01, 1e-6);
}

TEST(StepSize, grows_by_no_more_than_a_half) {
  EXPECT_NEAR(next_step_size(cfl(0.5), {.next_stop = far, .cfl_rate = 1, .previous_dt = 0.1}), 0.15,
              1e-4);
}

TEST(StepSize, shrinks_at_once) {
  EXPECT_NEAR(next_step_size(cfl(0.5), {.next_stop = far, .cfl_rate = 100, .previous_dt = 0.1}),
              0.005, 1e-6);
}

TEST(StepSize, is_bounded_by_motion_that_begins) {
  EXPECT_NEAR(next_step_size(cfl(0.5), {.next_stop = far, .motion = 0.02}), 0.02, 1e-6);
}

TEST(StepSize, is_the_fixed_size_whatever_moves) {
  EXPECT_NEAR(next_step_size(size(0.02), {.next_stop = far, .cfl_rate = 1e6, .previous_dt = 1e-6}),
              0.02, 1e-6);
}

TEST(StepSize, splits_the_rest_into_equal_steps) {
  EXPECT_DOUBLE_EQ(next_step_size(size(0.4), {.time = 1, .next_stop = 2}), 1.0 / 3);
}

TEST(StepSize, does_not_add_a_step_for_round_off) {
  EXPECT_EQ(next_step_size(size(0.1), {.time = 0, .next_stop = 0.1 * (1 + 1e-12)}),
            0.1 * (1 + 1e-12));
  // The last digit of 1e5 is 1.5e-8 of a step.
  EXPECT_NEAR(next_step_size(size(1e-3), {.time = 1e5, .next_stop = 1e5 + 0.01}), 1e-3, 1e-8);
}

TEST(StepSize, lands_on_the_stop_in_as_many_steps_as_the_bound_needs) {
  double time = 0, smallest = 1;
  int steps = 0;
  while (1 - time > 1e-12) {
    const double dt = next_step_size(size(0.3), {.time = time, .next_stop = 1});
    smallest = std::min(smallest, dt);
    time += dt;
    ++steps;
  }
  EXPECT_NEAR(time, 1.0, 1e-14);
  EXPECT_EQ(steps, 4);
  EXPECT_GT(smallest, 0.24);
}

TEST(StepSize, says_what_to_set_where_nothing_bounds_it) {
  for (const sim::StepSettings& settings : {sim::StepSettings{}, cfl(0.5)}) {
    try {
      (void)next_step_size(settings, {.next_stop = 1});
      FAIL();
    } catch (const ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find("time.step.max"), std::string::npos);
    }
  }
  EXPECT_THROW((void)next_step_size(size(0.0), {.next_stop = 1}), ConfigError);
  EXPECT_THROW((void)next_step_size(size(0.1), {.time = 1, .next_stop = 1}), ShapeError);
}

}  // namespace
}  // namespace hodge
