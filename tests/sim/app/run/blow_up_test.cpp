#include "sim/app/run/blow_up.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

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

Grid unit_grid() {
  GridSettings settings;
  settings.dim = 2;
  settings.axes[0] = {.cells = 4};
  settings.axes[1] = {.cells = 4};
  return Grid(settings);
}

Diagnostics energetic_fields(double speed, double energy) {
  Diagnostics diagnostics = fields_with(speed);
  diagnostics.kinetic_energy = energy;
  diagnostics.cfl_rate = 4 * speed;
  return diagnostics;
}

TEST(BlowUpTest, kinetic_energy_that_no_force_has_brought_is_an_explosion) {
  const Grid grid = unit_grid();
  Problem still, pushed;
  pushed.force = {0.6, 0.8, 0};
  const BlowUpTest decaying(still, fields_with(1), &grid), driven(pushed, fields_with(1), &grid);
  for (const BlowUpTest* test : {&decaying, &driven})
    EXPECT_FALSE(test->complaint(energetic_fields(1, 0.5), 1));
  EXPECT_FALSE(decaying.complaint(energetic_fields(2, 4.4), 2));
  EXPECT_EQ(*decaying.complaint(energetic_fields(2, 4.6), 2),
            "the velocity explodes: its kinetic energy is 4.6, and initial velocity and force "
            "allow 0.5");
  EXPECT_FALSE(driven.complaint(energetic_fields(2, 17), 2));  // 9 (1 + 1)^2 / 2
  EXPECT_TRUE(driven.complaint(energetic_fields(2, 19), 2));
  EXPECT_FALSE(driven.complaint(energetic_fields(2, 19), 3));
}

TEST(BlowUpTest, what_else_brings_kinetic_energy_is_allowed) {
  const Grid grid = unit_grid();
  std::vector<Problem> problems(6);
  problems[0].boundaries.sides[1][1].velocity = {1, 0, 0};
  problems[1].boundaries.sides[0][0] = {SideKind::inflow, {1, 0, 0}};
  problems[1].boundaries.sides[0][1] = {SideKind::outflow, {}};
  problems[2].force[0] = Expression::parse("sin(t)");
  problems[3].flow_rate[0] = 1;
  problems[4].scalars.emplace_back().buoyancy[1] = 1;
  problems[5].resistances.sponges.emplace_back();
  for (const Problem& problem : problems) {
    const BlowUpTest test(problem, fields_with(1), &grid);
    EXPECT_FALSE(test.complaint(energetic_fields(1, 0.5), 1));
    EXPECT_FALSE(test.complaint(energetic_fields(2, 100), 2));
  }
}

// A fluid at rest has the energy of rounding errors.
TEST(BlowUpTest, rounding_errors_may_grow) {
  const Grid grid = unit_grid();
  const BlowUpTest test({}, fields_with(1e-17), &grid);
  EXPECT_FALSE(test.complaint(energetic_fields(1e-17, 1e-34), 1));
  EXPECT_FALSE(test.complaint(energetic_fields(1e-15, 1e-30), 2));
}

TEST(BlowUpTest, pressures_and_flow_rates_may_make_a_slow_fluid_fast) {
  const Grid grid = unit_grid();
  Problem pressures, rate, equal;
  for (Problem* problem : {&pressures, &equal})
    for (const int side : {0, 1}) {
      problem->boundaries.sides[0][side].kind = SideKind::pressure;
      problem->boundaries.sides[0][side].pressure = 101325;
    }
  pressures.boundaries.sides[0][0].pressure = 101326;
  rate.flow_rate[0] = 1;
  EXPECT_FALSE(BlowUpTest(pressures, fields_with(1e-6), &grid).complaint(fields_with(1)));
  EXPECT_TRUE(BlowUpTest(pressures, fields_with(1e-6), &grid).complaint(fields_with(2e4)));
  EXPECT_FALSE(BlowUpTest(rate, fields_with(1e-6), &grid).complaint(fields_with(1)));
  EXPECT_FALSE(BlowUpTest(rate, fields_with(1e-6), &grid).complaint(fields_with(3.9e4)));
  EXPECT_TRUE(BlowUpTest(rate, fields_with(1e-6), &grid).complaint(fields_with(5e4)));  // 1 / (1/4)
  EXPECT_TRUE(BlowUpTest(equal, fields_with(1e-6), &grid).complaint(fields_with(1)));
}

TEST(BlowUpTest, what_forces_and_buoyancy_may_have_accelerated_is_allowed) {
  const Grid grid = unit_grid();
  Problem pushed;
  pushed.force[0] = Expression::parse("3*sin(pi*x)");
  const BlowUpTest by_force(pushed, fields_with(0), &grid);
  EXPECT_FALSE(by_force.complaint(fields_with(1e4), 1));
  EXPECT_TRUE(by_force.complaint(fields_with(4e4), 1));
  EXPECT_FALSE(by_force.complaint(fields_with(4e4), 2));

  Problem buoyant;
  buoyant.scalars.emplace_back();
  buoyant.scalars[0].buoyancy = {0, -2, 0};
  buoyant.scalars[0].neutral = 300;
  Diagnostics at_rest = fields_with(0);
  at_rest.scalar_sizes = {310};
  const BlowUpTest by_heat(buoyant, at_rest, &grid);
  Diagnostics now = at_rest;
  now.max_speed = 1e7;
  EXPECT_FALSE(by_heat.complaint(now, 1));
  now.max_speed = 2e7;
  EXPECT_TRUE(by_heat.complaint(now, 1));  // 2 (310 + 300)
}

Problem with_scalar(const ScalarSide& side = {}) {
  Problem problem;
  problem.scalars.emplace_back();
  problem.scalars[0].name = "dye";
  problem.scalars[0].sides[0][0] = side;
  return problem;
}

Diagnostics scalar_of(double size, double divergence = 0) {
  Diagnostics diagnostics = fields_with(1);
  diagnostics.scalar_sizes = {size};
  diagnostics.max_divergence = divergence;
  return diagnostics;
}

TEST(BlowUpTest, a_scalar_that_is_no_number_is_named) {
  const BlowUpTest test(with_scalar(), scalar_of(1));
  EXPECT_EQ(*test.complaint(scalar_of(std::numeric_limits<double>::infinity())),
            "the scalar dye is no longer a finite number");
}

TEST(BlowUpTest, a_scalar_far_beyond_its_data_is_an_explosion) {
  const Grid grid = unit_grid();
  const BlowUpTest test(with_scalar(), scalar_of(2), &grid);
  EXPECT_FALSE(test.complaint(scalar_of(1e4), 5));
  EXPECT_EQ(*test.complaint(scalar_of(3e4), 5),
            "the scalar dye explodes: max |dye| is 3e+04, and its initial values, sides and "
            "sources allow 2");
}

TEST(BlowUpTest, what_sides_sources_and_fluxes_bring_is_allowed) {
  const Grid grid = unit_grid();
  const ScalarSide hot{ScalarSideKind::value, Expression::parse("100*t*y")};
  const BlowUpTest sides(with_scalar(hot), scalar_of(1e-3), &grid);
  EXPECT_FALSE(sides.complaint(scalar_of(350), 4));
  EXPECT_TRUE(sides.complaint(scalar_of(4e6), 4));

  Problem heated = with_scalar();
  heated.scalars[0].source = Expression::parse("7*x");
  const BlowUpTest sources(heated, scalar_of(0), &grid);
  EXPECT_FALSE(sources.complaint(scalar_of(60), 10));
  EXPECT_TRUE(sources.complaint(scalar_of(1e6), 10));

  Problem fed = with_scalar({ScalarSideKind::flux, 3});
  fed.scalars[0].diffusivity = 1;
  const BlowUpTest fluxes(fed, scalar_of(0), &grid);
  EXPECT_FALSE(fluxes.complaint(scalar_of(2e5), 2));
  EXPECT_TRUE(fluxes.complaint(scalar_of(2e6), 2));  // 2 * 3 / (1/16) = 96
}

TEST(BlowUpTest, reactions_and_velocities_that_compress_allow_anything) {
  const Grid grid = unit_grid();
  Problem reacts = with_scalar();
  reacts.scalars[0].reaction = Expression::parse("1");
  EXPECT_FALSE(BlowUpTest(reacts, scalar_of(1), &grid).complaint(scalar_of(1e30), 1));
  const BlowUpTest compressed(with_scalar(), scalar_of(1), &grid);
  EXPECT_FALSE(compressed.complaint(scalar_of(1e30, 3.0), 1));
  EXPECT_TRUE(compressed.complaint(scalar_of(1e30, 1e-9), 1));
}

}  // namespace
}  // namespace hodge::sim
