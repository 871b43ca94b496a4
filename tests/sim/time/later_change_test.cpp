#include "sim/time/later_change.hpp"

#include <gtest/gtest.h>

#include "sim/discrete/grid/sampling.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge::sim {
namespace {

Grid small_box() {
  return Grid(test::flow_settings(2, 10).grid);
}

bool comes(const Problem& problem, double time, double end = 10) {
  return LaterChange(problem, small_box())
      .comes(time, end, std::vector<double>(problem.scalars.size(), 1.0));
}

TEST(LaterChange, comes_with_a_lid_that_starts_later_and_not_after_it) {
  Problem problem;
  problem.boundaries.sides[1][1].velocity[0] = Expression::parse("t > 5 ? 1 : 0");
  EXPECT_TRUE(comes(problem, 0));
  EXPECT_TRUE(comes(problem, 4.9));
  EXPECT_FALSE(comes(problem, 5.1));
  EXPECT_FALSE(comes(problem, 0, 4));  // the end is before it
}

TEST(LaterChange, comes_with_every_formula_that_drives) {
  const Expression later = Expression::parse("t > 5 ? 1 : 0");
  Problem force, rate, source, reaction, value, coefficient, pressure, carried;
  force.force[1] = later;
  rate.flow_rate[0] = later;
  pressure.boundaries.sides[0][1].pressure = later;
  carried.prescribed_velocity = PrescribedVelocity{0, later, 0};
  for (Problem* problem : {&source, &reaction, &value, &coefficient}) problem->scalars.resize(1);
  reaction.scalars[0].reaction = Expression::parse("t > 5 ? -c : 0", {.variables = {"c"}});
  source.scalars[0].source = later;
  value.scalars[0].sides[0][0].value = later;
  coefficient.scalars[0].sides[0][0].coefficient = later;
  for (const Problem* problem :
       {&force, &rate, &source, &reaction, &value, &coefficient, &pressure, &carried}) {
    EXPECT_TRUE(comes(*problem, 1));
    EXPECT_FALSE(comes(*problem, 6));
  }
}

TEST(LaterChange, does_not_come_without_time_or_after_a_start_that_has_faded) {
  Problem problem;
  EXPECT_FALSE(comes(problem, 0));
  problem.force[0] = Expression::parse("sin(x)");
  EXPECT_FALSE(comes(problem, 0));
  problem.force[0] = Expression::parse("1 - exp(-10*t)");
  EXPECT_TRUE(comes(problem, 0));
  EXPECT_FALSE(comes(problem, 3));
}

}  // namespace
}  // namespace hodge::sim
