// Porous bodies and sponges in whole flows.
#include "sim/time/resistance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/flow/flow.hpp"
#include "sim/model/schemes.hpp"
#include "tests/support/advance_flow.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/flow_in_parts.hpp"
#include "tests/support/spaces.hpp"
#include "tests/support/state_copy.hpp"

namespace hodge {
namespace {

using sim::Expression;
using sim::Problem;
using sim::SideKind;

template <class Space>
class ResistedFlow : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(ResistedFlow, tests::Spaces, tests::SpaceName);

sim::Region box_region(sim::Point lower, sim::Point upper) {
  return {sim::BoxShape{lower, upper}};
}

// A stream of speed 2 through a plug that fills the channel from x = 0.3 to 0.71, not at faces.
Problem plug(double darcy, double forchheimer) {
  Problem problem;
  problem.density = 3;
  problem.viscosity = 0.02;
  problem.boundaries.sides[0][0] = {SideKind::inflow, {2, 0, 0}};
  problem.boundaries.sides[0][1] = {SideKind::outflow};
  for (const std::size_t d : {1u, 2u})
    problem.boundaries.sides[d] = {{{SideKind::slip}, {SideKind::slip}}};
  problem.initial_velocity = [](sim::Point) { return std::array{2.0, 0.0, 0.0}; };
  problem.resistances.porous = {{box_region({0.3, -1, -1}, {0.71, 2, 2}), darcy, forchheimer}};
  return problem;
}

double pressure_at(const sim::Flow& flow, sim::Point x) {
  return flow.values_at({x}, {"pressure"}).at(0).at(0);
}

TYPED_TEST(ResistedFlow, through_a_plug_loses_the_pressure_of_darcy_and_forchheimer) {
  for (const sim::TimeScheme& scheme : sim::time_scheme_table())
    for (const auto& [dim, darcy, forchheimer] :
         {std::tuple{2, 400.0, 0.0}, {3, 100.0, 12.0}, {2, 5e13, 0.0}, {2, 0.0, 1e9}}) {
      SCOPED_TRACE(std::string(scheme.name) + " in " + std::to_string(dim) + "D, d " +
                   std::to_string(darcy));
      sim::Settings settings = test::flow_settings_on<TypeParam>(dim, 8, scheme.name);
      settings.pressure.tolerance = 1e-8;  // of a pressure of 1e12
      settings.pressure.preconditioner = {"multigrid", {{"precision", "double"}}};
      const auto flow = sim::make_flow(settings, plug(darcy, forchheimer));
      test::advance_flow(*flow, 4, 0.01, scheme.name);
      const double loss = 3 * (0.02 * darcy * 2 + 0.5 * forchheimer * 2 * 2) * 0.41;
      const sim::Point before{0.1, 0.4, 0.4}, behind{0.9, 0.4, 0.4};
      EXPECT_NEAR(pressure_at(*flow, before) - pressure_at(*flow, behind), loss, 1e-8 * loss);
      EXPECT_NEAR(flow->diagnostics().max_speed, 2, 1e-5);
    }
}

// u_y = 0, so that what remains is du/dt = -(a + b |u|) u, and dc/dt = -5 (c - 1/4).
Problem decay(double a, double b) {
  Problem problem;
  problem.viscosity = 0.01;
  for (int d = 0; d < 3; ++d) problem.boundaries.set(d, SideKind::periodic);
  problem.initial_velocity = [](sim::Point) { return std::array{0.8, 0.6, 0.0}; };
  problem.resistances.porous = {{{}, a / problem.viscosity, 2 * b}};
  problem.scalars.resize(1);
  problem.scalars[0].name = "c";
  problem.scalars[0].diffusivity = 0.1;
  problem.scalars[0].initial = [](sim::Point) { return 1.0; };
  problem.resistances.sponges = {{{}, 5, {}, {{"c", Expression(0.25)}}}};
  return problem;
}

TYPED_TEST(ResistedFlow, decays_in_second_order) {
  const double a = 2, b = 3, left = std::exp(-a), exact = a * left / (a + b * (1 - left));
  for (const sim::TimeScheme& scheme : sim::time_scheme_table()) {
    SCOPED_TRACE(scheme.name);
    double error[2], error_of_c[2];
    for (const int k : {0, 1}) {
      const auto flow =
          sim::make_flow(test::flow_settings_on<TypeParam>(2, 4, scheme.name), decay(a, b));
      test::advance_flow(*flow, 50 << k, 0.02 / (1 << k), scheme.name);
      error[k] = std::abs(flow->diagnostics().max_speed - exact);
      error_of_c[k] =
          std::abs(flow->values_at({{0.4, 0.4, 0}}, {"c"})[0][0] - 0.25 - 0.75 * std::exp(-5.0));
    }
    const bool is_first = std::string(scheme.name) == "backward_euler";
    EXPECT_LT(error[0], is_first ? 0.01 : 1e-4);
    EXPECT_LT(error[1], error[0] / (is_first ? 1.9 : 3.4));
    EXPECT_LT(error_of_c[0], is_first ? 0.01 : 2e-4);
    EXPECT_TRUE(error_of_c[0] < 1e-9 || error_of_c[1] < error_of_c[0] / (is_first ? 1.9 : 3.2));
  }
}

// The flow along a porous channel, of which Brinkman's equation nu u'' - nu d u + 1 = 0 tells.
TYPED_TEST(ResistedFlow, along_walls_has_brinkmans_layer_in_second_order) {
  Problem problem;
  problem.viscosity = 0.05;
  const double root = 20;
  problem.boundaries.set(0, SideKind::periodic);
  problem.force[0] = 1;
  problem.resistances.porous = {{{}, root * root, 0}};
  problem.exact.emplace();
  problem.exact->pressure = [](sim::Point, double) { return 0.0; };
  problem.exact->velocity = [&](sim::Point x, double) {
    const double u = (1 - std::cosh(root * (x[1] - 0.5)) / std::cosh(root / 2));
    return std::array{u / (problem.viscosity * root * root), 0.0, 0.0};
  };
  double error[2];
  for (const int k : {0, 1}) {
    sim::Settings settings = test::flow_settings_on<TypeParam>(2, 16 << k, "bdf2");
    settings.grid.axes[0].cells = 4;
    const auto flow = sim::make_flow(settings, problem);
    test::advance_flow(*flow, 12, 0.5, "Brinkman");
    error[k] = flow->error_norms()->velocity_l2;
  }
  EXPECT_LT(error[0], 5e-4);
  EXPECT_LT(error[1], error[0] / 3.6);
}

// Past a body of each kind, with a scalar that is relaxed.
Problem past_porous_bodies(int dim) {
  Problem problem = plug(0, 0);
  problem.resistances.porous = {
      {sim::Region{sim::SphereShape{{0.4, 0.45, 0.4}, 0.23}}, Expression::parse("1e3*y"), 20},
      {box_region({0.6, 0.4, 0}, {0.8, 0.7, 1}), 1e9, 0}};
  problem.scalars.resize(1);
  problem.scalars[0].name = "c";
  problem.scalars[0].diffusivity = 0.02;
  problem.scalars[0].initial = [](sim::Point x) { return x[0]; };
  problem.scalars[0].sides[0][0] = {sim::ScalarSideKind::value, Expression::parse("x + y")};
  problem.resistances.sponges = {{box_region({0.7, 0, 0}, {1, 1, 1}),
                                  Expression::parse("30*(x - 0.7)"),
                                  std::array<Expression, 3>{2, 0, 0},
                                  {{"c", Expression::parse("y")}}}};
  if (dim == 3) problem.solids = {{"b", sim::BoxShape{{0, 0, 0}, {0.2, 0.3, 0.3}}}};
  return problem;
}

TYPED_TEST(ResistedFlow, goes_on_from_a_state_bit_for_bit) {
  for (const sim::TimeScheme& scheme : sim::time_scheme_table()) {
    SCOPED_TRACE(scheme.name);
    const auto settings = test::flow_settings_on<TypeParam>(2, 10, scheme.name);
    const auto whole = sim::make_flow(settings, past_porous_bodies(2));
    const auto later = sim::make_flow(settings, past_porous_bodies(2));
    test::advance_flow(*whole, 3, 0.005, scheme.name);
    test::StateCopy copy;
    whole->visit_state(copy);
    copy.restoring = true;
    later->visit_state(copy);
    const std::vector<std::string> fields{"velocity", "pressure", "c"};
    std::vector<std::vector<double>> values;
    for (const auto& flow : {whole.get(), later.get()}) {
      test::advance_flow(*flow, 2, 0.005, scheme.name);
      for (const sim::CellArray& array : flow->cell_arrays(fields)) values.push_back(array.values);
    }
    for (std::size_t k = 0; k < fields.size(); ++k) EXPECT_EQ(values[k], values[3 + k]);
  }
}

TYPED_TEST(ResistedFlow, becomes_steady_in_the_same_state_whatever_the_step) {
  Problem problem = past_porous_bodies(2);
  problem.viscosity = 0.3;
  std::vector<double> values[3];
  for (const auto& [k, scheme, dt] :
       {std::tuple{0, "bdf2", 0.05}, {1, "backward_euler", 0.2}, {2, "rk3", 0.004}}) {
    const auto flow = sim::make_flow(test::flow_settings_on<TypeParam>(2, 8, scheme), problem);
    test::advance_flow(*flow, static_cast<int>(12 / dt), dt, scheme);
    values[k] = flow->values_at({{0.4, 0.5, 0}, {0.7, 0.2, 0}}, {"velocity", "pressure", "c"})[1];
  }
  for (const int k : {1, 2})
    for (std::size_t i = 0; i < values[0].size(); ++i)
      EXPECT_NEAR(values[k][i], values[0][i], 2e-6 * (1 + std::abs(values[0][i]))) << k << ' ' << i;
}

TEST(ResistedFlowInParts, is_that_of_one_process) {
  for (const auto& [scheme, dim] :
       {std::pair<std::string, int>{"bdf2", 2}, {"cn_ab2", 2}, {"rk3", 3}}) {
    SCOPED_TRACE(scheme + " in " + std::to_string(dim) + "D");
    tests::SharedFlow flow =
        tests::shared_flow(test::flows::channel(dim), scheme, dim == 2 ? "central" : "van_leer");
    flow.settings.pressure.method = "cg";
    flow.settings.pressure.preconditioner = {"jacobi", {}};
    flow.problem.resistances = past_porous_bodies(dim).resistances;
    flow.problem.resistances.porous[0].region = {};
    flow.problem.resistances.porous[1].region = box_region({0, 0.6, -0.7}, {0.3, 1.2, -0.4});
    flow.problem.resistances.sponges[0].region = {};
    flow.problem.resistances.sponges[0].rate = Expression::parse("3 + x");
    if (dim == 2)
      tests::expect_the_same_in_parts<2>(flow, 3);
    else
      tests::expect_the_same_in_parts<3>(flow, 3);
  }
}

TEST(Resistances, are_refused_by_their_key) {
  const auto refused = [](const auto& change) {
    Problem problem = past_porous_bodies(2);
    change(problem);
    return test::message_of<ConfigError>(
        [&] { (void)sim::make_flow(test::flow_settings(2, 8), problem); });
  };
  EXPECT_EQ(refused([](Problem& p) { p.resistances.porous[1].darcy = -1; }),
            "porous[1].darcy is -1 at (0.5625, 0.4375, 0); a number >= 0 is needed");
  EXPECT_EQ(refused([](Problem& p) {
              p.resistances.sponges[0].rate = Expression::parse("1/(x-x)");
            }).substr(0, 22),
            "sponges[0].rate is inf");
  EXPECT_EQ(refused([](Problem& p) {
              p.resistances.sponges[0].region = box_region({2, 0, 0}, {3, 1, 1});
            }),
            "sponges[0].region covers no part of the box; does it lie outside?");
  EXPECT_EQ(refused([](Problem& p) { p.resistances.sponges[0].scalars[0].first = "d"; }),
            "sponges[0].scalars.d relaxes a scalar that there is not, known scalars: c");
  EXPECT_EQ(refused([](Problem& p) { p.flow_rate[0] = 1; }).substr(0, 38),
            "force.flow_rate holds a flow rate, whi");
}

}  // namespace
}  // namespace hodge
