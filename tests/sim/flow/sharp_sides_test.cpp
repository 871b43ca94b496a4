// Sides through which fluid passes and which sharp bodies cut: ducts from an inflow to an outlet,
// between two pressures and between two inflows, bodies that stand in such sides, with every
// scheme.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/key_error.hpp"
#include "sim/discrete/bodies/side_openings.hpp"
#include "sim/flow/flow.hpp"
#include "sim/flow/inflow_profiles.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/restored_flow.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::sim {
namespace {

template <class Space>
class SharpBodiesInSides : public tests::SpaceTest<Space> {
 public:
  static Settings settings(const std::string& scheme, int dim, int along, int across) {
    Settings settings = test::flow_settings_on<Space>(dim, across, scheme);
    settings.grid.axes[0] = {.cells = along, .lower = 0, .upper = 0.8};
    settings.pressure.preconditioner = {"multigrid", {}};
    settings.pressure.tolerance = 1e-12;
    return settings;
  }
};
TYPED_TEST_SUITE(SharpBodiesInSides, tests::Spaces, tests::SpaceName);

constexpr double duct_radius = 0.42, duct_viscosity = 0.2, duct_speed = 1.5, duct_length = 0.8;

std::string squared_radius(int dim) {
  return dim == 2 ? "(y - 0.513)^2" : "((y - 0.513)^2 + (z - 0.489)^2)";
}
// The mean velocity is duct_speed.
std::string parabola_in_duct(int dim) {
  return std::to_string(dim == 2 ? 1.5 * duct_speed : 2 * duct_speed) + "*(1 - " +
         squared_radius(dim) + "/0.42^2)";
}
double section_of_duct(int dim) {
  return dim == 2 ? 2 * duct_radius : std::numbers::pi * duct_radius * duct_radius;
}
// -dp/dx
double gradient_in_duct(int dim) {
  return (dim == 2 ? 3 : 8) * duct_viscosity * duct_speed / (duct_radius * duct_radius);
}

// Along x, through both sides.
Problem duct_along_x(int dim) {
  Problem problem;
  problem.viscosity = duct_viscosity;
  problem.solids = {
      {.name = "duct",
       .region = Region{LevelShape{Expression::parse("0.42^2 - " + squared_radius(dim))}},
       .sharp = true}};
  return problem;
}

Problem duct_with_parabola(int dim) {
  Problem problem = duct_along_x(dim);
  problem.boundaries.sides[0][0] = {SideKind::inflow,
                                    {Expression::parse(parabola_in_duct(dim)), 0, 0}};
  problem.boundaries.sides[0][1].kind = SideKind::outflow;
  return problem;
}

std::map<std::string, double> quantities_in_duct(const Flow& flow) {
  std::map<std::string, double> values;
  for (const Quantity& quantity : flow.quantities()) values[quantity.name] = quantity.value;
  return values;
}

void expect_to_advance(Flow& flow, int steps, double dt) {
  for (int k = 0; k < steps; ++k) {
    const StepReport report = flow.advance(dt);
    ASSERT_TRUE(report.ok) << report.failure;
  }
}

// What is open of the first side, its means of p over the first two layers of cells, and p there.
double pressure_force_at_inflow(const Flow& flow, const Problem& problem) {
  const Grid& grid = flow.grid();
  const SideOpenings openings = openings_of_side(grid, problem, {0, 0});
  const std::vector<double> p = flow.cell_arrays({"pressure"})[0].values;
  const auto n = static_cast<std::size_t>(grid.cells(0));
  double sum = 0, area = grid.axis(1).widths[0];
  if (grid.dim() == 3) area *= grid.axis(2).widths[0];
  for (std::size_t k = 0; k < openings.size(); ++k)
    if (openings[k].open > 0)
      sum += openings[k].open * area * (1.5 * p[n * k] - 0.5 * p[n * k + 1]);
  return sum;
}

struct DuctFlow {
  double velocity_error, gradient_error;
};

// In the steady state.
DuctFlow errors_in_duct(Settings settings, double duration = 2.5) {
  const int dim = settings.grid.dim;
  const Problem problem = duct_with_parabola(dim);
  const auto flow = make_flow(settings, problem);
  expect_to_advance(*flow, static_cast<int>(std::lround(duration / 0.02)), 0.02);
  auto values = quantities_in_duct(*flow);
  const double squared = std::pow(flow->grid().axis(1).widths[0] / duct_radius, 2);
  const double rate = duct_speed * section_of_duct(dim);
  EXPECT_NEAR(values["flow_rate_x_lower"], values["flow_rate_x_upper"], 1e-9);
  EXPECT_NEAR(values["flow_rate_x_lower"], rate, 0.4 * squared * rate);
  // What holds the fluid is what the pressures at both ends do; that at the outlet is 0.
  const BodyForce force = flow->forces().at(0);
  const double in_x = force.pressure[0] + force.viscous[0];
  const double pressed = pressure_force_at_inflow(*flow, problem);
  EXPECT_NEAR(in_x, pressed, 0.25 * squared * pressed);
  EXPECT_NEAR(in_x, gradient_in_duct(dim) * duct_length * section_of_duct(dim), 0.02 * in_x);

  const Grid& grid = flow->grid();
  const Expression exact = Expression::parse(parabola_in_duct(dim));
  const std::vector<double> p = flow->cell_arrays({"pressure"})[0].values;
  const double y = grid.axis(1).centre(grid.cells(1) / 2), z = 0.489;
  double largest = 0;
  for (const double at : {0.15, 0.3, 0.45, 0.6, 0.75, 0.9}) {
    const double u = flow->values_at({{0.78, at, z}}, {"velocity"})[0][0];
    if (std::abs(at - 0.513) < 0.36)
      largest = std::max(largest, std::abs(u - exact({0.78, at, z}, 0)));
  }
  const double near = flow->values_at({{0.2, y, z}}, {"pressure"})[0][0],
               far = flow->values_at({{0.6, y, z}}, {"pressure"})[0][0];
  return {largest / duct_speed, std::abs((near - far) / 0.4 / gradient_in_duct(dim) - 1)};
}

TYPED_TEST(SharpBodiesInSides, ducts_keep_the_parabola_to_second_order) {
  const DuctFlow coarse = errors_in_duct(this->settings("bdf2", 3, 8, 10)),
                 fine = errors_in_duct(this->settings("bdf2", 3, 16, 20));
  EXPECT_LT(coarse.gradient_error, 0.04);
  EXPECT_LT(fine.gradient_error, 0.01);
  EXPECT_LT(fine.velocity_error, 0.016);
  EXPECT_LT(fine.velocity_error, 0.4 * coarse.velocity_error);
  const DuctFlow plane = errors_in_duct(this->settings("bdf2", 2, 10, 13));
  EXPECT_LT(plane.gradient_error, 2e-3);
  EXPECT_LT(plane.velocity_error, 2e-2);
}

TYPED_TEST(SharpBodiesInSides, ducts_have_one_steady_state_with_every_scheme) {
  for (const int dim : {2, 3}) {
    const auto run = [&](const std::string& scheme) {
      Settings settings = this->settings(scheme, dim, 6, 9);
      const auto flow = make_flow(settings, duct_with_parabola(dim));
      const double dt = scheme == "rk3" || scheme == "ab2" ? 0.004 : 0.01;
      expect_to_advance(*flow, static_cast<int>(std::lround(1.2 / dt)), dt);
      const BodyForce force = flow->forces().at(0);
      std::vector<double> values = flow->cell_arrays({"velocity"})[0].values;
      values.push_back(force.pressure[0] + force.viscous[0]);
      return values;
    };
    const std::vector<double> expected = run("bdf2");
    for (const std::string scheme : {"backward_euler", "cn_ab2", "rk3", "ab2"}) {
      const std::vector<double> found = run(scheme);
      ASSERT_EQ(found.size(), expected.size());
      double largest = 0;
      for (std::size_t k = 0; k < found.size(); ++k)
        largest = std::max(largest, std::abs(found[k] - expected[k]));
      EXPECT_LT(largest, 2e-4) << scheme << ' ' << dim;
    }
  }
}

TYPED_TEST(SharpBodiesInSides,
           ducts_between_two_pressures_let_as_much_through_as_Poiseuille_found) {
  for (const int dim : {2, 3})
    for (const double sign : {1.0, -1.0}) {
      Problem problem = duct_along_x(dim);
      for (int side = 0; side < 2; ++side) {
        problem.boundaries.sides[0][side].kind = SideKind::pressure;
        problem.boundaries.sides[0][side].pressure = side == 0 ? sign : 0.0;
      }
      const auto flow = make_flow(this->settings("bdf2", dim, 8, dim == 2 ? 16 : 20), problem);
      expect_to_advance(*flow, 60, 0.05);
      auto values = quantities_in_duct(*flow);
      const double rate =
          sign * duct_speed * section_of_duct(dim) / (gradient_in_duct(dim) * duct_length);
      EXPECT_NEAR(values["flow_rate_x_lower"], rate, 0.01 * std::abs(rate)) << dim;
      EXPECT_NEAR(values["flow_rate_x_lower"], values["flow_rate_x_upper"], 1e-9) << dim;
    }
}

// No open side: what enters has to leave, to the last bit that the solver sees.
TYPED_TEST(SharpBodiesInSides, flow_rates_are_those_of_the_open_parts) {
  for (const int dim : {2, 3}) {
    Problem problem = duct_along_x(dim);
    const std::string profile = "1 + y";
    problem.boundaries.sides[0][0] = {SideKind::inflow, {Expression::parse(profile), 0, 0}};
    problem.boundaries.sides[0][0].flow_rate = Expression(0.3);
    problem.boundaries.sides[0][1] = {SideKind::inflow, {Expression::parse("1"), 0, 0}};
    problem.boundaries.sides[0][1].flow_rate = Expression(-0.3);
    const Settings settings = this->settings("bdf2", dim, 8, 11);
    scale_inflows(settings.grid, problem);
    const auto flow = make_flow(settings, problem);
    expect_to_advance(*flow, 5, 0.02);
    auto values = quantities_in_duct(*flow);
    EXPECT_NEAR(values["flow_rate_x_lower"], 0.3, 1e-12) << dim;
    EXPECT_NEAR(values["flow_rate_x_upper"], 0.3, 1e-12) << dim;
    EXPECT_LT(flow->diagnostics().max_divergence, 1e-8) << dim;
  }
}

// A body in the inflow, one in the outlet, and one across the corner of it and a slip side.
Problem bodies_in_sides(int dim) {
  Problem problem;
  problem.viscosity = 0.02;
  problem.boundaries.sides[0][0] = {SideKind::inflow,
                                    {Expression::parse("1 + 0.2*sin(3*t)"), 0, 0}};
  problem.boundaries.sides[0][1] = {SideKind::outflow, {0, 0, 0}, Expression::parse("0.1*y")};
  for (int side = 0; side < 2; ++side) problem.boundaries.sides[1][side].kind = SideKind::slip;
  problem.solids = {
      {.name = "front", .region = Region{SphereShape{{0.03, 0.41, 0.47}, 0.16}}, .sharp = true},
      {.name = "back", .region = Region{SphereShape{{0.74, 0.52, 0.55}, 0.17}}, .sharp = true},
      {.name = "corner", .region = Region{SphereShape{{0.81, 1.02, 0.5}, 0.19}}, .sharp = true}};
  if (dim == 3)
    for (int side = 0; side < 2; ++side) problem.boundaries.sides[2][side].kind = SideKind::slip;
  ScalarProblem c;
  c.name = "c";
  c.diffusivity = 0.01;
  c.initial = [](Point) { return 2.0; };
  c.sides[0][0] = {ScalarSideKind::value, 2};
  problem.scalars = {c};
  return problem;
}

TYPED_TEST(SharpBodiesInSides, bodies_may_stand_in_them) {
  for (const int dim : {2, 3})
    for (const std::string scheme : {"bdf2", "backward_euler", "cn_ab2", "rk3", "ab2"}) {
      const auto flow =
          make_flow(this->settings(scheme, dim, dim == 2 ? 24 : 14, dim == 2 ? 30 : 16),
                    bodies_in_sides(dim));
      const double dt = scheme == "ab2" ? 0.004 : 0.008;
      expect_to_advance(*flow, dim == 2 ? 150 : 25, dt);
      auto values = quantities_in_duct(*flow);
      const Diagnostics now = flow->diagnostics();
      EXPECT_NEAR(values["flow_rate_x_lower"], values["flow_rate_x_upper"], 1e-9) << scheme << dim;
      EXPECT_LT(now.max_speed, 4) << scheme << dim;
      // A uniform scalar stays.
      const std::vector<double> scalar = flow->cell_arrays({"c"})[0].values;
      for (const double value : scalar) EXPECT_NEAR(value, 2, 1e-6) << scheme << dim;
    }
}

// The force by the balance over boxes of cells that end in the sides, with those of larger ones.
struct ForcesInSides {
  std::vector<BodyForce> near, far;
};
template <class Step>
ForcesInSides forces_in_sides(Settings settings, const Problem& problem, const Step& step) {
  settings.forces.emplace();
  const auto near = make_flow(settings, problem);
  settings.forces->boxes = {{"front", {0, 0.1, -9}, {0.32, 0.78, 9}},
                            {"back", {0.42, 0.2, -9}, {0.8, 0.85, 9}}};
  for (BodyBox& box : settings.forces->boxes)
    if (settings.grid.dim == 3) box.lower[2] = 0, box.upper[2] = 1;
  const auto far = make_flow(settings, problem);
  for (Flow* flow : {near.get(), far.get()}) step(*flow);
  return {near->forces(), far->forces()};
}
Problem two_bodies_in_sides(int dim) {
  Problem problem = bodies_in_sides(dim);
  problem.solids.pop_back();
  problem.scalars.clear();
  return problem;
}

TYPED_TEST(SharpBodiesInSides, have_the_force_of_every_box_that_ends_in_their_side) {
  for (const int dim : {2, 3})
    for (const std::string scheme : {"bdf2", "rk3", "ab2"}) {
      if (dim == 3 && scheme != "rk3") continue;
      SCOPED_TRACE(scheme + " " + std::to_string(dim));
      const Settings settings = this->settings(scheme, dim, dim == 2 ? 24 : 16, dim == 2 ? 30 : 20);
      const ForcesInSides of = forces_in_sides(settings, two_bodies_in_sides(dim), [&](Flow& flow) {
        expect_to_advance(flow, 12, 0.004);
      });
      for (std::size_t k = 0; k < 2; ++k) {
        ASSERT_TRUE(of.near[k].control.has_value()) << k;
        ASSERT_TRUE(of.far[k].control.has_value()) << k;
        for (std::size_t d = 0; d < static_cast<std::size_t>(dim); ++d) {
          const double force = (*of.near[k].control)[d];
          EXPECT_GT(std::abs(force), 1e-3);
          EXPECT_NEAR(force, (*of.far[k].control)[d], scheme == "bdf2" ? 1e-7 : 1e-11);
          EXPECT_NEAR(force, of.near[k].pressure[d] + of.near[k].viscous[d], 1e-2);
        }
      }
    }
}

TYPED_TEST(SharpBodiesInSides, have_the_same_force_by_the_balance_and_at_the_surface_where_steady) {
  Problem problem = two_bodies_in_sides(2);
  problem.boundaries.sides[0][0].velocity[0] = Expression::parse("1 + 0.2*y");
  problem.viscosity = 0.1;
  problem.force = {1, -2, 0};
  const ForcesInSides of = forces_in_sides(this->settings("bdf2", 2, 24, 30), problem,
                                           [&](Flow& flow) { expect_to_advance(flow, 150, 0.03); });
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t d = 0; d < 2; ++d)
      EXPECT_NEAR((*of.near[k].control)[d], of.near[k].pressure[d] + of.near[k].viscous[d], 1e-8)
          << k << d;
}

// An outlet that a body halves, and a flow that turns round in time: energy is not drawn from it.
TYPED_TEST(SharpBodiesInSides, flows_that_turn_round_stay_bounded) {
  for (const std::string scheme : {"bdf2", "rk3"}) {
    Problem problem = bodies_in_sides(2);
    problem.scalars.clear();
    problem.viscosity = 1e-4;
    for (int side = 0; side < 2; ++side) {
      problem.boundaries.sides[0][side] = {};
      problem.boundaries.sides[0][side].kind = SideKind::pressure;
    }
    problem.boundaries.sides[0][0].pressure = Expression::parse("2*sin(8*t)");
    const auto flow = make_flow(this->settings(scheme, 2, 24, 30), problem);
    expect_to_advance(*flow, 500, 0.004);
    EXPECT_LT(flow->diagnostics().max_speed, 3) << scheme;
    EXPECT_GT(flow->diagnostics().max_speed, 0.05) << scheme;
  }
}

TYPED_TEST(SharpBodiesInSides, go_on_from_a_state_bit_for_bit) {
  for (const std::string scheme : {"bdf2", "rk3", "ab2"}) {
    const Settings settings = this->settings(scheme, 2, 12, 15);
    const auto flow = make_flow(settings, bodies_in_sides(2)),
               again = make_flow(settings, bodies_in_sides(2));
    test::expect_same_after_restoring(*flow, *again, {"velocity", "pressure", "c"});
  }
}

// An STL cavity or a box turned inside out may end in the sides.
TYPED_TEST(SharpBodiesInSides, cavities_may_end_in_them) {
  Problem problem = duct_with_parabola(2), ends = problem;
  problem.solids[0].region =
      Region{BoxShape{{-1, 0.513 - duct_radius, -9}, {2, 0.513 + duct_radius, 9}}, {}, true};
  ends.solids[0].region = Region{
      BoxShape{{0, 0.513 - duct_radius, -9}, {duct_length, 0.513 + duct_radius, 9}}, {}, true};
  const Settings settings = this->settings("bdf2", 2, 8, 13);
  const auto flow = make_flow(settings, problem), ending = make_flow(settings, ends);
  for (Flow* of : {flow.get(), ending.get()}) expect_to_advance(*of, 4, 0.02);
  const auto expected = flow->cell_arrays({"velocity"})[0].values,
             found = ending->cell_arrays({"velocity"})[0].values;
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-9);
}

TEST(SharpBodyInASide, is_refused_where_what_enters_has_no_way_out) {
  Problem problem = duct_with_parabola(2);
  problem.solids.push_back(
      {.name = "plate", .region = Region{BoxShape{{0.001, -1, -9}, {0.4, 0.4, 9}}}, .sharp = true});
  const Settings settings = test::flow_settings(2, 12);
  try {
    (void)make_flow(settings, problem);
    FAIL() << "not refused";
  } catch (const KeyError& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("a sharp solid is less than a cell behind x_lower"));
  }
}

}  // namespace
}  // namespace hodge::sim
