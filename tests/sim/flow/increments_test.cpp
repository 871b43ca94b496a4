// Transport systems are solved for the increment of a step: what the default tolerance leaves does
// not depend on the size of the mean flow, steady states are reached, and scalars keep their total.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "sim/app/config/default_solvers.hpp"
#include "sim/flow/flow.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/spaces.hpp"

namespace hodge {
namespace {

constexpr double turn = 2 * std::numbers::pi;

template <class Space>
class Increments : public tests::SpaceTest<Space> {
 protected:
  // Transport and scalars by the default solver.
  static sim::Settings settings(const std::string& scheme, int cells) {
    sim::Settings settings = test::flow_settings(2, cells);
    settings.time.scheme = scheme;
    settings.transport = settings.scalars = sim::default_transport_solver(scheme == "cn_ab2");
    settings.device = std::is_same_v<Space, linalg::Host> ? "cpu" : "cuda";
    return settings;
  }
  static void make_periodic(sim::Problem& problem) {
    for (auto& sides : problem.boundaries.sides)
      for (sim::Side& side : sides) side.kind = sim::SideKind::periodic;
  }
  // Iterations of the transport systems.
  static int advance(sim::Flow& flow, int steps, double dt) {
    int iterations = 0;
    for (int i = 0; i < steps; ++i) {
      const sim::StepReport report = flow.advance(dt);
      EXPECT_TRUE(report.ok) << report.failure;
      if (!report.ok) break;
      for (const sim::SolveSummary& solve : report.solves)
        if (solve.system != "pressure") iterations += solve.iterations;
    }
    return iterations;
  }
};
TYPED_TEST_SUITE(Increments, tests::Spaces, tests::SpaceName);

double difference_of_fields(const sim::Flow& a, const sim::Flow& b, const std::string& field) {
  const auto left = a.cell_arrays({field})[0].values, right = b.cell_arrays({field})[0].values;
  double largest = 0;
  for (std::size_t i = 0; i < left.size(); ++i)
    largest = std::max(largest, std::abs(left[i] - right[i]));
  return largest;
}

TYPED_TEST(Increments, a_small_disturbance_does_not_feel_the_speed_of_its_mean_flow) {
  constexpr double amplitude = 1e-4;
  for (const char* scheme : {"bdf2", "backward_euler", "cn_ab2"})
    for (const double speed : {1.0, 1000.0}) {
      sim::Problem problem;
      problem.viscosity = 1e-3 * speed;
      this->make_periodic(problem);
      problem.initial_velocity = [speed](sim::Point x) {
        return std::array<double, 3>{
            speed + amplitude * std::sin(turn * x[0]) * std::cos(turn * x[1]),
            0.5 * speed - amplitude * std::cos(turn * x[0]) * std::sin(turn * x[1])};
      };
      sim::Settings settings = this->settings(scheme, 16);
      const auto by_default = sim::make_flow(settings, problem);
      settings.transport.tolerance = 1e-12;
      settings.transport.absolute_tolerance = 0;
      const auto tight = sim::make_flow(settings, problem);
      const double dt = 0.02 / speed;
      this->advance(*by_default, 30, dt);
      this->advance(*tight, 30, dt);
      EXPECT_LT(difference_of_fields(*by_default, *tight, "velocity"), 1e-3 * amplitude)
          << scheme << " at speed " << speed;
    }
}

sim::Problem driven_cavity() {
  sim::Problem problem;
  problem.viscosity = 0.01;
  problem.boundaries.sides[1][1].velocity = {1, 0, 0};
  return problem;
}

TYPED_TEST(Increments, a_driven_cavity_becomes_steady_and_stays_so_without_work) {
  sim::Settings settings = this->settings("bdf2", 16);
  settings.pressure.tolerance = 1e-6;
  const auto flow = sim::make_flow(settings, driven_cavity());
  this->advance(*flow, 1800, 0.05);
  EXPECT_LT(flow->diagnostics().rate_of_change, 1e-10);
  EXPECT_LT(this->advance(*flow, 200, 0.05), 2 * 200);
}

TYPED_TEST(Increments, solves_for_rounding_errors_alone_do_not_fail) {
  for (const char* scheme : {"bdf2", "cn_ab2"}) {
    sim::Settings settings = this->settings(scheme, 8);
    settings.transport.absolute_tolerance = 0;
    const auto flow = sim::make_flow(settings, driven_cavity());
    this->advance(*flow, 1500, 0.05);
    EXPECT_LT(flow->diagnostics().rate_of_change, 1e-11) << scheme;
  }
}

TYPED_TEST(Increments, a_uniform_stream_and_a_fluid_at_rest_take_no_iteration_and_do_not_change) {
  for (const char* scheme : {"bdf2", "backward_euler", "cn_ab2"})
    for (const double speed : {0.0, 1000.1}) {
      sim::Problem problem;
      problem.viscosity = 0.1;
      this->make_periodic(problem);
      problem.initial_velocity = [speed](sim::Point) {
        return std::array<double, 3>{speed, -0.3 * speed};
      };
      const auto flow = sim::make_flow(this->settings(scheme, 8), problem);
      const auto before = flow->cell_arrays({"velocity"})[0].values;
      EXPECT_EQ(this->advance(*flow, 5, 1e-3), 0) << scheme << " at speed " << speed;
      EXPECT_EQ(flow->cell_arrays({"velocity"})[0].values, before) << scheme;
    }
}

double total(const sim::Flow& flow, const std::string& scalar) {
  const auto values = flow.cell_arrays({scalar})[0].values;
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// 100 steps at the default tolerances, with a convecting flow that develops.
TYPED_TEST(Increments, scalars_keep_their_total_to_rounding) {
  for (const char* scheme : {"bdf2", "backward_euler", "cn_ab2"})
    for (const char* convection : {"central", "van_leer"})
      for (const std::string box : {"periodic", "walls", "walls and a solid"}) {
        sim::Problem problem = driven_cavity();
        if (box == "periodic") this->make_periodic(problem);
        if (box == "walls and a solid")
          problem.solids.push_back({"box", sim::BoxShape{{0.4, 0.4, 0}, {0.7, 0.6, 1}}});
        problem.initial_velocity = [](sim::Point x) {
          return std::array<double, 3>{std::sin(turn * x[1]), std::cos(turn * x[0])};
        };
        sim::ScalarProblem scalar;
        scalar.name = "c";
        scalar.diffusivity = 0.01;
        scalar.initial = [](sim::Point x) { return 1 + (x[0] > 0.3 && x[1] < 0.6 ? 1.0 : 0.0); };
        problem.scalars = {scalar};
        sim::Settings settings = this->settings(scheme, 12);
        settings.convection_scheme = convection;
        const auto flow = sim::make_flow(settings, problem);
        const double before = total(*flow, "c");
        this->advance(*flow, 100, 0.02);
        EXPECT_LT(std::abs(total(*flow, "c") / before - 1), 1e-14)
            << scheme << ", " << convection << ", " << box;
      }
}

}  // namespace
}  // namespace hodge
