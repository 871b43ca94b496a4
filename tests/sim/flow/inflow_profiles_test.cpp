// What inflow sides let through: the flux of a formula on any grid, and profiles of a flow rate.
#include "sim/flow/inflow_profiles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "sim/base/key_error.hpp"
#include "sim/discrete/boundaries/closed_inflow.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

GridSettings settings_of(std::vector<AxisSettings> axes) {
  GridSettings settings;
  settings.dim = static_cast<int>(axes.size());
  for (std::size_t d = 0; d < axes.size(); ++d) settings.axes[d] = axes[d];
  return settings;
}

Boundaries blowing_along_x(const std::string& profile, int side = 0) {
  Boundaries boundaries;
  boundaries.sides[0][side] = {SideKind::inflow, {Expression::parse(profile), 0, 0}};
  return boundaries;
}

double flux_of(const Boundaries& boundaries, const GridSettings& grid, int side = 0, double t = 0) {
  return flux_of_formula(boundaries, Grid(grid), {}, {0, side}, t).open;
}

TEST(InflowProfiles, a_window_has_its_flux_on_any_grid) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(0.05, 1.8), width(0.01, 0.6);
  std::uniform_int_distribution<int> cells(3, 30);
  for (int k = 0; k < 20; ++k) {
    const double from = place(random), to = from + width(random);
    const std::string across =
        "abs(y - " + std::to_string(0.5 * (from + to)) + ") < " + std::to_string(0.5 * (to - from));
    const double height = 2 * std::stod(std::to_string(0.5 * (to - from)));
    const GridSettings plane =
        settings_of({test::uniform(4, 1), test::uneven(cells(random), 0, 2.5)});
    EXPECT_NEAR(flux_of(blowing_along_x(across + " ? 1 : 0"), plane), height, 1e-7);
    const GridSettings space =
        settings_of({test::uniform(4, 1), test::uneven(cells(random), 0, 2.5),
                     test::uniform(cells(random), 1)});
    EXPECT_NEAR(flux_of(blowing_along_x(across + " && z > 0.31 && z < 0.77 ? 2 : 0"), space),
                height * 0.92, 1e-5);
  }
}

TEST(InflowProfiles, a_round_opening_has_its_flux_on_any_grid) {
  const Boundaries tube = blowing_along_x("(y - 0.52)^2 + (z - 0.47)^2 < 0.09 ? 1 : 0");
  for (const int n : {5, 8, 13})
    EXPECT_NEAR(flux_of(tube, settings_of({test::uniform(4, 1), test::uniform(n, 1),
                                           test::uneven(n + 2, 0, 1)})),
                std::numbers::pi * 0.09, 1e-6);
}

TEST(InflowProfiles, a_window_that_moves_has_its_flux_at_every_time) {
  const Boundaries moving = blowing_along_x("y > 0.2 + t && y < 0.5 + t ? 1 : 0");
  const GridSettings grid = settings_of({test::uniform(4, 1), test::uneven(9, 0, 1)});
  for (double t = 0; t < 0.5; t += 0.013) EXPECT_NEAR(flux_of(moving, grid, 0, t), 0.3, 2e-4 / 9);
}

TEST(InflowProfiles, a_room_that_balances_exactly_is_accepted) {
  Boundaries room = blowing_along_x("y > 1.6 && y < 2.2 ? 1 : 0");
  room.sides[0][1] = {SideKind::inflow, {Expression::parse("y > 0.1 && y < 0.4 ? 2 : 0"), 0, 0}};
  for (const int n : {6, 24, 25, 37}) {
    const Grid grid = test::grid_of({test::uniform(8, 4), test::uneven(n, 0, 2.5)});
    const ClosedInflow inflow = closed_inflow(grid, room, {});
    const auto fluxes = passing_fluxes(grid, room, inflow, 0);
    EXPECT_NEAR(total_of(inflow, fluxes, 0).outward, 0, 1e-7);
    EXPECT_FALSE(imbalance(inflow, fluxes, 0)) << n;
  }
}

TEST(InflowProfiles, a_flow_rate_scales_the_profile_to_what_enters) {
  for (const int side : {0, 1}) {
    Problem problem;
    problem.boundaries = blowing_along_x("y*(1 - y)*exp(y)", side);
    problem.boundaries.sides[0][side].velocity[1] = Expression::parse("0.5*y*(1 - y)*exp(y)");
    problem.boundaries.sides[0][side].flow_rate = Expression::parse("0.7*(1 + t)");
    const GridSettings grid = settings_of({test::uniform(4, 1), test::uneven(7, 0, 1)});
    scale_inflows(grid, problem);
    const double into = side == 0 ? 1 : -1;
    EXPECT_FALSE(problem.boundaries.sides[0][side].flow_rate);
    EXPECT_NEAR(flux_of(problem.boundaries, grid, side, 0), into * 0.7, 1e-14);
    EXPECT_NEAR(flux_of(problem.boundaries, grid, side, 2), into * 2.1, 1e-14);
    const auto& u = problem.boundaries.sides[0][side].velocity;
    EXPECT_NEAR(u[1]({0, 0.3, 0}, 1), 0.5 * u[0]({0, 0.3, 0}, 1), 1e-14);
  }
}

TEST(InflowProfiles, a_flow_rate_is_what_passes_the_open_faces) {
  Problem problem;
  problem.boundaries = blowing_along_x("1");
  problem.boundaries.sides[0][0].flow_rate = 0.5;
  problem.solids = {{"sill", BoxShape{{-1, -1, 0}, {2, 0.25, 0}}}};
  const GridSettings settings = settings_of({test::uniform(4, 1), test::uniform(8, 1)});
  scale_inflows(settings, problem);
  const Grid grid(settings);
  const SideFlux flux =
      flux_of_formula(problem.boundaries, grid, cell_bodies(grid, problem), {0, 0}, 0);
  EXPECT_NEAR(flux.open, 0.5, 1e-15);
  EXPECT_NEAR(flux.whole, 0.5 / 0.75, 1e-14);
}

TEST(InflowProfiles, a_profile_that_nothing_passes_has_no_flow_rate) {
  for (const std::string profile : {"0", "y - 0.5", "log(-y)"}) {
    Problem problem;
    problem.boundaries = blowing_along_x(profile);
    problem.boundaries.sides[0][0].flow_rate = 1;
    const GridSettings grid = settings_of({test::uniform(4, 1), test::uniform(7, 1)});
    EXPECT_THAT(test::message_of<KeyError>([&] { scale_inflows(grid, problem); }),
                testing::HasSubstr("boundaries.x_lower.flow_rate"));
  }
}

}  // namespace
}  // namespace hodge::sim
