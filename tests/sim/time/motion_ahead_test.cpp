#include "sim/time/motion_ahead.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/support/flow_settings.hpp"

namespace hodge::sim {
namespace {

constexpr double h = 0.1, cfl = 0.5, longest = 8;

Expression formula(const std::string& text) {
  return Expression::parse(text);
}

// On 10 x 10 cells of width h.
double step(const Problem& problem, double time = 0, bool is_first = true) {
  const MotionAhead ahead(problem, Grid(test::flow_settings(2, 10).grid));
  return ahead.longest_step(time, is_first, cfl, longest);
}

Problem with_lid(const std::string& speed) {
  Problem problem;
  problem.boundaries.sides[1][1].velocity = {formula(speed), 0, 0};
  return problem;
}

TEST(MotionAhead, bounds_nothing_where_nothing_moves_or_acts) {
  EXPECT_EQ(step(Problem{}), longest);
}

TEST(MotionAhead, follows_a_lid_that_starts) {
  // s sin(s) = cfl h
  const double s = step(with_lid("sin(t)"));
  EXPECT_NEAR(s * std::sin(s), cfl * h, 1e-3 * cfl * h);
  EXPECT_NEAR(step(with_lid("min(t, 1)")), std::sqrt(cfl * h), 1e-3);
}

TEST(MotionAhead, sees_a_lid_that_starts_later) {
  EXPECT_NEAR(step(with_lid("t < 5 ? 0 : 1")), 5, 0.01);
  EXPECT_NEAR(step(with_lid("t < 5 ? 0 : 1"), 5, false), cfl * h, 1e-4);
}

TEST(MotionAhead, sees_a_pulse_between_the_ends_of_a_step) {
  EXPECT_LT(step(with_lid("abs(t - 4) < 0.5 ? 1 : 0")), 3.6);
}

TEST(MotionAhead, of_a_force_is_that_of_fluid_which_it_drives_from_rest) {
  Problem problem;
  problem.force = {formula("0.2"), 0, 0};
  // s 0.2 s / h = cfl
  EXPECT_NEAR(step(problem), std::sqrt(cfl * h / 0.2), 1e-3);
  EXPECT_EQ(step(problem, 1, false), longest);  // it shows in the velocity
}

TEST(MotionAhead, of_a_force_that_changes_is_bounded_by_its_change_in_every_step) {
  Problem problem;
  problem.force = {formula("10*cos(t)"), 0, 0};
  EXPECT_NEAR(step(problem), std::sqrt(cfl * h / 10), 1e-3);
  const double s = step(problem, M_PI / 2, false);  // |10 cos(t + s) - 10 cos(t)| = 10 sin(s)
  EXPECT_NEAR(10 * std::sin(s) * s * s / h, cfl, 1e-2 * cfl);
}

TEST(MotionAhead, of_buoyancy_follows_sides_sources_and_what_is_there) {
  Problem problem;
  ScalarProblem& heat = problem.scalars.emplace_back();
  heat.name = "heat";
  heat.buoyancy = {0, 2, 0};
  EXPECT_EQ(step(problem), longest);
  heat.sides[0][0] = {ScalarSideKind::value, formula("t < 3 ? 0 : 1")};
  EXPECT_NEAR(step(problem), 3, 0.01);
  EXPECT_NEAR(step(problem, 3 - 1e-9, false), std::sqrt(cfl * h / 2), 1e-3);
  heat.sides[0][0] = {ScalarSideKind::flux, 0.5};  // s^2 2 0.5 / h / h = cfl / s
  EXPECT_NEAR(step(problem), std::cbrt(cfl * h * h), 1e-3);
  heat.sides[0][0] = {};
  heat.source = formula("0.5*x/0.95");
  EXPECT_NEAR(step(problem), std::cbrt(cfl * h), 1e-3);
  heat.source = 0;
  heat.neutral = 4;
  EXPECT_NEAR(step(problem), std::sqrt(cfl * h / 8), 1e-3);
}

TEST(MotionAhead, of_open_sides_follows_the_difference_of_their_pressures) {
  Problem problem;
  problem.density = 2;
  problem.boundaries.set(0, SideKind::pressure);
  problem.boundaries.sides[0][0].pressure = problem.boundaries.sides[0][1].pressure = 101325;
  EXPECT_EQ(step(problem), longest);
  problem.boundaries.sides[0][0].pressure = 101328;
  EXPECT_NEAR(step(problem), std::sqrt(cfl * h / 1.5), 1e-3);
}

TEST(MotionAhead, follows_a_prescribed_velocity_and_a_held_flow_rate) {
  Problem problem;
  problem.prescribed_velocity = PrescribedVelocity{formula("t"), formula("t"), 0};
  EXPECT_NEAR(step(problem), std::sqrt(cfl * h / 2), 1e-3);
  Problem channel;
  channel.boundaries.set(0, SideKind::periodic);
  channel.flow_rate[0] = formula("t");
  EXPECT_NEAR(step(channel), std::sqrt(cfl * h), 1e-3);
}

TEST(MotionAhead, leaves_what_is_no_number_to_the_step) {
  EXPECT_EQ(step(with_lid("sqrt(-t)")), longest);
}

}  // namespace
}  // namespace hodge::sim
