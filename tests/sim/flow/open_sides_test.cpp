// Sides with a given pressure: what they say holds in every scheme, along every axis, both ways.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "sim/flow/flow.hpp"
#include "tests/support/advance_flow.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/spaces.hpp"

namespace hodge {
namespace {

const char* const open_side_schemes[] = {"bdf2", "backward_euler", "cn_ab2", "rk3", "ab2"};

template <class Space>
class OpenSides : public tests::SpaceTest<Space> {
 protected:
  sim::Settings settings(int dim, int cells, const std::string& scheme) const {
    sim::Settings settings = test::flow_settings_on<Space>(dim, cells, scheme);
    settings.pressure.tolerance = 1e-11;
    return settings;
  }
};
TYPED_TEST_SUITE(OpenSides, tests::Spaces, tests::SpaceName);

// A frictionless tube along an axis with these pressures at its ends.
sim::Problem tube(int axis, sim::SideKind kind, const std::string& lower,
                  const std::string& upper) {
  sim::Problem problem;
  problem.density = 2;
  problem.viscosity = 0.01;
  for (auto& sides : problem.boundaries.sides)
    for (sim::Side& side : sides) side.kind = sim::SideKind::slip;
  auto& ends = problem.boundaries.sides[axis];
  ends[0].kind = ends[1].kind = kind;
  ends[0].pressure = sim::Expression::parse(lower);
  ends[1].pressure = sim::Expression::parse(upper);
  return problem;
}

double at(const sim::Flow& flow, const sim::Point& point, const std::string& field, int column) {
  return flow.values_at({point}, {field})[0][static_cast<std::size_t>(column)];
}

// rho L du/dt = p_lower - p_upper, L = 1.
TYPED_TEST(OpenSides, a_column_between_two_pressures_moves_as_a_whole) {
  for (const int dim : {2, 3})
    for (const char* const scheme : open_side_schemes)
      for (int axis = 0; axis < dim; ++axis)
        for (const auto kind : {sim::SideKind::outflow, sim::SideKind::pressure})
          for (const double p : {3.0, -3.0}) {
            const std::string what = std::string(scheme) + ", " + std::to_string(dim) + "D, axis " +
                                     std::to_string(axis);
            const auto flow = sim::make_flow(this->settings(dim, 6, scheme),
                                             tube(axis, kind, std::to_string(p + 1), "1"));
            test::advance_flow(*flow, 5, 0.02, what);
            for (const double s : {0.0, 0.3, 1.0}) {
              sim::Point x{0.4, 0.4, 0.4};
              x[static_cast<std::size_t>(axis)] = s;
              EXPECT_NEAR(at(*flow, x, "velocity", axis), 0.5 * p * 0.1, 1e-9) << what;
              EXPECT_NEAR(at(*flow, x, "pressure", 0), 1 + p * (1 - s), 1e-8) << what;
            }
          }
}

// Fluid at rest along the axis: what diffuses has no gradient at the outflow, whether it is a
// scalar or the velocity along the side: q = 1 + cos(pi x) exp(-D pi^2 t).
TYPED_TEST(OpenSides, without_a_stream_nothing_holds_what_diffuses_at_an_outflow) {
  constexpr double pi = std::numbers::pi;
  sim::Problem problem = tube(0, sim::SideKind::slip, "0", "0");
  problem.viscosity = 0.1;
  problem.boundaries.sides[0][1].kind = sim::SideKind::outflow;
  problem.boundaries.set(1, sim::SideKind::periodic);
  const auto initial = [](sim::Point x) { return 1 + std::cos(pi * x[0]); };
  problem.initial_velocity = [=](sim::Point x) { return sim::Point{0, initial(x), 0}; };
  sim::ScalarProblem scalar;
  scalar.name = "c";
  scalar.diffusivity = problem.viscosity;
  scalar.initial = initial;
  problem.scalars.push_back(scalar);
  for (const char* const scheme : open_side_schemes) {
    const auto flow = sim::make_flow(this->settings(2, 20, scheme), problem);
    test::advance_flow(*flow, 400, 0.0025, scheme);
    for (const double x : {0.1, 0.5, 0.9, 1.0}) {
      const double exact = 1 + std::cos(pi * x) * std::exp(-0.1 * pi * pi);
      EXPECT_NEAR(at(*flow, {x, 0.5}, "c", 0), exact, 0.02) << scheme << " at " << x;
      EXPECT_NEAR(at(*flow, {x, 0.5}, "velocity", 1), exact, 0.02) << scheme << " at " << x;
    }
  }
}

// A stream that starts from rest brings c = 5 through the upper end and takes c = 1 out of the
// lower one. The stages integrate t exactly, if their sides see the velocity of their own time.
TYPED_TEST(OpenSides, every_stage_of_a_step_sees_whether_fluid_enters) {
  sim::Problem problem = tube(0, sim::SideKind::pressure, "0", "0");
  problem.prescribed_velocity = sim::PrescribedVelocity{sim::Expression::parse("-t"), 0, 0};
  sim::ScalarProblem scalar;
  scalar.name = "c";
  scalar.initial = [](sim::Point) { return 1.0; };
  scalar.sides[0][1] = {sim::ScalarSideKind::value, 5, 0};
  problem.scalars.push_back(scalar);
  const auto flow = sim::make_flow(this->settings(2, 8, "rk3"), problem);
  test::advance_flow(*flow, 1, 0.1, "rk3");
  const std::vector<double> cells = flow->cell_arrays({"c"})[0].values;
  double sum = 0;
  for (const double c : cells) sum += c;
  EXPECT_NEAR(sum / 64, 1 + (5 - 1) * 0.5 * 0.1 * 0.1, 1e-13);
}

// p = 4 t at the lower end: u = t^2 / rho at time t, and p in the side is that of the time.
TYPED_TEST(OpenSides, a_pressure_that_grows_is_followed_with_second_order) {
  for (const char* const scheme : {"bdf2", "cn_ab2", "rk3", "ab2"}) {
    double errors[2];
    for (int k = 0; k < 2; ++k) {
      const auto flow = sim::make_flow(this->settings(2, 6, scheme),
                                       tube(0, sim::SideKind::pressure, "4*t + 6*t^2", "0"));
      test::advance_flow(*flow, 10 << k, 0.05 / (1 << k), scheme);
      const double exact = (2 * 0.25 + 2 * 0.125) / 2;
      errors[k] = std::abs(at(*flow, {0.5, 0.5, 0}, "velocity", 0) - exact);
      EXPECT_NEAR(at(*flow, {0, 0.5, 0}, "pressure", 0), 3.5, 1e-9) << scheme;
    }
    EXPECT_LT(errors[0], 0.02) << scheme;
    EXPECT_TRUE(errors[0] < 1e-9 || errors[0] / errors[1] > 3.5)
        << scheme << ": " << errors[0] << ", " << errors[1];
  }
}

// The fluid at rest under its weight: p in the sides is hydrostatic.
TYPED_TEST(OpenSides, fluid_at_rest_stays_at_rest_under_its_weight) {
  for (const char* const scheme : open_side_schemes) {
    sim::Problem problem;
    problem.viscosity = 0.01;
    problem.density = 2;
    problem.force = {0, -10, 0};
    auto& sides = problem.boundaries.sides;
    sides[0][0].kind = sim::SideKind::outflow;
    sides[0][1].kind = sim::SideKind::pressure;
    sides[0][0].pressure = sides[0][1].pressure = sim::Expression::parse("20*(1 - y)");
    problem.initial_pressure = [](sim::Point x) { return 20 * (1 - x[1]); };
    const auto flow = sim::make_flow(this->settings(2, 8, scheme), problem);
    test::advance_flow(*flow, 10, 0.05, scheme);
    EXPECT_LT(flow->diagnostics().max_speed, 1e-8) << scheme;
    EXPECT_NEAR(at(*flow, {0.5, 0.25, 0}, "pressure", 0), 15, 1e-7) << scheme;
  }
}

// One inflow, two outlets: the shares do not depend on the start or the scheme.
TYPED_TEST(OpenSides, the_shares_of_two_outlets_do_not_depend_on_the_start) {
  std::vector<double> shares;
  for (const char* const scheme : {"bdf2", "cn_ab2", "rk3", "ab2"})
    for (const double start : {0.0, 1.0, -1.0}) {
      sim::Problem problem;
      problem.viscosity = 0.1;
      auto& sides = problem.boundaries.sides;
      sides[0][0] = {sim::SideKind::inflow, {sim::Expression::parse("y > 0.5 ? 1 : 0"), 0, 0}};
      sides[1][0].kind = sides[1][1].kind = sim::SideKind::outflow;
      problem.solids = {{"block", sim::BoxShape{{0, 0, 0}, {0.5, 0.5, 1}}}};
      problem.initial_velocity = [=](sim::Point) { return std::array<double, 3>{0, start, 0}; };
      const auto flow = sim::make_flow(this->settings(2, 8, scheme), problem);
      test::advance_flow(*flow, 400, 0.02, scheme);
      for (const sim::Quantity& quantity : flow->quantities())
        if (quantity.name == "flow_rate_y_upper") shares.push_back(quantity.value);
      for (const double y : {0.0, 1.0})
        EXPECT_NEAR(at(*flow, {0.75, y, 0}, "pressure", 0), 0, 1e-9) << scheme;
    }
  ASSERT_EQ(shares.size(), 12u);
  for (const double share : shares) EXPECT_NEAR(share, shares[0], 1e-7);
  EXPECT_GT(shares[0], 0.3);  // of 0.5: the upper outlet is near and wide
  EXPECT_LT(shares[0], 0.5);
}

// Fluid that enters through a pressure side brings the value that is given there, no other.
TYPED_TEST(OpenSides, entering_fluid_brings_what_the_pressure_side_says) {
  for (const char* const scheme : open_side_schemes)
    for (const bool given : {true, false}) {
      sim::Problem problem = tube(0, sim::SideKind::pressure, "0", "0");
      problem.initial_velocity = [](sim::Point) { return std::array<double, 3>{1, 0, 0}; };
      sim::ScalarProblem scalar;
      scalar.name = "c";
      scalar.diffusivity = 1e-4;
      scalar.initial = [](sim::Point) { return 2.0; };
      for (auto& side : scalar.sides[0])
        if (given) side = {sim::ScalarSideKind::value, 5};
      problem.scalars.push_back(scalar);
      sim::Settings settings = this->settings(2, 20, scheme);
      settings.convection_scheme = "upwind";
      const auto flow = sim::make_flow(settings, problem);
      test::advance_flow(*flow, 10, 0.01, scheme);
      const sim::CellArray array = flow->cell_arrays({"c"})[0];
      double sum = 0;
      for (const double c : array.values) sum += c / 400;
      EXPECT_NEAR(sum, given ? 2 + 0.1 * 3 : 2, given ? 3e-3 : 1e-9) << scheme;
    }
}

double named_quantity(const sim::Flow& flow, const std::string& name) {
  for (const sim::Quantity& of : flow.quantities())
    if (of.name == name) return of.value;
  ADD_FAILURE() << "no " << name;
  return 0;
}

// Between walls, with the friction of a channel; p(t) at the lower end of the axis, 0 at the upper.
sim::Problem reversing_channel(int axis, double amplitude, bool is_open) {
  sim::Problem problem;
  problem.viscosity = 0.25;
  const std::string force = std::to_string(amplitude) + "*cos(6.283185307179586*t)";
  auto& ends = problem.boundaries.sides[static_cast<std::size_t>(axis)];
  ends[0].kind = ends[1].kind = is_open ? sim::SideKind::pressure : sim::SideKind::periodic;
  if (is_open) {
    ends[0].pressure = sim::Expression::parse(force);
    problem.initial_pressure = [=](sim::Point x) {
      return amplitude * (1 - x[static_cast<std::size_t>(axis)]);
    };
  } else {
    problem.force[static_cast<std::size_t>(axis)] = sim::Expression::parse(force);
  }
  return problem;
}

// The same channel without ends has no convection at all. What is left is the error of a pressure
// in the sides that changes within a step: 1e-3 of the speed without friction is asked.
TYPED_TEST(OpenSides, a_parallel_flow_that_reverses_is_that_of_a_channel_without_ends) {
  for (const int dim : {2, 3})
    for (const char* const scheme : open_side_schemes)
      for (const double amplitude : {1.0, 40.0}) {
        const int axis = dim - 2;  // x, y
        const double speed = amplitude / 6.283185307179586;
        const auto settings = this->settings(dim, 6, scheme);
        const auto open = sim::make_flow(settings, reversing_channel(axis, amplitude, true));
        const auto endless = sim::make_flow(settings, reversing_channel(axis, amplitude, false));
        for (int i = 0; i < 160; ++i) {
          test::advance_flow(*open, 1, 0.004, scheme);
          test::advance_flow(*endless, 1, 0.004, scheme);
          for (const double s : {0.05, 0.5}) {
            const sim::Point x{axis == 0 ? 0.3 : s, axis == 1 ? 0.3 : s, 0.5};
            EXPECT_NEAR(at(*open, x, "velocity", axis), at(*endless, x, "velocity", axis),
                        1e-3 * speed)
                << dim << "D " << scheme << ", " << amplitude << ", step " << i;
          }
          EXPECT_LT(named_quantity(*open, "entering_limited_" + sim::side_name(axis, 0)), 1e-6);
        }
      }
}

// Vortices between open sides all around at p = 0: nothing may feed them.
TYPED_TEST(OpenSides, vortices_in_an_open_box_never_gain_energy) {
  for (const char* const convection : {"central", "upwind", "quick", "van_leer", "weno5"}) {
    sim::Problem problem;
    problem.viscosity = 1e-5;
    for (int axis = 0; axis < 2; ++axis) problem.boundaries.set(axis, sim::SideKind::pressure);
    problem.initial_velocity = [](sim::Point x) {
      return std::array<double, 3>{
          std::sin(7 * x[0] + 1) * std::cos(9 * x[1]) + 0.5 * std::sin(17 * x[1] + 2),
          std::cos(7 * x[0] + 2) * std::sin(8 * x[1] + 1) + 0.5 * std::cos(13 * x[0]), 0};
    };
    sim::Settings settings = this->settings(2, 20, "rk3");
    settings.convection_scheme = convection;
    const auto flow = sim::make_flow(settings, problem);
    const double start = flow->diagnostics().kinetic_energy;
    double largest_share = 0;
    for (int i = 0; i < 200; ++i) {
      test::advance_flow(*flow, 1, 0.02, convection);
      ASSERT_LT(flow->diagnostics().kinetic_energy, start) << convection << ", step " << i;
      const double share = named_quantity(*flow, "entering_limited_x_upper");
      EXPECT_GE(share, 0);
      EXPECT_LE(share, 1);
      largest_share = std::max(largest_share, share);
    }
    EXPECT_LT(flow->diagnostics().kinetic_energy, 0.3 * start) << convection;
    EXPECT_GT(largest_share, 0.05) << convection;
  }
}

// Warm above cold, at rest: p in the sides is what carries it. Where the top is open the fluid may
// come and go by rounding.
TYPED_TEST(OpenSides, a_stratified_fluid_at_rest_stays_so_below_an_open_top) {
  for (const char* const scheme : {"bdf2", "backward_euler", "rk3"}) {
    sim::Problem problem;
    problem.viscosity = 1e-5;
    auto& sides = problem.boundaries.sides;
    sides[0][0].kind = sim::SideKind::pressure;
    sides[0][1].kind = sim::SideKind::outflow;
    sides[1][1].kind = sim::SideKind::pressure;
    for (sim::Side& side : sides[0]) side.pressure = sim::Expression::parse("y^2 - 1");
    problem.initial_pressure = [](sim::Point x) { return x[1] * x[1] - 1; };
    sim::ScalarProblem warm;
    warm.name = "warm";
    warm.buoyancy = {0, 1, 0};
    warm.initial = [](sim::Point x) { return 2 * x[1]; };
    warm.sides[0][0] = {sim::ScalarSideKind::value, sim::Expression::parse("2*y")};
    warm.sides[1][1] = {sim::ScalarSideKind::value, 2};
    problem.scalars.push_back(warm);
    const auto flow = sim::make_flow(this->settings(2, 8, scheme), problem);
    test::advance_flow(*flow, 20, 0.05, scheme);
    EXPECT_LT(flow->diagnostics().max_speed, 1e-8) << scheme;
  }
}

// A slit between two pressures, in a block that is twice or four times as high: the solid part of
// the sides has no say.
TYPED_TEST(OpenSides, a_slit_in_a_block_carries_the_same_however_large_the_block_is) {
  for (const char* const scheme : {"bdf2", "backward_euler", "rk3"}) {
    double rate[2];
    for (int k = 0; k < 2; ++k) {
      sim::Problem problem = tube(0, sim::SideKind::outflow, "3", "0");
      problem.boundaries.sides[0][0].kind = sim::SideKind::pressure;
      problem.solids = {{"below", sim::BoxShape{{-1, -9, -9}, {9, 0, 9}}},
                        {"above", sim::BoxShape{{-1, 1, -9}, {9, 9, 9}}}};
      sim::ScalarProblem scalar;
      scalar.name = "c";
      scalar.initial = [](sim::Point x) { return x[1]; };
      problem.scalars.push_back(scalar);
      sim::Settings settings = this->settings(2, 8, scheme);
      settings.grid.axes[1] = {
          .cells = k == 0 ? 16 : 32, .lower = k == 0 ? -0.5 : -1.5, .upper = k == 0 ? 1.5 : 2.5};
      const auto flow = sim::make_flow(settings, problem);
      test::advance_flow(*flow, 40, 0.02, scheme);
      rate[k] = named_quantity(*flow, "flow_rate_x_upper");
      EXPECT_GT(rate[k], 0.5) << scheme;
      EXPECT_LT(named_quantity(*flow, "entering_limited_x_lower"), 1e-6) << scheme;
    }
    EXPECT_NEAR(rate[0], rate[1], 1e-8 * rate[0]) << scheme;
  }
}

}  // namespace
}  // namespace hodge
