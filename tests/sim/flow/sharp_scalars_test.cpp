// Scalars beside sharp bodies: the order of each condition in space and time, totals and what
// bodies give, bounds, with every scheme of the velocity.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/flow/flow.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::sim {
namespace {

template <class Space>
class ScalarsBesideSharpBodies : public tests::SpaceTest<Space> {
 public:
  static Settings settings(const std::string& scheme, int dim, int cells) {
    Settings settings = test::flow_settings_on<Space>(dim, cells, scheme);
    settings.pressure.preconditioner = {"multigrid", {}};
    return settings;
  }
};
TYPED_TEST_SUITE(ScalarsBesideSharpBodies, tests::Spaces, tests::SpaceName);

constexpr double diffusivity_beside = 0.1, radius_beside = 0.23;
constexpr Point middle_beside{0.51, 0.48, 0.53};

std::string scaled_formula(double factor, const std::string& formula) {
  return std::to_string(factor) + "*(" + formula + ")";
}

// c, D lap c, and D dc/dn on a ball around the middle, n out of the fluid.
struct SteadyScalar {
  std::string c, source, flux;

  explicit SteadyScalar(int dim) {
    const std::string x = "sin(1.3*x + 0.4)", y = "cos(1.7*y)", z = dim == 3 ? "cos(0.9*z)" : "1";
    c = x + "*" + y + "*" + z;
    source = scaled_formula(diffusivity_beside * (1.69 + 2.89 + (dim == 3 ? 0.81 : 0)), c);
    std::string towards = "(x - 0.51)*1.3*cos(1.3*x + 0.4)*" + y + "*" + z +
                          " - (y - 0.48)*1.7*sin(1.7*y)*" + x + "*" + z;
    if (dim == 3) towards += " - (z - 0.53)*0.9*sin(0.9*z)*" + x + "*" + y;
    flux = scaled_formula(-diffusivity_beside / radius_beside, towards);
  }
  ScalarSide surface(ScalarSideKind kind) const {
    if (kind == ScalarSideKind::value) return {kind, Expression::parse(c)};
    if (kind == ScalarSideKind::flux) return {kind, Expression::parse(flux)};
    return {kind, Expression::parse(c + " + (" + flux + ")/0.7"), 0.7};
  }
};

Problem ball_at_rest(int dim, ScalarSideKind kind) {
  const SteadyScalar exact(dim);
  Problem problem;
  problem.viscosity = 0.1;
  ScalarProblem c;
  c.name = "c";
  c.diffusivity = diffusivity_beside;
  c.source = Expression::parse(exact.source);
  c.initial = [of = Expression::parse(exact.c)](Point x) { return of(x, 0); };
  for (int d = 0; d < dim; ++d)
    for (ScalarSide& side : c.sides[d]) side = exact.surface(ScalarSideKind::value);
  problem.scalars = {c};
  const SolidScalar surface{"c", exact.surface(kind), {}, {}};
  problem.solids = {Solid{.name = "ball",
                          .region = Region{SphereShape{middle_beside, radius_beside}},
                          .scalars = {surface},
                          .sharp = true}};
  return problem;
}

// Root mean square over cells with the centre in the fluid, in the steady state.
double steady_error(const Settings& settings, ScalarSideKind kind) {
  const int dim = settings.grid.dim;
  const Problem problem = ball_at_rest(dim, kind);
  const Expression exact = Expression::parse(SteadyScalar(dim).c);
  const auto flow = make_flow(settings, problem);
  for (int k = 0; k < 6; ++k) EXPECT_TRUE(flow->advance(1.0).ok);
  const std::vector<double> values = flow->cell_arrays({"c"})[0].values;
  double squares = 0, count = 0;
  std::size_t cell = 0;
  const Grid& grid = flow->grid();
  for (int k = 0; k < grid.cells(2); ++k)
    for (int j = 0; j < grid.cells(1); ++j)
      for (int i = 0; i < grid.cells(0); ++i, ++cell) {
        const Point x{grid.axis(0).centre(i), grid.axis(1).centre(j),
                      dim == 3 ? grid.axis(2).centre(k) : middle_beside[2]};
        const double r =
            std::hypot(x[0] - middle_beside[0], x[1] - middle_beside[1], x[2] - middle_beside[2]);
        if (r < radius_beside) continue;
        squares += std::pow(values[cell] - exact(x, 0), 2);
        ++count;
      }
  return std::sqrt(squares / count);
}

// The fluid is at rest, so that its scheme bounds no step; nor does the scalar's.
TYPED_TEST(ScalarsBesideSharpBodies, have_errors_of_second_order_with_each_condition) {
  for (const ScalarSideKind kind :
       {ScalarSideKind::value, ScalarSideKind::flux, ScalarSideKind::convective})
    for (const std::string scheme : {"bdf2", "rk3"}) {  // the others have the same step
      const auto error = [&](int dim, int cells) {
        Settings settings = this->settings(scheme, dim, cells);
        settings.grid.axes[0].stretching = "tanh";
        settings.grid.axes[0].strength = 0.5;
        return steady_error(settings, kind);
      };
      const double coarse = error(2, 16), fine = error(2, 32);
      EXPECT_GT(std::log2(coarse / fine), 1.85)
          << scheme << ' ' << static_cast<int>(kind) << ' ' << coarse << ' ' << fine;
      EXPECT_LT(fine, 4e-4);
      if (scheme == "rk3") continue;
      EXPECT_LT(error(3, 10), 3.5e-3) << scheme << ' ' << static_cast<int>(kind);
    }
}

// Driven through a periodic box, whose sides along x the body goes on across.
Problem carried_past_a_ball(int dim, ScalarSide surface, const std::string& initial) {
  Problem problem;
  problem.viscosity = 0.02;
  for (int d = 0; d < dim; ++d)
    if (d != 1) problem.boundaries.set(d, SideKind::periodic);
  problem.force = {1.5, 0, dim == 3 ? 0.4 : 0.0};
  problem.initial_velocity = [](Point) { return std::array{0.5, 0.0, 0.0}; };
  ScalarProblem c;
  c.name = "c";
  c.diffusivity = 0.004;
  c.initial = [of = Expression::parse(initial)](Point x) { return of(x, 0); };
  problem.scalars = {c};
  const SolidScalar ball{"c", std::move(surface), {}, {}};
  problem.solids = {Solid{.name = "ball",
                          .region = Region{SphereShape{{0.97, 0.48, 0.53}, 0.23}},
                          .scalars = {ball},
                          .sharp = true}};
  return problem;
}

std::map<std::string, double> quantities_beside(const Flow& flow) {
  std::map<std::string, double> values;
  for (const Quantity& quantity : flow.quantities()) values[quantity.name] = quantity.value;
  return values;
}

TYPED_TEST(ScalarsBesideSharpBodies, stay_uniform_and_keep_their_total_beside_closed_bodies) {
  for (const int dim : {2, 3})
    for (const std::string scheme : {"bdf2", "backward_euler", "cn_ab2", "rk3", "ab2"}) {
      SCOPED_TRACE(scheme + " " + std::to_string(dim));
      Settings settings = this->settings(scheme, dim, dim == 2 ? 20 : 10);
      settings.scalar_convection = "central";
      const auto uniform = make_flow(settings, carried_past_a_ball(dim, {}, "300"));
      const auto dye = make_flow(settings, carried_past_a_ball(dim, {}, "1e-15*(1 + x*sin(3*y))"));
      const double total = quantities_beside(*dye)["c_integral"];
      for (int k = 0; k < 8; ++k) {
        ASSERT_TRUE(uniform->advance(0.02).ok);
        ASSERT_TRUE(dye->advance(0.02).ok);
      }
      auto values = quantities_beside(*uniform);
      EXPECT_NEAR(values["c_minimum"], 300, 300e-9);
      EXPECT_NEAR(values["c_maximum"], 300, 300e-9);
      values = quantities_beside(*dye);
      EXPECT_NEAR(values["c_integral"], total, 1e-13 * total);
      EXPECT_GT(values["c_maximum"], 1.2 * values["c_minimum"]);
    }
}

// By backward Euler, over one step, whose end the rate is of.
TYPED_TEST(ScalarsBesideSharpBodies, gain_what_bodies_give) {
  const ScalarSide conditions[] = {
      {ScalarSideKind::flux, Expression::parse("0.01*(1 + y)")},
      {ScalarSideKind::convective, Expression::parse("3 + t"), Expression::parse("0.02*(1 + y)")}};
  for (const ScalarSide& surface : conditions) {
    Settings settings = this->settings("backward_euler", 2, 20);
    settings.scalar_convection = "central";
    const auto flow = make_flow(settings, carried_past_a_ball(2, surface, "1 + x*sin(3*y)"));
    ASSERT_TRUE(flow->advance(0.02).ok);
    const double before = quantities_beside(*flow)["c_integral"];
    ASSERT_TRUE(flow->advance(0.02).ok);
    auto values = quantities_beside(*flow);
    EXPECT_GT(values["c_rate_ball"], 0.01);
    EXPECT_NEAR(values["c_integral"] - before, 0.02 * values["c_rate_ball"], 1e-12);
  }
}

// Whose surface lies in faces of the grid, beside whole cells.
TYPED_TEST(ScalarsBesideSharpBodies, gain_what_a_block_between_grid_lines_gives) {
  for (const int dim : {2, 3})
    for (const std::string scheme : {"bdf2", "rk3"}) {
      Problem problem = ball_at_rest(dim, ScalarSideKind::flux);
      problem.scalars[0].source = 0;
      for (int d = 0; d < dim; ++d)
        for (ScalarSide& side : problem.scalars[0].sides[d]) side = {};
      problem.scalars[0].initial = nullptr;
      problem.solids[0].region = Region{BoxShape{{0.25, 0.25, 0.25}, {0.75, 0.5, 0.5}}};
      problem.solids[0].scalars = {{"c", {ScalarSideKind::flux, 3}, {}, {}}};
      const auto flow = make_flow(this->settings(scheme, dim, 8), problem);
      for (int k = 0; k < 4; ++k) ASSERT_TRUE(flow->advance(0.01).ok);
      const double surface = dim == 2 ? 1.5 : 2 * (0.125 + 0.125 + 0.0625);
      for (const Quantity& quantity : flow->quantities()) {
        if (quantity.name == "c_integral") {
          EXPECT_NEAR(quantity.value, 3 * surface * 0.04, 1e-9) << scheme << dim;
        }
        if (quantity.name == "c_rate_ball") {
          EXPECT_NEAR(quantity.value, 3 * surface, 1e-9) << scheme << dim;
        }
      }
    }
}

// From rest. Driven by buoyancy, too, so that the velocity sees errors of the scalar.
TYPED_TEST(ScalarsBesideSharpBodies, are_of_second_order_in_time_with_every_scheme) {
  const ScalarSide surfaces[] = {
      {ScalarSideKind::value, Expression::parse("1 + sin(3*t + y)")},
      {ScalarSideKind::flux, Expression::parse("0.05*cos(2*t)")},
      {ScalarSideKind::convective, Expression::parse("2 + sin(3*t)"), 0.06}};
  for (const std::string scheme : {"cn_ab2", "rk3", "ab2"})
    for (const ScalarSide& surface : surfaces)
      for (const std::string convection : {"central", "van_leer"}) {
        if (convection == "van_leer" && surface.kind != ScalarSideKind::value) continue;
        const auto at_end = [&](int steps, const std::string& field) {
          Settings settings = this->settings(scheme, 2, 16);
          settings.scalar_convection = convection;
          settings.scalars.tolerance = settings.pressure.tolerance = 1e-11;
          Problem problem = carried_past_a_ball(2, surface, "1 + 0.5*cos(6.283185307179586*x)*y");
          problem.initial_velocity = [](Point) { return std::array{0.0, 0.0, 0.0}; };
          problem.scalars[0].buoyancy = {0.3, 1, 0};
          const auto flow = make_flow(settings, problem);
          for (int k = 0; k < steps; ++k) EXPECT_TRUE(flow->advance(0.24 / steps).ok);
          return flow->cell_arrays({field})[0].values;
        };
        // rk3 has friction beside bodies of first order (time/sharp_stage.hpp).
        const std::vector<std::string> fields = scheme == "rk3"
                                                    ? std::vector<std::string>{"c"}
                                                    : std::vector<std::string>{"c", "velocity"};
        for (const std::string& field : fields) {
          const std::vector<double> one = at_end(16, field), two = at_end(32, field),
                                    four = at_end(64, field);
          double coarse = 0, fine = 0;
          for (std::size_t k = 0; k < one.size(); ++k) {
            coarse += std::pow(one[k] - two[k], 2);
            fine += std::pow(two[k] - four[k], 2);
          }
          EXPECT_GT(0.5 * std::log2(coarse / fine), 1.8)
              << scheme << ' ' << convection << ' ' << static_cast<int>(surface.kind) << ' '
              << field << ' ' << coarse << ' ' << fine;
        }
      }
}

// Of one substance, and of a trace of it. Steps of which a whole cell takes a third, a cut one many
// times its volume.
TYPED_TEST(ScalarsBesideSharpBodies, keep_bounds_with_limited_convection) {
  const Expression jumps = Expression::parse("t < 0.1 ? 1 : 0");
  const ScalarSide surfaces[] = {
      {}, {ScalarSideKind::value, jumps}, {ScalarSideKind::convective, jumps, 0.08}};
  for (const std::string scheme : {"bdf2", "backward_euler", "cn_ab2", "rk3", "ab2"})
    for (const ScalarSide& surface : surfaces) {
      const bool is_closed = surface.is_without_flux();
      const double amount = is_closed ? 1e-15 : 1.0;
      const bool is_explicit = scheme == "rk3" || scheme == "ab2";  // the velocity
      const double dt = is_explicit ? 0.015 : 0.04;
      Settings settings = this->settings(scheme, 2, 20);
      settings.scalar_convection = "van_leer";
      const auto flow =
          make_flow(settings, carried_past_a_ball(2, surface,
                                                  is_closed ? "x < 0.6 && y < 0.6 ? 1e-15 : 0"
                                                            : "x < 0.6 && y < 0.6 ? 1 : 0"));
      const double total = quantities_beside(*flow)["c_integral"];
      for (int k = 0; k < (is_explicit ? 20 : 12); ++k) {
        ASSERT_TRUE(flow->advance(dt).ok);
        const auto values = quantities_beside(*flow);
        EXPECT_GE(values.at("c_minimum"), -1e-10 * amount) << scheme << k;
        EXPECT_LE(values.at("c_maximum"), (1 + 1e-10) * amount) << scheme << k;
        if (is_closed) {
          EXPECT_NEAR(values.at("c_integral"), total, 1e-13 * total) << scheme << k;
        }
      }
    }
}

// Reactions that do nothing, between which one level steps.
TYPED_TEST(ScalarsBesideSharpBodies, stay_uniform_where_they_react) {
  for (const std::string scheme : {"bdf2", "backward_euler", "rk3"})
    for (const ScalarSide& surface : {ScalarSide{}, ScalarSide{ScalarSideKind::value, 300}}) {
      Settings settings = this->settings(scheme, 2, 20);
      settings.scalar_convection = "central";
      Problem problem = carried_past_a_ball(2, surface, "300");
      problem.scalars[0].reaction = Expression::parse("0*c", {{}, {"c"}});
      const auto flow = make_flow(settings, problem);
      for (int k = 0; k < 8; ++k) ASSERT_TRUE(flow->advance(0.02).ok);
      const auto values = quantities_beside(*flow);
      EXPECT_NEAR(values.at("c_minimum"), 300, 300e-9) << scheme;
      EXPECT_NEAR(values.at("c_maximum"), 300, 300e-9) << scheme;
    }
}

}  // namespace
}  // namespace hodge::sim
