#include "sim/flow/treatment.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/support/flow_settings.hpp"

namespace hodge::sim {
namespace {

// Of 16 x 16 cells of a box of length 1, between walls.
struct Chosen {
  Settings settings = test::flow_settings(2, 16);
  Problem problem;

  explicit Chosen(Shape shape) {
    settings.convection_scheme = "central";
    problem.viscosity = 0.01;
    problem.solids = {{.name = "body", .region = Region{std::move(shape)}}};
  }
  std::string treatment() {
    choose_treatment(settings, problem);
    for (const Solid& solid : problem.solids) EXPECT_EQ(solid.sharp, problem.solids[0].sharp);
    return problem.solids[0].sharp ? "sharp: " + problem.treatment : problem.treatment;
  }
};

const SphereShape ball_between_nodes{{0.51, 0.47, 0}, 0.2};

TEST(Treatment, is_sharp_where_nothing_speaks_against_it) {
  EXPECT_EQ(Chosen(ball_between_nodes).treatment(), "sharp: sharp (auto)");
}

TEST(Treatment, is_a_staircase_where_that_is_exact) {
  const char* const exact = "staircase (auto: surfaces lie on faces of cells)";
  EXPECT_EQ(Chosen(BoxShape{{0.25, 0.5, 0}, {0.75, 0.6875, 0}}).treatment(), exact);
  // 0.3 / 16 is no number of the machine
  Chosen rounded(BoxShape{{3 * (0.3 / 16), 0.3 / 2, 0}, {9 * (0.3 / 16), 0.3, 0}});
  for (AxisSettings& axis : rounded.settings.grid.axes) axis.upper = 0.3;
  EXPECT_EQ(rounded.treatment(), exact);
  EXPECT_EQ(Chosen(BoxShape{{0.25, 0.5, 0}, {0.75, 0.7, 0}}).treatment(), "sharp: sharp (auto)");
}

TEST(Treatment, says_why_it_is_a_staircase) {
  Chosen quick(ball_between_nodes);
  quick.settings.convection_scheme = "quick";
  EXPECT_EQ(quick.treatment(), "staircase (auto: convection.scheme is quick)");
  EXPECT_EQ(Chosen(BoxShape{{0.2, 0.45, 0}, {0.8, 0.49, 0}}).treatment(),
            "staircase (auto: a sharp solid is thinner than a cell at (0.21875, 0.46875))");
  Chosen behind_inflow(BoxShape{{0.002, 0.3, 0}, {0.2, 0.7, 0}});
  behind_inflow.problem.boundaries.sides[0][0].kind = SideKind::inflow;
  EXPECT_EQ(behind_inflow.treatment(),
            "staircase (auto: a sharp solid is less than a cell behind x_lower at (0, 0.34375), "
            "where fluid enters or leaves)");
  Chosen at_outlet(SphereShape{{0.95, 0.5, 0}, 0.2});
  at_outlet.problem.boundaries.sides[0][1].kind = SideKind::outflow;
  EXPECT_EQ(at_outlet.treatment(), "sharp: sharp (auto)");
  const auto conducts = [](Shape shape, const std::string& reaction) {
    Chosen chosen(std::move(shape));
    ScalarProblem scalar;
    scalar.name = "c";
    scalar.diffusivity = 0.1;
    if (!reaction.empty()) scalar.reaction = Expression::parse(reaction);
    chosen.problem.scalars.push_back(scalar);
    chosen.problem.solids[0].scalars = {{"c", {}, HeatInside{.conductivity = 1}, {}}};
    return chosen.treatment();
  };
  EXPECT_EQ(conducts(ball_between_nodes, ""), "sharp: sharp (auto)");
  EXPECT_EQ(conducts(BoxShape{{0.25, 0.5, 0}, {0.75, 0.6875, 0}}, ""),
            "staircase (auto: surfaces lie on faces of cells)");
  EXPECT_EQ(conducts(ball_between_nodes, "-t"), "staircase (auto: c reacts, body conducts it)");
}

TEST(Treatment, is_that_of_a_solid_that_names_one) {
  for (const bool sharp : {false, true}) {
    Chosen two(ball_between_nodes);
    two.problem.solids.push_back({.name = "post",
                                  .region = Region{SphereShape{{0.15, 0.15, 0}, 0.1}},
                                  .sharp = sharp,
                                  .treatment_is_open = false});
    EXPECT_EQ(two.treatment(), sharp ? "sharp: " : "");
  }
}

}  // namespace
}  // namespace hodge::sim
