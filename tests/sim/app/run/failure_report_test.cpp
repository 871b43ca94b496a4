#include "sim/app/run/failure_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/fake_flow.hpp"

namespace hodge::sim {
namespace {

using test::FakeFlow;
using testing::HasSubstr;

struct Failure {
  Failure() {
    (void)flow.advance(0.5);
    problem.viscosity = 0.01;
  }
  std::string cause() const {
    return likely_cause(flow, settings, problem, step,
                        [](const std::string& key) { return "file of " + key; });
  }

  FakeFlow flow;
  Settings settings;
  Problem problem;
  LastStep step{.dt = 0.1, .cfl = 0.5, .solver_failed = false, .max_speed = 1};
};

TEST(FailureReport, the_fastest_cell_is_where_finite_fields_are_worst) {
  const Failure failure;
  EXPECT_EQ(worst_place(failure.flow, failure.problem), "|u| is largest, 1.12, at (0.125, 0.1667)");
}

TEST(FailureReport, fields_that_are_lost_are_counted) {
  FakeFlow flow({.lost_at_step = 0});
  EXPECT_EQ(worst_place(flow, Problem()),
            "velocity is no number in 12 of 12 cells, the first at (0.125, 0.1667)");
}

TEST(FailureReport, a_formula_that_is_lost_within_the_step_comes_first) {
  Failure failure;
  failure.step.solver_failed = true;
  failure.problem.force[1] = Expression::parse("log(0.58 - t)");
  EXPECT_THAT(
      failure.cause(),
      HasSubstr("likely cause: file of force[1]: force[1]: the formula 'log(0.58 - t)' is no "
                "number at (0.125, 0), t = 0.6, expected a finite number"));
}

TEST(FailureReport, a_reaction_that_is_lost_has_its_formula_and_its_place) {
  Failure failure;
  FormulaNames names;
  names.variables = {"dye"};
  failure.problem.scalars.resize(1);
  failure.problem.scalars[0].name = "dye";
  failure.problem.scalars[0].reaction = Expression::parse("log(dye)", names);
  failure.step.bad_key = "scalars.dye.reaction";
  EXPECT_EQ(failure.cause(),
            "likely cause: file of scalars.dye.reaction: scalars.dye.reaction: the formula "
            "'log(dye)' is no finite number there");
}

TEST(FailureReport, what_the_step_knows_comes_before_what_is_guessed) {
  Failure failure;
  failure.step.solver_failed = true;
  failure.step.cause = "the velocities of the inflow sides";
  EXPECT_EQ(failure.cause(), "likely cause: the velocities of the inflow sides");
}

TEST(FailureReport, a_step_beyond_the_stability_of_its_scheme_is_named) {
  Failure failure;
  failure.settings.time.scheme = "rk3";
  failure.step.cfl = 1.8;
  EXPECT_THAT(failure.cause(), HasSubstr("the CFL number of the step was 1.8 and rk3 with central "
                                         "convection is stable up to 1.7"));
}

TEST(FailureReport, a_failed_solver_a_long_step_and_coarse_cells_are_named) {
  Failure failure;
  failure.step.solver_failed = true;
  EXPECT_THAT(failure.cause(), HasSubstr("a linear solver that failed"));
  failure.step.solver_failed = false;
  failure.step.cfl = 7;
  EXPECT_THAT(failure.cause(), HasSubstr("bdf2 extrapolates the convecting velocity"));
  failure.step.cfl = 0.5;
  failure.step.max_speed = 30;
  EXPECT_THAT(failure.cause(), HasSubstr("cells too coarse for central convection (|u| h / nu is"));
  failure.settings.convection_scheme = "weno5";
  EXPECT_THAT(failure.cause(), HasSubstr("no likely cause was found"));
}

}  // namespace
}  // namespace hodge::sim
