// Formulas that have no value, or a wrong one, where the grid asks for it.
#include "sim/flow/formula_check.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/base/key_error.hpp"
#include "tests/support/expect_error.hpp"

namespace hodge::sim::formula_check_test {
namespace {

struct Given {
  Settings settings;
  Problem problem;

  Given() {
    settings.grid.dim = 2;
    for (int d = 0; d < 2; ++d) settings.grid.axes[d] = {.cells = 4, .lower = 0, .upper = 1};
    settings.custom.described_in_file = true;
  }
  Grid grid() const { return Grid(settings.grid); }
  std::string refusal() const {
    return test::message_of<KeyError>([&] { check_formulas(settings, problem, grid()); });
  }
};

TEST(FormulaCheck, looks_at_the_velocity_where_each_component_is) {
  Given given;
  Side& side = given.problem.boundaries.sides[0][1];
  side.kind = SideKind::inflow;
  side.velocity[0] = Expression::parse("1/(y - 0.5)");  // between two faces
  EXPECT_NO_THROW(check_formulas(given.settings, given.problem, given.grid()));
  side.velocity[1] = Expression::parse("1/(y - 0.5)");
  EXPECT_EQ(given.refusal(),
            "boundaries.x_upper.velocity[1]: the formula '1/(y - 0.5)' is inf at (1, 0.5), t = 0, "
            "expected a finite number");
}

TEST(FormulaCheck, does_not_count_what_lies_within_solids) {
  Given given;
  given.settings.custom.initial_velocity[0] = Expression::parse("1/x");
  EXPECT_EQ(given.refusal(),
            "initial.velocity[0]: the formula '1/x' is inf at (0, 0.125), t = 0, expected a finite "
            "number");
  given.problem.solids.push_back({"post", BoxShape{{0, 0, 0}, {0.25, 1, 0}}});
  EXPECT_NO_THROW(check_formulas(given.settings, given.problem, given.grid()));
}

TEST(FormulaCheck, names_the_first_time_of_those_asked_for) {
  Given given;
  given.problem.scalars.resize(1);
  given.problem.scalars[0].name = "heat";
  ScalarSide& side = given.problem.scalars[0].sides[1][0];
  side.kind = ScalarSideKind::convective;
  side.coefficient = Expression::parse("0.25 - t");
  EXPECT_FALSE(fault_at(given.problem, given.grid(), {0, 0.25}));
  const auto fault = fault_at(given.problem, given.grid(), {0.25, 0.5, 1});
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->key, "scalars.heat.boundaries.y_lower.convective.coefficient");
  EXPECT_EQ(fault->message,
            "scalars.heat.boundaries.y_lower.convective.coefficient: the formula '0.25 - t' is "
            "-0.25 at (0.125, 0), t = 0.5, expected a number >= 0");
}

TEST(FormulaCheck, asks_the_functions_of_a_case_too) {
  Given given;
  given.settings.custom.described_in_file = false;
  given.problem.initial_velocity = [](const Point& x) -> std::array<double, 3> {
    return {0, std::log(x[1] - 0.3), 0};
  };
  EXPECT_EQ(given.refusal(),
            "parameters: the initial velocity along y is no number at (0.125, 0), t = 0, expected "
            "a finite number");
}

}  // namespace
}  // namespace hodge::sim::formula_check_test
