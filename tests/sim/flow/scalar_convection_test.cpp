// Scalars have a convection scheme of their own, and keep their bounds with the bounded ones in
// every time scheme that claims it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "sim/flow/flow.hpp"
#include "sim/model/schemes.hpp"
#include "sim/time/stability.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/spaces.hpp"

namespace hodge {
namespace {

using sim::Expression;
using sim::Point;
using sim::ScalarSide;
using sim::ScalarSideKind;
using sim::SideKind;

template <class Space>
class ScalarConvection : public tests::SpaceTest<Space> {
 protected:
  static sim::Settings settings(const std::string& scheme, int cells) {
    return test::flow_settings_on<Space>(2, cells, scheme);
  }
  // Steps of this CFL number.
  static void advance(sim::Flow& flow, int steps, double cfl) {
    for (int i = 0; i < steps; ++i) {
      const sim::StepReport report = flow.advance(cfl / flow.diagnostics().cfl_rate);
      ASSERT_TRUE(report.ok) << report.failure;
    }
  }
};
TYPED_TEST_SUITE(ScalarConvection, tests::Spaces, tests::SpaceName);

// Steps of 0 and 1, carried without diffusion.
sim::ScalarProblem step_profile() {
  sim::ScalarProblem scalar;
  scalar.name = "c";
  scalar.initial = [](Point x) { return x[0] > 0.4 && x[1] < 0.7 ? 1.0 : 0.0; };
  return scalar;
}

// A solid-body rotation through a box; what enters has steps, too.
sim::Problem turning() {
  sim::Problem problem;
  problem.prescribed_velocity = sim::PrescribedVelocity{Expression::parse("0.5 - y", {}),
                                                        Expression::parse("x - 0.5", {}), 0};
  sim::ScalarProblem scalar = step_profile();
  for (const auto [axis, side] : sim::sides_of_box(2)) {
    problem.boundaries.sides[axis][side] = {SideKind::inflow, *problem.prescribed_velocity};
    ScalarSide& value = scalar.sides[axis][side];
    value.kind = ScalarSideKind::value;
    value.value = Expression::parse("x + y > 0.8 ? 1 : 0", {});
  }
  problem.scalars = {scalar};
  return problem;
}

// A driven cavity around two blocks.
sim::Problem around_blocks(double diffusivity = 0) {
  sim::Problem problem;
  problem.viscosity = 0.01;
  problem.boundaries.sides[1][1].velocity = {1, 0, 0};
  problem.initial_velocity = [](Point x) {
    return std::array{std::sin(3 * x[1]), std::cos(2 * x[0]), 0.0};
  };
  problem.solids = {{"low", sim::BoxShape{{0.3, 0.2, 0}, {0.5, 0.4, 1}}},
                    {"high", sim::BoxShape{{0.6, 0.5, 0}, {0.8, 0.9, 1}}}};
  problem.scalars = {step_profile()};
  problem.scalars[0].diffusivity = diffusivity;
  return problem;
}

void expect_bounds(const sim::Flow& flow, double beyond) {
  double least = 0, largest = 1;
  for (const sim::Quantity& quantity : flow.quantities()) {
    if (quantity.name == "c_minimum") least = quantity.value;
    if (quantity.name == "c_maximum") largest = quantity.value;
  }
  EXPECT_GE(least, -beyond);
  EXPECT_LE(largest, 1 + beyond);
  EXPECT_GT(largest, least);
}

// What the iteration over the deferred part and the linear systems leave in a step.
constexpr double rounding = 1e-10;

TYPED_TEST(ScalarConvection, keeps_a_step_in_its_bounds_where_a_time_scheme_claims_it) {
  for (const sim::StablePair& pair : sim::stability_table()) {
    if (pair.bounded_cfl == 0) continue;
    SCOPED_TRACE(std::string(pair.time) + " with " + pair.convection);
    sim::Settings settings = this->settings(pair.time, 16);
    settings.scalar_convection = pair.convection;
    settings.pressure.tolerance = 1e-12;
    const double cfl = std::min(pair.bounded_cfl, 2.0);
    settings.time.step.cfl = cfl;
    const auto carried = sim::make_flow(settings, turning());
    this->advance(*carried, 40, cfl);
    expect_bounds(*carried, rounding);
    const auto stirred = sim::make_flow(settings, around_blocks());
    this->advance(*stirred, 40, cfl);
    expect_bounds(*stirred, rounding);
  }
}

// The same steps with central differences: the test above would see what leaves the bounds.
TYPED_TEST(ScalarConvection, by_central_differences_leaves_the_bounds) {
  sim::Settings settings = this->settings("bdf2", 16);
  settings.scalar_convection = "central";
  const auto flow = sim::make_flow(settings, turning());
  this->advance(*flow, 40, 0.25);
  double least = 0;
  for (const sim::Quantity& quantity : flow->quantities())
    if (quantity.name == "c_minimum") least = quantity.value;
  EXPECT_LT(least, -0.05);
}

TYPED_TEST(ScalarConvection, and_that_of_the_velocity_do_not_touch_each_other) {
  for (const sim::TimeScheme& scheme : sim::time_scheme_table()) {
    const auto run = [&](const std::string& velocity, const std::string& scalars) {
      sim::Settings settings = this->settings(scheme.name, 12);
      settings.convection_scheme = velocity;
      settings.scalar_convection = scalars;
      auto flow = sim::make_flow(settings, around_blocks(1e-3));
      this->advance(*flow, 5, 0.2);
      return flow;
    };
    const auto central = run("central", "central"), mixed = run("central", "van_leer"),
               quick = run("quick", "van_leer"), other = run("quick", "");
    const auto values = [](const auto& flow, const char* field) {
      return flow->cell_arrays({field})[0].values;
    };
    EXPECT_EQ(values(central, "velocity"), values(mixed, "velocity")) << scheme.name;
    EXPECT_NE(values(central, "c"), values(mixed, "c")) << scheme.name;
    EXPECT_NE(values(mixed, "velocity"), values(quick, "velocity")) << scheme.name;
    EXPECT_EQ(values(quick, "velocity"), values(other, "velocity")) << scheme.name;
    EXPECT_NE(values(quick, "c"), values(other, "c")) << scheme.name;
  }
}

}  // namespace
}  // namespace hodge
