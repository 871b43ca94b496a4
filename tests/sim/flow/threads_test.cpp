// A flow on the Host has the same bits for any number of threads.
#include <gtest/gtest.h>
#include <omp.h>

#include <string>

#include "sim/flow/flow.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge {
namespace {

// A heated cavity in 3D with more cells than one thread is given, and parts of 16 cells that do not
// fill its lines.
sim::Problem heated_cavity() {
  sim::Problem problem;
  problem.viscosity = 0.02;
  problem.boundaries.sides[2][1].velocity = {sim::Expression::parse("1 + y"), 0, 0};
  sim::ScalarProblem heat;
  heat.name = "heat";
  heat.diffusivity = 0.03;
  heat.buoyancy = {0, 0, 1};
  heat.sides[0][0] = {sim::ScalarSideKind::value, 1};
  heat.sides[0][1] = {sim::ScalarSideKind::value, 0};
  problem.scalars = {heat};
  return problem;
}

struct Result {
  std::vector<sim::CellArray> arrays;
  sim::Diagnostics diagnostics;
  std::vector<int> iterations;
};

Result steps_on(int threads, const sim::Settings& settings) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(threads);
  const auto flow = sim::make_flow(settings, heated_cavity());
  Result result;
  for (int step = 0; step < 2; ++step) {
    const sim::StepReport report = flow->advance(0.004);
    EXPECT_TRUE(report.ok) << report.failure;
    for (const auto& solve : report.solves) result.iterations.push_back(solve.report.iterations);
  }
  result.arrays = flow->cell_arrays({"velocity", "pressure", "heat"});
  result.diagnostics = flow->diagnostics();
  omp_set_num_threads(before);
  return result;
}

void expect_the_same_on_any_number_of_threads(const sim::Settings& settings) {
  const Result one = steps_on(1, settings);
  for (const int threads : {2, 3}) {
    const Result several = steps_on(threads, settings);
    EXPECT_EQ(several.iterations, one.iterations) << threads;
    for (std::size_t a = 0; a < one.arrays.size(); ++a)
      EXPECT_TRUE(several.arrays[a].values == one.arrays[a].values)
          << one.arrays[a].name << " on " << threads << " threads";
    EXPECT_EQ(several.diagnostics.kinetic_energy, one.diagnostics.kinetic_energy) << threads;
    EXPECT_EQ(several.diagnostics.max_divergence, one.diagnostics.max_divergence) << threads;
    EXPECT_EQ(several.diagnostics.rate_of_change, one.diagnostics.rate_of_change) << threads;
  }
}

sim::Settings settings_of(const std::string& scheme) {
  sim::Settings settings = test::flow_settings(3, 15);
  settings.grid.axes[0].cells = 37;
  settings.time.scheme = scheme;
  // Few iterations: threads wait for each other in each of them, for long on a busy machine.
  settings.pressure.tolerance = settings.transport.tolerance = settings.scalars.tolerance = 1e-3;
  return settings;
}

TEST(Threads, change_no_bit_of_an_implicit_flow) {
  for (const std::string preconditioner : {"ssor_sai", "multigrid"}) {
    sim::Settings settings = settings_of("bdf2");
    settings.pressure.preconditioner = {preconditioner};
    expect_the_same_on_any_number_of_threads(settings);
  }
}

TEST(Threads, change_no_bit_of_an_explicit_flow) {
  sim::Settings settings = settings_of("rk3");
  settings.pressure.method = "direct";
  settings.pressure.preconditioner = {"none"};
  expect_the_same_on_any_number_of_threads(settings);
}

TEST(Threads, change_no_bit_of_gmres) {
  sim::Settings settings = settings_of("cn_ab2");
  settings.transport.method = settings.scalars.method = "gmres";
  expect_the_same_on_any_number_of_threads(settings);
}

}  // namespace
}  // namespace hodge
