#include "sim/run/blow_up.hpp"

#include <gtest/gtest.h>

namespace hodge::sim {
namespace {

Diagnostics fields_with(double max_speed, bool finite = true) {
  Diagnostics diagnostics{};
  diagnostics.max_speed = max_speed;
  diagnostics.finite = finite;
  return diagnostics;
}

TEST(BlowUpTest, good_fields_have_no_complaint) {
  const BlowUpTest test({}, fields_with(1));
  EXPECT_FALSE(test.complaint(fields_with(1)));
  EXPECT_FALSE(test.complaint(fields_with(9999)));
}

TEST(BlowUpTest, fields_that_are_no_numbers_are_lost) {
  const BlowUpTest test({}, fields_with(1));
  EXPECT_EQ(*test.complaint(fields_with(1, false)),
            "the velocity or the pressure is no longer a finite number");
}

TEST(BlowUpTest, a_speed_far_beyond_the_initial_one_is_an_explosion) {
  const BlowUpTest test({}, fields_with(2));
  EXPECT_EQ(*test.complaint(fields_with(3e4)),
            "the velocity explodes: max |u| is 3e+04, 2e+04 times what the case sets");
}

TEST(BlowUpTest, a_moving_wall_sets_the_speed_of_a_fluid_at_rest) {
  Problem problem;
  problem.boundaries.sides[1][1].velocity = {3, 4, 0};
  const BlowUpTest test(problem, fields_with(0));
  EXPECT_FALSE(test.complaint(fields_with(5e4)));
  EXPECT_TRUE(test.complaint(fields_with(5.1e4)));
}

TEST(BlowUpTest, a_problem_that_sets_no_speed_is_judged_by_its_numbers_alone) {
  const BlowUpTest test({}, fields_with(0));
  EXPECT_FALSE(test.complaint(fields_with(1e30)));
}

}  // namespace
}  // namespace hodge::sim
