// Every time scheme with every convection scheme at its default CFL number: a jump that is carried
// round, vortices almost without viscosity, and the orders of the implicit ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "sim/app/config/default_solvers.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/schemes.hpp"
#include "sim/time/stability.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge {
namespace {

constexpr double full_turn = 2 * std::numbers::pi;

sim::Settings settings_of(const sim::StablePair& pair, int cells, double length) {
  sim::Settings settings = test::flow_settings(2, cells, length);
  settings.time.scheme = pair.time;
  settings.convection_scheme = pair.convection;
  const bool symmetric = sim::find_time_scheme(pair.time).has_symmetric_transport();
  settings.transport = settings.scalars = sim::default_transport_solver(symmetric);
  settings.pressure = sim::default_pressure_solver();
  return settings;
}

sim::Problem periodic_problem() {
  sim::Problem problem;
  for (auto& axis : problem.boundaries.sides)
    for (sim::Side& side : axis) side.kind = sim::SideKind::periodic;
  return problem;
}

struct Range {
  double least = 0, largest = 0;
};

void widen(const sim::Flow& flow, Range& range) {
  const sim::CellArray scalar = flow.cell_arrays({"c"}).front();
  for (const double c : scalar.values) {
    range.least = std::min(range.least, c);
    range.largest = std::max(range.largest, c);
  }
}

// A square pulse between 0 and 1, carried round the box once.
Range carried_pulse(const sim::StablePair& pair, bool oblique, double cfl) {
  const int cells = oblique ? 24 : 48;
  sim::Settings settings = settings_of(pair, cells, 1);
  if (!oblique) settings.grid.axes[1] = {.cells = 3, .lower = 0, .upper = 3.0 / cells};
  const double v = oblique ? 0.6 : 0.0, rate = (1 + v) * cells;
  sim::Problem problem = periodic_problem();
  problem.prescribed_velocity = sim::PrescribedVelocity{1.0, v, 0.0};
  sim::ScalarProblem scalar;
  scalar.name = "c";
  if (pair.needs_diffusion) scalar.diffusivity = rate / (10.0 * cells * cells);
  scalar.initial = [oblique](sim::Point x) {
    const bool inside = std::abs(x[0] - 0.5) < 0.2 && (!oblique || std::abs(x[1] - 0.5) < 0.2);
    return inside ? 1.0 : 0.0;
  };
  problem.scalars.push_back(scalar);
  const auto flow = sim::make_flow(settings, problem);
  Range range;
  for (double t = 0; t < 1; t += cfl / rate) {
    const sim::StepReport report = flow->advance(cfl / rate);
    EXPECT_TRUE(report.ok) << report.failure;
    if (!report.ok) return range;
    widen(*flow, range);
  }
  return range;
}

TEST(Stability, a_square_pulse_stays_near_its_bounds_with_every_pair_at_its_default) {
  for (const sim::StablePair& pair : sim::stability_table())
    for (const bool oblique : {false, true}) {
      const Range range = carried_pulse(pair, oblique, pair.default_cfl);
      const bool is_bounded = pair.bounded_cfl >= pair.default_cfl;
      const bool central = std::string(pair.convection) == "central";
      const double beyond = is_bounded ? 1e-10 : central ? 1.0 : 0.5;
      EXPECT_GE(range.least, -beyond) << pair.time << ", " << pair.convection << ", " << oblique;
      EXPECT_LE(range.largest, 1 + beyond)
          << pair.time << ", " << pair.convection << ", " << oblique;
    }
}

TEST(Stability, van_leer_with_backward_euler_is_bounded_at_larger_steps_too) {
  const Range range = carried_pulse(sim::stability_of("backward_euler", "van_leer"), true, 2);
  EXPECT_GE(range.least, -1e-10);
  EXPECT_LE(range.largest, 1 + 1e-10);
}

TEST(Stability, quick_and_weno5_stay_near_the_bounds_of_a_pulse_at_large_implicit_steps) {
  for (const char* convection : {"quick", "weno5"})
    for (const double cfl : {1.5, 4.0}) {
      const Range range = carried_pulse(sim::stability_of("bdf2", convection), true, cfl);
      EXPECT_GE(range.least, -0.5) << convection << ", " << cfl;
      EXPECT_LE(range.largest, 1.5) << convection << ", " << cfl;
    }
}

// Kinetic energy at t = 6 over that of the start; exact: exp(-4 nu t).
double energy_left(const sim::StablePair& pair, int cells, double viscosity, double cfl) {
  sim::Problem problem = periodic_problem();
  problem.viscosity = viscosity;
  problem.initial_velocity = [](sim::Point x) {
    return std::array<double, 3>{std::sin(x[0]) * std::cos(x[1]), -std::cos(x[0]) * std::sin(x[1]),
                                 0};
  };
  const sim::Settings settings = settings_of(pair, cells, full_turn);
  const auto flow = sim::make_flow(settings, problem);
  const sim::StableStep stable(settings, problem, flow->grid());
  const double start = flow->diagnostics().kinetic_energy;
  while (flow->time() < 6) {
    const sim::Diagnostics now = flow->diagnostics();
    const double dt = std::min(cfl / now.cfl_rate, stable.largest(now.cfl_rate, now.max_speed));
    const sim::StepReport report = flow->advance(std::min(dt, 6 - flow->time() + 1e-12));
    EXPECT_TRUE(report.ok) << report.failure;
    if (!report.ok) break;
  }
  return flow->diagnostics().kinetic_energy / start;
}

TEST(Stability, vortices_almost_without_viscosity_neither_grow_nor_vanish_at_the_defaults) {
  for (const sim::StablePair& pair : sim::stability_table()) {
    const double left = energy_left(pair, 20, 1e-5, pair.default_cfl);
    EXPECT_LE(left, 1.001) << pair.time << ", " << pair.convection;
    const bool first_order = std::string(pair.convection) == "upwind";
    EXPECT_GE(left, first_order ? 0.1 : 0.85) << pair.time << ", " << pair.convection;
  }
}

TEST(Stability, bdf2_with_weno5_and_quick_keeps_the_energy_of_vortices) {
  for (const char* convection : {"weno5", "quick"}) {
    const sim::StablePair& pair = sim::stability_of("bdf2", convection);
    const double left = energy_left(pair, 48, 1e-6, pair.default_cfl);
    EXPECT_GE(left, 0.98) << convection;
    EXPECT_LE(left, 1.0) << convection;
  }
}

TEST(Stability, quick_and_weno5_lose_no_stability_at_large_implicit_steps) {
  for (const char* convection : {"weno5", "quick", "van_leer"})
    for (const double cfl : {1.6, 4.0})
      EXPECT_LE(energy_left(sim::stability_of("bdf2", convection), 32, 1e-6, cfl), 1.0)
          << convection << ", " << cfl;
}

// The error of a front that is carried from an inflow to an outflow side: it has no extremum, at
// which van_leer would be of first order.
double front_error(const std::string& convection, int cells) {
  sim::Settings settings = settings_of(sim::stability_of("bdf2", convection), cells, 1);
  settings.grid.axes[1] = {.cells = 3, .lower = 0, .upper = 3.0 / cells};
  sim::Problem problem = periodic_problem();
  problem.boundaries.sides[0][0] = {sim::SideKind::inflow, {1.0, 0.0, 0.0}};
  problem.boundaries.sides[0][1].kind = sim::SideKind::outflow;
  problem.prescribed_velocity = sim::PrescribedVelocity{1.0, 0.0, 0.0};
  const auto front = [](double x) { return std::tanh((x - 0.4) / 0.15); };
  sim::ScalarProblem scalar;
  scalar.name = "c";
  scalar.initial = [=](sim::Point x) { return front(x[0]); };
  scalar.exact = [=](sim::Point x, double t) { return front(x[0] - t); };
  scalar.sides[0][0] = {sim::ScalarSideKind::value,
                        sim::Expression::parse("tanh((-t - 0.4)/0.15)")};
  problem.scalars.push_back(scalar);
  const auto flow = sim::make_flow(settings, problem);
  const int steps = 2 * cells;
  for (int step = 0; step < steps; ++step) EXPECT_TRUE(flow->advance(0.3 / steps).ok);
  return flow->error_norms()->scalars[0].l2;
}

TEST(Stability, bdf2_is_of_second_order_in_time_and_space_with_every_deferred_scheme) {
  for (const char* convection : {"quick", "van_leer", "weno5"}) {
    const double coarse = front_error(convection, 80), fine = front_error(convection, 160);
    EXPECT_GE(std::log2(coarse / fine), 1.8) << convection << ": " << coarse << ", " << fine;
  }
}

}  // namespace
}  // namespace hodge
