// Scalars at bodies and in them: steady states that the discrete equations have exactly, decay in
// two media, balances.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/flow/flow.hpp"
#include "sim/model/schemes.hpp"
#include "sim/time/step_size.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge::sim {
namespace {

// Layers across x of a fluid at rest, periodic along the other axes, of the scalar c.
constexpr double fluid_diffusivity = 0.5;

Problem layers(std::vector<Solid> solids, ScalarSide lower, ScalarSide upper) {
  Problem problem;
  problem.prescribed_velocity.emplace();
  for (int axis = 1; axis < 3; ++axis) problem.boundaries.set(axis, SideKind::periodic);
  ScalarProblem c;
  c.name = "c";
  c.diffusivity = fluid_diffusivity;
  c.sides[0] = {std::move(lower), std::move(upper)};
  problem.scalars.push_back(c);
  problem.solids = std::move(solids);
  return problem;
}

Solid layer(double lower, double upper, SolidScalar of_c) {
  return {"layer", {BoxShape{{lower, -9, -9}, {upper, 9, 9}}}, {std::move(of_c)}};
}

Settings settings_of_layers(const std::string& scheme, int cells) {
  Settings settings = test::flow_settings(2, 4);
  settings.grid.axes[0].cells = cells;
  settings.time.scheme = scheme;
  if (scheme == "cn_ab2") settings.scalars.method = "cg";
  return settings;
}

std::map<std::string, double> quantities_by_name(const Flow& flow) {
  std::map<std::string, double> values;
  for (const Quantity& quantity : flow.quantities()) values[quantity.name] = quantity.value;
  return values;
}

void advance_to(Flow& flow, double end, double longest) {
  const double steps = std::ceil(end / longest - 1e-9);
  for (int k = 0; k < static_cast<int>(steps); ++k) ASSERT_TRUE(flow.advance(end / steps).ok);
}

// What cn_ab2 does not damp would last.
std::unique_ptr<Flow> steady_flow(const Settings& settings, const Problem& problem) {
  auto flow = make_flow(settings, problem);
  const double limit = diffusive_step_limit(settings, problem, flow->grid());
  const bool damps = settings.time.scheme == "bdf2" || settings.time.scheme == "backward_euler";
  advance_to(*flow, damps ? 100 : 8, damps ? 1.0 : std::min(0.9 * limit, 0.002));
  return flow;
}

void expect_along_x(const Flow& flow, const std::function<double(double)>& exact) {
  for (int i = 0; i < flow.grid().cells(0); ++i) {
    const double x = flow.grid().axis(0).centre(i);
    EXPECT_NEAR(flow.values_at({{x, 0.375, 0}}, {"c"})[0][0], exact(x), 1e-8) << "x = " << x;
  }
}

// Fluid from 0 to 1/4, then a slab: linear in both, with a jump by the resistance between.
TEST(ScalarsAtBodies, slabs_conduct_by_resistances_in_series) {
  struct Slab {
    double ratio, resistance;
  };
  for (const TimeScheme& scheme : time_scheme_table())
    for (const Slab& of : {Slab{5, 0}, {2, 0.7}, {1000, 0.1}}) {
      const bool damps = scheme.has_implicit_convection();
      if (of.ratio > 10 && !damps) continue;  // stiffness alone is new
      SCOPED_TRACE(scheme.name + std::string(", ratio ") + std::to_string(of.ratio));
      const double k = of.ratio * fluid_diffusivity;
      const HeatInside heat{.conductivity = k, .capacity = 0.8, .resistance = of.resistance};
      const auto flow = steady_flow(settings_of_layers(scheme.name, 8),
                                    layers({layer(0.25, 9, {"c", {}, heat, {}})},
                                           {ScalarSideKind::value, 3}, {ScalarSideKind::value, 1}));
      const double flux = 2 / (0.25 / fluid_diffusivity + of.resistance + 0.75 / k);
      expect_along_x(*flow, [&](double x) {
        return x < 0.25 ? 3 - flux / fluid_diffusivity * x : 1 + flux / k * (1 - x);
      });
      auto values = quantities_by_name(*flow);
      EXPECT_NEAR(values["nusselt_c_x_upper"], flux / fluid_diffusivity / 2, 1e-7);
      EXPECT_NEAR(values["c_rate_layer"], -flux, 1e-7);  // what leaves by the side is not among it
    }
}

// Fluid from 0, where c = 1, to a body at 1/2, on cells of many sizes.
TEST(ScalarsAtBodies, conditions_hold_at_the_surface) {
  const double g = 0.7, k = 1.5, w = 2;
  const struct {
    ScalarSide surface;
    double slope;  // dc/dx of the steady state
  } cases[] = {
      {{ScalarSideKind::value, Expression::parse("2 - exp(-40*t)")}, (w - 1) / 0.5},
      {{ScalarSideKind::flux, Expression::parse("0.7*(1 - exp(-40*t))")}, g / fluid_diffusivity},
      {{ScalarSideKind::convective, w, Expression::parse("1.5 + exp(-40*t)")},
       k * (w - 1) / (fluid_diffusivity + 0.5 * k)}};
  for (const TimeScheme& scheme : time_scheme_table())
    for (const auto& [surface, slope] : cases) {
      SCOPED_TRACE(scheme.name + std::string(", ") + surface.traits().name);
      Settings settings = settings_of_layers(scheme.name, 8);
      settings.grid.axes[0].stretching = "tanh";
      settings.grid.axes[0].strength = 1;
      const NusseltScales scales{.length = 0.5, .difference = 2, .surface = 4};
      const auto flow = steady_flow(settings, layers({layer(0.5, 9, {"c", surface, {}, scales})},
                                                     {ScalarSideKind::value, 1}, {}));
      expect_along_x(*flow, [&, at = slope](double x) { return x < 0.5 ? 1 + at * x : 0.0; });
      auto values = quantities_by_name(*flow);
      EXPECT_NEAR(values["c_rate_layer"], fluid_diffusivity * slope, 1e-8);
      EXPECT_NEAR(values["nusselt_c_layer"], slope * 0.5 / (4 * 2), 1e-8);
    }
}

// The slowest decay of c = 0 on both sides of fluid to 1/4 and a slab behind it: sin(p x) and
// B sin(q (1 - x)), whose values and fluxes agree at 1/4.
struct Decay {
  double k, capacity, rate = 0;

  double p() const { return std::sqrt(rate / fluid_diffusivity); }
  double q() const { return std::sqrt(rate * capacity / k); }
  double jump_of_flux() const {
    return fluid_diffusivity * p() / std::tan(p() * 0.25) + k * q() / std::tan(q() * 0.75);
  }
  double at(double x, double t) const {
    const double b = std::sin(p() * 0.25) / std::sin(q() * 0.75);
    return std::exp(-rate * t) * (x < 0.25 ? std::sin(p() * x) : b * std::sin(q() * (1 - x)));
  }
  void find_rate() {
    const double pi = 3.14159265358979323846;
    double lower = 1e-6, upper = std::min(fluid_diffusivity * 16 * pi * pi,
                                          k / capacity * pi * pi / (0.75 * 0.75)) *
                                 (1 - 1e-12);
    for (int i = 0; i < 100; ++i) {
      rate = 0.5 * (lower + upper);
      (jump_of_flux() > 0 ? lower : upper) = rate;
    }
  }
};

double error_of_decay(const Decay& decay, const std::string& scheme, int cells) {
  const HeatInside heat{.conductivity = decay.k, .capacity = decay.capacity};
  Problem problem = layers({layer(0.25, 9, {"c", {}, heat, {}})}, {ScalarSideKind::value, 0},
                           {ScalarSideKind::value, 0});
  problem.scalars[0].initial = [decay](Point x) { return decay.at(x[0], 0); };
  problem.scalars[0].exact = [decay](Point x, double t) { return decay.at(x[0], t); };
  const auto flow = make_flow(settings_of_layers(scheme, cells), problem);
  advance_to(*flow, 1 / decay.rate, 1.6 / (cells * decay.rate));
  return flow->error_norms()->scalars[0].l2;
}

TEST(ScalarsAtBodies, heat_in_two_media_decays_with_an_error_of_second_order) {
  for (Decay decay : {Decay{2.5, 2}, Decay{500, 700}})
    for (const std::string scheme : {"bdf2", "cn_ab2"}) {
      decay.find_rate();
      const double coarse = error_of_decay(decay, scheme, 16);
      const double fine = error_of_decay(decay, scheme, 32);
      EXPECT_LT(fine, 3e-3) << scheme;
      EXPECT_GT(std::log2(coarse / fine), 1.9) << scheme << ", conductivity " << decay.k;
    }
}

// Thin layers that conduct well and hold little, between fluid: faces decide the stable step.
TEST(ScalarsAtBodies, explicit_steps_are_stable_up_to_the_limit_that_media_set) {
  for (const std::string scheme : {"rk3", "ab2"}) {
    const HeatInside heat{.conductivity = 4, .capacity = 0.5};
    std::vector<Solid> solids;
    for (int i = 0; i < 4; ++i) {
      solids.push_back(layer(0.125 + 0.25 * i, 0.25 + 0.25 * i, {"c", {}, heat, {}}));
      solids.back().name += std::to_string(i);
    }
    Problem problem = layers(solids, {ScalarSideKind::value, 0}, {ScalarSideKind::value, 0});
    problem.scalars[0].initial = [](Point x) { return std::sin(40 * x[0] + 9 * x[1]); };
    const Settings settings = settings_of_layers(scheme, 8);
    const auto flow = make_flow(settings, problem);
    const double limit = diffusive_step_limit(settings, problem, flow->grid());
    const double stable = scheme == "rk3" ? 2.5 : 1.0;
    EXPECT_DOUBLE_EQ(limit, stable / (8 * 4 * (64 + 16)));  // 4 / 0.5, on cells of 1/8 x 1/4
    for (int k = 0; k < 300; ++k) ASSERT_TRUE(flow->advance(limit).ok);
    EXPECT_LT(quantities_by_name(*flow)["c_maximum"], 1.0) << scheme;
  }
}

// x of the cells that are in no body.
std::vector<double> places_of_fluid(const Problem& problem, const Grid& grid) {
  const std::vector<std::uint8_t> bodies = cell_bodies(grid, problem);
  std::vector<double> places;
  for (std::size_t cell = 0; cell < bodies.size(); ++cell)
    if (bodies[cell] == 0)
      places.push_back(grid.axis(0).centre(static_cast<int>(cell) % grid.cells(0)));
  return places;
}

// What is in fluid and medium changes by what the other body gives and by sources, however loosely
// the system is solved.
TEST(ScalarsAtBodies, the_integral_changes_by_what_bodies_give_and_by_sources) {
  for (const int dim : {2, 3}) {
    Settings settings = test::flow_settings(dim, 8);
    settings.time.scheme = "backward_euler";
    settings.scalars.tolerance = 1e-2;
    Problem problem;
    problem.prescribed_velocity.emplace();
    ScalarProblem c;
    c.name = "c";
    c.diffusivity = fluid_diffusivity;
    c.source = Expression::parse("0.3*x");
    problem.scalars.push_back(c);
    const HeatInside heat{.conductivity = 5, .capacity = 3, .resistance = 0.01, .source = 2};
    problem.solids = {{"block", {BoxShape{{0, 0, 0}, {0.5, 0.5, 0.5}}}, {{"c", {}, heat, {}}}},
                      {"ball",
                       {SphereShape{{0.7, 0.7, 0.7}, 0.2}},
                       {{"c", {ScalarSideKind::convective, 2, 0.4}, {}, {}}}}};
    const auto flow = make_flow(settings, problem);
    ASSERT_TRUE(flow->advance(0.01).ok);
    const double before = quantities_by_name(*flow)["c_integral"];
    ASSERT_TRUE(flow->advance(0.01).ok);
    auto values = quantities_by_name(*flow);
    // The source of the fluid over the cells that no body has, that of the block over its volume.
    double source = 2 * std::pow(0.5, dim);
    for (const double x : places_of_fluid(problem, flow->grid()))
      source += 0.3 * x * std::pow(0.125, dim);
    EXPECT_GT(values["c_rate_ball"], 0.01);
    EXPECT_GT(std::abs(values["c_rate_block"]), 0.01);
    EXPECT_NEAR((values["c_integral"] - before) / 0.01, source + values["c_rate_ball"], 1e-12);
  }
}

}  // namespace
}  // namespace hodge::sim
