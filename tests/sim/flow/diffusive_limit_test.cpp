// Explicit diffusion at the largest step that it is allowed (time/step_size.hpp).
#include <gtest/gtest.h>

#include <cmath>

#include "sim/flow/flow.hpp"
#include "sim/time/step_size.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge {
namespace {

sim::Problem viscous_fluid(sim::SideKind kind) {
  sim::Problem problem;
  problem.viscosity = 1;
  for (auto& sides : problem.boundaries.sides)
    for (sim::Side& side : sides) side.kind = kind;
  // Rough, with parts of every wave length, and too slow to be carried.
  problem.initial_velocity = [](sim::Point x) {
    return std::array<double, 3>{1e-3 * std::sin(101 * x[0] + 331 * x[1] * x[1] + 57 * x[2]),
                                 1e-3 * std::sin(211 * x[0] * x[1] + 83 * x[1] + 149 * x[2]),
                                 1e-3 * std::sin(173 * x[0] + 97 * x[1] + 251 * x[2])};
  };
  return problem;
}

sim::Settings rk3_settings(int dim, int cells) {
  sim::Settings settings = test::flow_settings(dim, cells);
  settings.time.scheme = "rk3";
  return settings;
}

TEST(DiffusiveLimit, of_rk3_is_stable_between_walls) {
  for (const int dim : {2, 3})
    for (const int cells : {2, 5, 12}) {
      if (dim == 3 && cells == 12) continue;  // takes long, and 2D has it
      sim::Settings settings = rk3_settings(dim, cells);
      settings.grid.axes[0] = {.cells = 8, .lower = 0, .upper = 8.0 / cells};
      const sim::Problem problem = viscous_fluid(sim::SideKind::wall);
      const auto flow = sim::make_flow(settings, problem);
      const double dt = sim::diffusive_step_limit(settings, problem, flow->grid());
      const double before = flow->diagnostics().kinetic_energy;
      EXPECT_GT(before, 1e-9);
      for (int step = 0; step < 150; ++step) {
        const sim::StepReport report = flow->advance(dt);
        ASSERT_TRUE(report.ok) << report.failure;
      }
      EXPECT_LT(flow->diagnostics().kinetic_energy, before) << dim << "D, " << cells << " cells";
    }
}

TEST(DiffusiveLimit, is_smaller_where_the_velocity_along_sides_is_given) {
  const sim::Settings settings = rk3_settings(2, 12);
  const sim::Grid grid(settings.grid);
  const double free = sim::diffusive_step_limit(settings, viscous_fluid(sim::SideKind::slip), grid);
  EXPECT_DOUBLE_EQ(free, 2.5 / (8 * 144));
  const double walls =
      sim::diffusive_step_limit(settings, viscous_fluid(sim::SideKind::wall), grid);
  EXPECT_DOUBLE_EQ(walls, 2.5 / ((4 + 8 / std::sqrt(3.0)) * 144));
}

TEST(DiffusiveLimit, of_scalars_knows_no_walls) {
  const sim::Settings settings = rk3_settings(2, 12);
  sim::Problem problem = viscous_fluid(sim::SideKind::wall);
  problem.viscosity = 0;
  problem.scalars.resize(1);
  problem.scalars[0].diffusivity = 1;
  EXPECT_DOUBLE_EQ(sim::diffusive_step_limit(settings, problem, sim::Grid(settings.grid)),
                   2.5 / (8 * 144));
}

}  // namespace
}  // namespace hodge
