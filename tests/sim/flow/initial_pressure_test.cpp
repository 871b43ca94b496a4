// The pressure that belongs to the initial state: flows that are steady stay so from the first
// step on, whatever the level of their pressures, with every scheme.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/text.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/schemes.hpp"
#include "sim/time/step_control.hpp"
#include "tests/support/advance_flow.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/spaces.hpp"

namespace hodge {
namespace {

using sim::Expression;
using sim::Point;
using sim::SideKind;

template <class Space>
class InitialPressure : public tests::SpaceTest<Space> {
 protected:
  sim::Settings settings(int dim, int cells, const std::string& scheme) {
    return test::flow_settings_on<Space>(dim, cells, scheme);
  }
};
TYPED_TEST_SUITE(InitialPressure, tests::Spaces, tests::SpaceName);

template <class Visit>
void visit_schemes(const Visit& visit) {
  for (const sim::TimeScheme& scheme : sim::time_scheme_table()) visit(std::string(scheme.name));
}

std::string level_text(double level, const std::string& formula) {
  return sim::number_text(level) + " + " + formula;
}

std::vector<double> values_of(const sim::Flow& flow, const std::string& field) {
  return flow.cell_arrays({field})[0].values;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

// Largest |u| after some steps of what is at rest.
double speed_after_steps(const sim::Settings& settings, const sim::Problem& problem) {
  const auto flow = sim::make_flow(settings, problem);
  test::advance_flow(*flow, 3, 0.02, settings.time.scheme);
  return flow->diagnostics().max_speed;
}

// A parabola from an inflow to an outlet at this pressure.
sim::Problem parabola(double level) {
  sim::Problem problem;
  problem.viscosity = 0.1;
  problem.density = 2;
  auto& sides = problem.boundaries.sides;
  sides[0][0] = {SideKind::inflow, {Expression::parse("6*y*(1 - y)"), 0, 0}};
  sides[0][1].kind = SideKind::outflow;
  sides[0][1].pressure = level;
  problem.initial_velocity = [](Point x) {
    return std::array<double, 3>{6 * x[1] * (1 - x[1]), 0, 0};
  };
  return problem;
}

TYPED_TEST(InitialPressure, a_parabola_stays_whatever_the_pressure_of_its_outlet) {
  visit_schemes([&](const std::string& scheme) {
    for (const double level : {0.0, 101325.0, 1e7}) {
      const auto flow = sim::make_flow(this->settings(2, 8, scheme), parabola(level));
      const std::vector<double> start = values_of(*flow, "velocity");
      const double at_inflow = flow->values_at({{0.0625, 0.5, 0}}, {"pressure"})[0][0];
      EXPECT_NEAR(at_inflow - level, 12 * 0.1 * 2 * (1 - 0.0625), 1e-8 + 1e-15 * level) << scheme;
      test::advance_flow(*flow, 3, 0.01, scheme);
      EXPECT_LT(largest_difference(values_of(*flow, "velocity"), start), 1e-8) << scheme << level;
    }
  });
}

// Two inlets at different pressures, an outlet, a solid between them: from rest.
sim::Problem branches(double level) {
  sim::Problem problem;
  problem.viscosity = 0.05;
  auto& sides = problem.boundaries.sides;
  sides[0][0].kind = sides[1][1].kind = SideKind::pressure;
  sides[0][0].pressure = Expression::parse(level_text(level, "0.5 + 0.1*y + t"));
  sides[1][1].pressure = Expression::parse(level_text(level, "0.2"));
  sides[0][1].kind = SideKind::outflow;
  sides[0][1].pressure = level;
  problem.force = {0, -0.3, 0};
  problem.solids = {{"block", sim::BoxShape{{0.3, 0.3, 0}, {0.6, 0.7, 1}}}};
  return problem;
}

TYPED_TEST(InitialPressure, a_level_added_to_all_pressures_changes_no_velocity) {
  for (const int dim : {2, 3})
    visit_schemes([&](const std::string& scheme) {
      std::vector<double> velocity;
      for (const double level : {0.0, 101325.0, 1e7}) {
        const auto flow =
            sim::make_flow(this->settings(dim, dim == 2 ? 10 : 6, scheme), branches(level));
        test::advance_flow(*flow, 4, 0.02, scheme);
        if (velocity.empty()) velocity = values_of(*flow, "velocity");
        const double difference = largest_difference(values_of(*flow, "velocity"), velocity);
        EXPECT_LE(difference, 2e-9 + 1e-15 * level) << scheme << ", " << level << ", " << dim;
      }
      EXPECT_GT(*std::ranges::max_element(velocity), 0.01);
    });
}

TYPED_TEST(InitialPressure, fluid_under_its_weight_stays_at_rest) {
  for (const std::string method : {"cg", "direct"})
    for (int axis = 0; axis < 3; ++axis)
      for (const bool is_open : {false, true})
        visit_schemes([&](const std::string& scheme) {
          sim::Problem problem;
          problem.viscosity = 0.01;
          problem.density = 1000;
          problem.force[axis] = -9.81;
          if (is_open) {
            problem.boundaries.sides[axis][1].kind = SideKind::outflow;
            problem.boundaries.sides[axis][1].pressure = 101325;
          }
          sim::Settings settings = this->settings(axis == 2 ? 3 : 2, 6, scheme);
          settings.pressure.method = method;
          EXPECT_LT(speed_after_steps(settings, problem), 1e-10) << scheme << axis << is_open;
        });
}

// Air between plates, both ends at the same pressure: u = sin(pi y) decays by friction. The block
// makes the system of the pressure one that is solved by iterations.
double slow_decay(const sim::Settings& settings, double speed, double level, bool has_block) {
  sim::Problem problem;
  problem.density = 1.2;
  problem.viscosity = 1.5e-5;
  auto& sides = problem.boundaries.sides;
  sides[0][0].kind = SideKind::pressure;
  sides[0][1].kind = SideKind::outflow;
  sides[0][0].pressure = sides[0][1].pressure = level;
  problem.initial_velocity = [speed](const Point& x) {
    return std::array{speed * std::sin(std::numbers::pi * x[1]), 0.0, 0.0};
  };
  if (has_block) problem.solids = {{"block", sim::BoxShape{{0.3, 0.25, 0}, {0.6, 0.5, 1}}}};
  const auto flow = sim::make_flow(settings, problem);
  test::advance_flow(*flow, 80, 25, settings.time.scheme);
  return flow->diagnostics().max_speed / speed;
}

TYPED_TEST(InitialPressure, a_level_of_all_pressures_ends_no_solve_of_a_slow_flow) {
  const double decay = std::exp(-1.5e-5 * std::numbers::pi * std::numbers::pi * 2000);
  visit_schemes([&](const std::string& scheme) {
    const sim::Settings settings = this->settings(2, 12, scheme);
    for (const double speed : {1e-4, 1e-6}) {
      EXPECT_NEAR(slow_decay(settings, speed, 101325, false), decay, 0.02) << scheme;
      EXPECT_NEAR(slow_decay(settings, speed, 101325, true), slow_decay(settings, speed, 0, true),
                  2e-3)
          << scheme << ", beside a solid, at " << speed;
    }
  });
}

// Warm above, its neutral temperature left at 0; solids cut off a closed pocket.
TYPED_TEST(InitialPressure, a_stratified_fluid_with_a_pocket_stays_at_rest) {
  visit_schemes([&](const std::string& scheme) {
    sim::Problem problem;
    problem.viscosity = 0.01;
    problem.boundaries.sides[1][1].kind = SideKind::outflow;
    problem.boundaries.sides[1][1].pressure = 101325;
    sim::ScalarProblem heat;
    heat.name = "temperature";
    heat.diffusivity = 1e-9;
    heat.buoyancy = {0, 0.03, 0};
    heat.initial = [](Point x) { return 300 + 10 * x[1]; };
    heat.sides[1][0] = {sim::ScalarSideKind::value, 300};
    heat.sides[1][1] = {sim::ScalarSideKind::value, 310};
    problem.scalars = {heat};
    problem.solids = {{"lid", sim::BoxShape{{-1, 0.25, 0}, {2, 0.5, 1}}}};
    EXPECT_LT(speed_after_steps(this->settings(2, 8, scheme), problem), 1e-6) << scheme;
  });
}

// p = (cos 2x + cos 2y) / 4 for u = (cos x sin y, -sin x cos y).
TYPED_TEST(InitialPressure, that_of_vortices_is_of_second_order) {
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    sim::Settings settings = this->settings(2, 16 << k, "bdf2");
    for (int d = 0; d < 2; ++d) settings.grid.axes[d].upper = 2 * std::numbers::pi;
    sim::Problem problem;
    problem.viscosity = 0.1;
    problem.density = 3;
    for (auto& sides : problem.boundaries.sides)
      for (sim::Side& side : sides) side.kind = SideKind::periodic;
    sim::ExactSolution exact;
    exact.velocity = [](Point x, double) {
      return std::array<double, 3>{std::cos(x[0]) * std::sin(x[1]),
                                   -std::sin(x[0]) * std::cos(x[1]), 0};
    };
    exact.pressure = [](Point x, double) {
      return -0.75 * (std::cos(2 * x[0]) + std::cos(2 * x[1]));
    };
    problem.initial_velocity = [exact](Point x) { return exact.velocity(x, 0); };
    problem.exact = exact;
    errors[k] = sim::make_flow(settings, problem)->error_norms().value().pressure_max;
  }
  EXPECT_LT(errors[0], 0.1);
  EXPECT_GT(errors[0] / errors[1], 3.7);
}

// A slug between slip walls is moved by an inflow that grows, from any side.
TYPED_TEST(InitialPressure, an_inflow_that_grows_is_pushed_by_its_pressure) {
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {0, 1}) {
      sim::Settings settings = this->settings(axis == 2 ? 3 : 2, 6, "bdf2");
      settings.time.step.size = 0.01;
      sim::Problem problem;
      problem.viscosity = 0.1;
      problem.density = 2;
      for (auto& sides : problem.boundaries.sides)
        for (sim::Side& at : sides) at.kind = SideKind::slip;
      auto& sides = problem.boundaries.sides[axis];
      sides[side].kind = SideKind::inflow;
      sides[side].velocity[axis] =
          Expression::parse(side == 0 ? "1 + 3*t + t^2" : "-1 - 3*t - t^2");
      sides[1 - side].kind = SideKind::outflow;
      problem.initial_velocity = [=](Point) {
        std::array<double, 3> u{};
        u[axis] = side == 0 ? 1 : -1;
        return u;
      };
      const auto flow = sim::make_flow(settings, problem);
      Point middle{0.5, 0.5, 0.5};
      EXPECT_NEAR(flow->values_at({middle}, {"pressure"})[0][0], 2 * 3 * 0.5, 1e-3) << axis << side;
    }
}

TYPED_TEST(InitialPressure, a_flow_rate_starts_with_the_pressure_gradient_that_it_takes) {
  for (const bool has_solids : {false, true})
    visit_schemes([&](const std::string& scheme) {
      sim::Settings settings = this->settings(2, has_solids ? 16 : 8, scheme);
      settings.time.step.size = 0.001;
      sim::Problem problem;
      problem.viscosity = 0.1;
      problem.density = 2;
      for (sim::Side& side : problem.boundaries.sides[0]) side.kind = SideKind::periodic;
      problem.flow_rate[0] = Expression::parse(has_solids ? "0.5*(1 + 3*t)" : "1 + 3*t");
      if (has_solids) problem.solids = {{"floor", sim::BoxShape{{-1, -1, -1}, {2, 0.5, 2}}}};
      problem.initial_velocity = [=](Point x) {
        const double y = has_solids ? 2 * x[1] - 1 : x[1];
        return std::array<double, 3>{y > 0 ? 6 * y * (1 - y) : 0.0, 0, 0};
      };
      const auto flow = sim::make_flow(settings, problem);
      const double friction = has_solids ? 4 : 1;
      for (const sim::Quantity& quantity : flow->quantities())
        if (quantity.name == "pressure_gradient_x") {
          EXPECT_NEAR(quantity.value, -2 * (3 + 12 * 0.1 * friction), has_solids ? 0.7 : 0.1)
              << scheme;
        }
    });
}

// The Courant number allows dt nu / H^2 = 8, with which a pressure correction takes 100 steps.
TYPED_TEST(InitialPressure, a_long_viscous_channel_finds_its_pressure_in_few_steps) {
  for (const char* const scheme : {"bdf2", "backward_euler", "cn_ab2"}) {
    sim::Settings settings = this->settings(2, 8, scheme);
    settings.grid.axes[0] = {.cells = 40, .lower = 0, .upper = 10};
    settings.pressure.method = "direct";
    settings.time.end = 320;
    settings.time.step.cfl = 0.8;
    sim::Problem problem;
    problem.viscosity = 1;
    auto& sides = problem.boundaries.sides;
    sides[0][0] = {SideKind::inflow, {Expression::parse("0.15*y*(1 - y)"), 0, 0}};
    sides[0][1].kind = SideKind::outflow;
    const auto flow = sim::make_flow(settings, problem);
    const sim::StepControl control(settings, problem, flow->grid());
    for (double dt = 0; flow->step() < 40;) {
      const sim::Diagnostics now = flow->diagnostics();
      dt = control.next({.time = flow->time(),
                         .next_stop = settings.time.end,
                         .cfl_rate = now.cfl_rate,
                         .max_speed = now.max_speed,
                         .velocity_rate = now.velocity_rate,
                         .previous_dt = dt});
      test::advance_flow(*flow, 1, dt, scheme);
    }
    EXPECT_GT(flow->time(), 40) << scheme;
    EXPECT_NEAR(flow->values_at({{5, 0.5, 0}}, {"pressure"})[0][0], 1.5, 0.015) << scheme;
  }
}

TYPED_TEST(InitialPressure, one_that_is_given_is_kept) {
  sim::Problem problem = parabola(5);
  problem.initial_pressure = [](Point x) { return 7 + x[1]; };
  const auto flow = sim::make_flow(this->settings(2, 8, "bdf2"), problem);
  EXPECT_NEAR(flow->values_at({{0.4375, 0.4375, 0}}, {"pressure"})[0][0], 7.4375, 1e-12);
}

}  // namespace
}  // namespace hodge
