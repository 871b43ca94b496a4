// Viscosities and diffusivities that vary, in whole flows: exact profiles, orders of accuracy,
// layers of very different fluids, restarts, processes, failures. Over 400 lines: the same few
// flows serve all of these.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/flow/flow.hpp"
#include "sim/flow/varying_start.hpp"
#include "sim/model/rheology.hpp"
#include "sim/model/schemes.hpp"
#include "tests/support/advance_flow.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/flow_in_parts.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/restored_flow.hpp"
#include "tests/support/spaces.hpp"

namespace hodge {
namespace {

using sim::Expression;
using sim::Problem;
using sim::Settings;
using sim::SideKind;

template <class Space>
class VaryingViscosity : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(VaryingViscosity, tests::Spaces, tests::SpaceName);

// Of a viscosity or diffusivity.
Expression coefficient_of(const std::string& text, const std::vector<std::string>& scalars = {}) {
  return Expression::parse(text, {.variables = sim::coefficient_variables(scalars)});
}

std::function<double(sim::Point)> at_start(const Expression& f) {
  return [f](sim::Point x) { return f(x, 0); };
}

// A manufactured solution in a channel that is heated at the walls: the velocity (u, 0), the
// temperature T and their sources by hand, u_y and so on its derivatives.
Problem heated_channel(bool diffusivity_varies) {
  std::string f_x = "(1.5*cos(3*t))*S - N*(-G*pi*pi*S - 0.5*TY*UY) - 0.4*pi*sin(2*pi*x)*S*cos(t)";
  std::string f_y = "0.5*N*TX*UY + 0.2*pi*cos(2*pi*x)*C*cos(t)";
  std::string source = "0.5*cos(2*pi*x + t)*C + G*S*TX + D*(2.5*pi*pi*sin(2*pi*x + t)*C)";
  if (diffusivity_varies) source += " - 0.006*(TX*TX + TY*TY)";
  const std::vector<std::pair<std::string, std::string>> names{
      {"UY", "(G*pi*C)"},
      {"TX", "(pi*cos(2*pi*x + t)*C)"},
      {"TY", "(-0.5*pi*sin(2*pi*x + t)*S)"},
      {"N", "(0.05*exp(-0.5*T))"},
      {"D", diffusivity_varies ? "(0.02*(1 + 0.3*T))" : "0.02"},
      {"T", "(1 + 0.5*sin(2*pi*x + t)*C)"},
      {"G", "(1 + 0.5*sin(3*t))"},
      {"S", "sin(pi*y)"},
      {"C", "cos(pi*y)"}};
  const auto written = [&](std::string text) {
    for (const auto& [name, meaning] : names)
      for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos;
           at += meaning.size()) {
        const auto is_letter = [&](std::size_t i) {
          return i < text.size() && std::isupper(text[i]);
        };
        if (is_letter(at + name.size()) || (at > 0 && is_letter(at - 1)))
          at += name.size() - meaning.size();
        else
          text.replace(at, name.size(), meaning);
      }
    return Expression::parse(text);
  };
  Problem problem;
  problem.boundaries.set(0, SideKind::periodic);
  problem.boundaries.set(2, SideKind::periodic);
  problem.varying_viscosity = coefficient_of("0.05*exp(-0.5*temperature)", {"temperature"});
  problem.force = {written(f_x), written(f_y), 0};
  const Expression u = written("G*S"), p = written("0.2*cos(2*pi*x)*S*cos(t)"), T = written("T");
  start_from(problem, {[u](sim::Point x, double t) {
                         return std::array{u(x, t), 0.0, 0.0};
                       },
                       [p](sim::Point x, double t) { return p(x, t); }});
  sim::ScalarProblem& temperature = problem.scalars.emplace_back();
  temperature.name = "temperature";
  temperature.diffusivity = 0.02;
  if (diffusivity_varies)
    temperature.varying_diffusivity = coefficient_of("0.02*(1 + 0.3*temperature)", {"temperature"});
  temperature.initial = at_start(T);
  temperature.source = written(source);
  temperature.exact = T;
  temperature.sides[1] = {{{sim::ScalarSideKind::value, written("1 + 0.5*sin(2*pi*x + t)")},
                           {sim::ScalarSideKind::value, written("1 - 0.5*sin(2*pi*x + t)")}}};
  return problem;
}

// At the end of as many steps as belong to a grid.
template <class Space>
sim::ErrorNorms errors_of_heated_channel(const std::string& scheme, int cells) {
  const bool is_first_order = scheme == "backward_euler";
  Settings settings = test::flow_settings_on<Space>(2, cells, scheme);
  settings.grid.axes[1].stretching = "tanh";
  settings.grid.axes[1].strength = 1;
  Problem problem = heated_channel(true);
  measure_coefficients(settings.grid, problem);
  const auto flow = sim::make_flow(settings, problem);
  const double end = 0.2;
  const bool is_explicit = scheme == "rk3" || scheme == "ab2";
  const int steps = is_first_order ? cells * cells / 8 : is_explicit ? cells * cells / 6 : cells;
  test::advance_flow(*flow, steps, end / steps, scheme);
  return *flow->error_norms();
}

TYPED_TEST(VaryingViscosity, of_a_temperature_is_of_second_order_in_every_scheme) {
  for (const sim::TimeScheme& scheme : sim::time_scheme_table()) {
    const sim::ErrorNorms coarse = errors_of_heated_channel<TypeParam>(scheme.name, 16),
                          fine = errors_of_heated_channel<TypeParam>(scheme.name, 32);
    EXPECT_GT(std::log2(coarse.velocity_l2 / fine.velocity_l2), 1.9)
        << scheme.name << ": " << coarse.velocity_l2 << ' ' << fine.velocity_l2;
    EXPECT_GT(std::log2(coarse.scalars[0].l2 / fine.scalars[0].l2), 1.85) << scheme.name;
    EXPECT_GT(std::log2(coarse.pressure_l2 / fine.pressure_l2), 1.5) << scheme.name;
  }
}

// Walls across y, driven along x by a force of 1; `across`: the axis between the walls.
Problem driven_channel(const Expression& viscosity) {
  Problem problem;
  problem.boundaries.set(0, SideKind::periodic);
  problem.boundaries.set(2, SideKind::periodic);
  problem.varying_viscosity = viscosity;
  problem.force[0] = 1;
  return problem;
}

// Largest error of the steady profile at cell centres, over its maximum.
template <class Space>
double error_of_profile(int dim, int cells, const Expression& viscosity,
                        const std::function<double(double)>& exact) {
  Settings settings = test::flow_settings_on<Space>(dim, 4, "backward_euler");
  settings.grid.axes[1].cells = cells;
  const auto flow = sim::make_flow(settings, driven_channel(viscosity));
  for (int step = 0; step < 60; ++step) EXPECT_TRUE(flow->advance(1e3).ok);
  const std::vector<double> u = flow->cell_arrays({"velocity"})[0].values;
  double error = 0, largest = 0;
  for (int j = 0; j < cells; ++j) {
    const double y = (j + 0.5) / cells;
    error = std::max(error, std::abs(u[3 * static_cast<std::size_t>(4 * j)] - exact(y)));
    largest = std::max(largest, exact(y));
  }
  return error / largest;
}

// u = n / (n + 1) (1 / K)^(1/n) (h^(1 + 1/n) - |y - h|^(1 + 1/n)), h = 1/2 (R. B. Bird, W. E.
// Stewart & E. N. Lightfoot, Transport Phenomena, 2002, Sec. 8.3).
TYPED_TEST(VaryingViscosity, of_a_power_law_gives_the_exact_profile_to_second_order) {
  for (const double n : {0.5, 1.6}) {
    const double K = 0.4;
    const Expression viscosity = sim::viscosity_of(
        {"power_law", {{"consistency", K}, {"exponent", n}, {"least_shear_rate", 1e-5}}});
    const auto exact = [&](double y) {
      const double power = 1 + 1 / n;
      return n / (n + 1) * std::pow(1 / K, 1 / n) *
             (std::pow(0.5, power) - std::pow(std::abs(y - 0.5), power));
    };
    const double coarse = error_of_profile<TypeParam>(2, 16, viscosity, exact),
                 fine = error_of_profile<TypeParam>(2, 32, viscosity, exact);
    EXPECT_LT(fine, 5e-3) << n;
    // Of n > 1 the profile has no second derivative in the middle.
    EXPECT_GT(std::log2(coarse / fine), n > 1 ? 1.4 : 1.8) << n << ": " << coarse << ' ' << fine;
    EXPECT_NEAR(error_of_profile<TypeParam>(3, 16, viscosity, exact), coarse, 1e-6) << n;
  }
}

// The shear rate g at which nu(g) g is a stress, by bisection; the profile by its integral.
TYPED_TEST(VaryingViscosity, of_carreau_and_cross_gives_the_exact_profile_to_second_order) {
  std::map<std::string, double> parameters{
      {"zero_shear", 0.5}, {"infinite_shear", 0.02}, {"time", 3.0}, {"exponent", 0.4}};
  const std::map<std::string, std::function<double(double)>> models{
      {"carreau", [](double g) { return 0.02 + 0.48 * std::pow(1 + 9 * g * g, -0.3); }},
      {"cross", [](double g) { return 0.02 + 0.48 / (1 + (3 * g)); }}};
  for (const auto& [name, nu] : models) {
    const auto shear_rate = [&nu = nu](double stress) {
      double below = 0, above = 100;
      for (int k = 0; k < 60; ++k) {
        const double g = 0.5 * (below + above);
        (nu(g) * g < stress ? below : above) = g;
      }
      return below;
    };
    const auto exact = [&](double y) {
      const double at = std::min(y, 1 - y);
      constexpr int parts = 400;
      double sum = 0;
      for (int k = 0; k < parts; ++k) sum += shear_rate(0.5 - at * (k + 0.5) / parts) * at / parts;
      return sum;
    };
    parameters["exponent"] = name == "cross" ? 1.0 : 0.4;
    const Expression viscosity = sim::viscosity_of({name, parameters});
    const double coarse = error_of_profile<TypeParam>(2, 16, viscosity, exact),
                 fine = error_of_profile<TypeParam>(2, 32, viscosity, exact);
    // The viscosity of cross has a kink in the middle.
    EXPECT_GT(std::log2(coarse / fine), name == "cross" ? 1.5 : 1.8)
        << name << ": " << coarse << ' ' << fine;
  }
}

// A plug: |y - h| < tau_0 moves as one, but for creep of the order g_0.
TYPED_TEST(VaryingViscosity, of_herschel_bulkley_moves_a_plug_as_one) {
  const Expression viscosity = sim::viscosity_of({"herschel_bulkley",
                                                  {{"yield_stress", 0.25},
                                                   {"consistency", 0.1},
                                                   {"exponent", 1.0},
                                                   {"least_shear_rate", 1e-3}}});
  const auto exact = [](double y) {  // Bingham: du/dy = (|y - h| - tau_0) / K beyond the plug
    const double r = std::max(std::abs(y - 0.5), 0.25);
    return (0.25 * 0.25 - (r - 0.25) * (r - 0.25)) / 0.2;
  };
  EXPECT_LT(error_of_profile<TypeParam>(2, 32, viscosity, exact), 0.05);
}

// The stress is the same in both layers.
TYPED_TEST(VaryingViscosity, of_two_layers_a_thousand_times_apart_shears_them_exactly) {
  for (const int dim : {2, 3})
    for (const sim::TimeScheme& scheme : sim::time_scheme_table()) {
      SCOPED_TRACE(std::string(scheme.name) + " in " + std::to_string(dim) + "D");
      Settings settings = test::flow_settings_on<TypeParam>(dim, 8, scheme.name);
      settings.grid.axes[0].cells = 4;
      Problem problem;
      problem.boundaries.set(0, SideKind::periodic);
      problem.boundaries.set(2, SideKind::periodic);
      problem.boundaries.sides[1][1].velocity = {3, 0, dim == 3 ? 1.5 : 0};
      problem.varying_viscosity = coefficient_of("y < 0.5 ? 1 : 1e-3");
      const auto exact = [dim](sim::Point x) {
        const double layer = 0.5 * 1e-3 / (0.5 * 1e-3 + 0.5);  // of the viscous one, over the speed
        const double u = x[1] < 0.5 ? 2 * layer * x[1] : layer + 2 * (1 - layer) * (x[1] - 0.5);
        return std::array{3 * u, 0.0, dim == 3 ? 1.5 * u : 0.0};
      };
      start_from(problem, {[exact](sim::Point x, double) { return exact(x); },
                           [](sim::Point, double) { return 0.0; }});
      const auto flow = sim::make_flow(settings, problem);
      const bool is_cn_ab2 = scheme.name == std::string("cn_ab2");
      const double dt = scheme.has_stages() ? 1e-4 : is_cn_ab2 ? 0.01 : 1.0;
      test::advance_flow(*flow, 4, dt, scheme.name);
      EXPECT_LT(flow->error_norms()->velocity_max, 1e-9);
      if (is_cn_ab2) {  // it does not damp what changes there in longer ones
        EXPECT_THAT(flow->advance(1.0).failure,
                    testing::AllOf(testing::HasSubstr("fluid.viscosity is 1e+03 times larger"),
                                   testing::HasSubstr("steps of at most 0.0156")));
      }
    }
}

// From rest, in steps of many diffusion times of the blob: the explicit part of the stress does not
// grow.
TYPED_TEST(VaryingViscosity, is_stable_in_long_steps_beside_a_viscous_blob) {
  for (const char* scheme : {"bdf2", "cn_ab2", "backward_euler"}) {
    Settings settings = test::flow_settings_on<TypeParam>(2, 16, scheme);
    settings.pressure.tolerance = 1e-8;
    settings.transport.tolerance = 1e-8;
    const bool is_cn_ab2 = scheme == std::string("cn_ab2");
    Problem problem;
    problem.boundaries.sides[1][1].velocity = {1, 0, 0};
    problem.initial_pressure = [](sim::Point) { return 0.0; };
    problem.varying_viscosity = coefficient_of(
        fmt::format("(x - 0.5)^2 + (y - 0.6)^2 < 0.04 ? {} : 0.05", is_cn_ab2 ? 5 : 100));
    const auto flow = sim::make_flow(settings, problem);
    const double dt = is_cn_ab2 ? 0.02 : 0.05;  // its convection is explicit
    for (int step = 0; step < 400; ++step) {
      ASSERT_TRUE(flow->advance(dt).ok) << scheme;
      ASSERT_LT(flow->diagnostics().max_speed, 1.01) << scheme << ", step " << step;
    }
    EXPECT_LT(flow->diagnostics().rate_of_change, 0.5) << scheme;
  }
}

TYPED_TEST(VaryingViscosity, that_does_not_vary_is_the_constant) {
  for (const sim::TimeScheme& scheme : sim::time_scheme_table()) {
    const Settings settings = test::flow_settings_on<TypeParam>(3, 6, scheme.name);
    Problem problem;
    problem.boundaries.sides[0][0] = {SideKind::inflow, {1, 0.2, 0}};
    problem.boundaries.sides[0][1] = {SideKind::outflow};
    problem.boundaries.sides[1][1].velocity = {0.5, 0, 0.3};
    problem.boundaries.set(2, SideKind::periodic);
    problem.initial_velocity = [](sim::Point) { return std::array{1.0, 0.0, 0.0}; };
    problem.viscosity = 0.02;
    const auto constant = sim::make_flow(settings, problem);
    problem.varying_viscosity = coefficient_of("0.02 + 0*x");
    const auto varying = sim::make_flow(settings, problem);
    for (int step = 0; step < 20; ++step) {
      ASSERT_TRUE(constant->advance(0.01).ok && varying->advance(0.01).ok) << scheme.name;
    }
    const auto of = [](const auto& flow) { return flow->cell_arrays({"velocity"})[0].values; };
    const std::vector<double> a = of(constant), b = of(varying);
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 2e-3) << scheme.name;
  }
}

// What a body takes is what the balance of momentum around it says.
TYPED_TEST(VaryingViscosity, acts_on_a_body_as_the_momentum_around_it_says) {
  Settings settings = test::flow_settings_on<TypeParam>(2, 24, "bdf2");
  Problem problem;
  problem.boundaries.sides[0][0] = {SideKind::inflow, {1, 0, 0}};
  problem.boundaries.sides[0][1] = {SideKind::outflow};
  problem.boundaries.sides[1] = {{{SideKind::slip}, {SideKind::slip}}};
  problem.initial_velocity = [](sim::Point) { return std::array{1.0, 0.0, 0.0}; };
  problem.varying_viscosity = coefficient_of("0.05*(1 + x + 2*y)");
  problem.solids = {{"block", {sim::BoxShape{{0.375, 0.375, 0}, {0.625, 0.625, 1}}}}};
  const auto flow = sim::make_flow(settings, problem);
  for (int step = 0; step < 200; ++step) ASSERT_TRUE(flow->advance(0.02).ok);
  const sim::BodyForce force = flow->forces()[0];
  ASSERT_TRUE(force.control);
  const double drag = force.pressure[0] + force.viscous[0];
  EXPECT_NEAR(drag, (*force.control)[0], 0.02 * std::abs(drag));
}

// Walls, an inflow and an outflow, a scalar on which both coefficients depend, in 2D and 3D.
sim::Problem shared_problem(int dim, bool shears) {
  Problem problem = test::problem_of(test::flows::cavity(dim));
  const std::vector<std::string> names{"c", "d"};
  problem.varying_viscosity = coefficient_of(
      shears ? "0.02 + 0.03/(1 + shear_rate^2)" : "0.02*exp(0.2*sin(c)) + 0.005*x*x", names);
  problem.scalars[0].varying_diffusivity = coefficient_of("0.01*(1.5 + sin(d + t))", names);
  return problem;
}

TYPED_TEST(VaryingViscosity, goes_on_bit_for_bit) {
  for (const int dim : {2, 3})
    for (const sim::TimeScheme& scheme : sim::time_scheme_table()) {
      SCOPED_TRACE(std::string(scheme.name) + " in " + std::to_string(dim) + "D");
      const Settings settings = test::flow_settings_on<TypeParam>(dim, 6, scheme.name);
      const Problem problem = shared_problem(dim, dim == 2);
      const auto flow = sim::make_flow(settings, problem),
                 again = sim::make_flow(settings, problem);
      test::expect_same_after_restoring(*flow, *again, {"velocity", "pressure", "c", "viscosity"});
      EXPECT_EQ(flow->diagnostics().diffusion.viscosity, again->diagnostics().diffusion.viscosity);
    }
}

TEST(VaryingViscosityInParts, has_the_bits_of_one_process) {
  for (const bool shears : {false, true})
    for (const char* scheme : {"bdf2", "cn_ab2", "rk3"}) {
      SCOPED_TRACE(scheme);
      tests::SharedFlow flow = tests::shared_flow(test::flows::cavity(3), scheme, "central");
      const Problem varying = shared_problem(3, shears);
      flow.problem.varying_viscosity = varying.varying_viscosity;
      flow.problem.scalars[0].varying_diffusivity = varying.scalars[0].varying_diffusivity;
      flow.settings.pressure.preconditioner = {"jacobi", {}};
      tests::expect_the_same_in_parts<3>(flow, 2);
    }
}

TYPED_TEST(VaryingViscosity, that_is_no_longer_positive_ends_the_step) {
  Settings settings = test::flow_settings_on<TypeParam>(2, 8, "bdf2");
  Problem problem;
  problem.varying_viscosity = coefficient_of("0.02 - t");
  const auto flow = sim::make_flow(settings, problem);
  ASSERT_TRUE(flow->advance(0.01).ok);
  const sim::StepReport report = flow->advance(0.02);
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(report.failure,
            "fluid.viscosity is -0.01 in step 2 at t = 0.03, expected a finite number > 0");
  EXPECT_EQ(report.bad_key, "fluid.viscosity");
}

TYPED_TEST(VaryingViscosity, bounds_explicit_steps_by_its_largest) {
  Settings settings = test::flow_settings_on<TypeParam>(2, 10, "rk3");
  Problem problem;
  problem.varying_viscosity = coefficient_of("0.01 + 0.03*x");
  const auto flow = sim::make_flow(settings, problem);
  const sim::Diagnostics now = flow->diagnostics();
  EXPECT_NEAR(now.diffusion.least_viscosity, 0.01 + 0.03 * 0.05, 1e-15);
  EXPECT_NEAR(now.diffusion.viscosity, 1.5 * (0.01 + 0.03 * 0.95) - 0.5 * (0.01 + 0.03 * 0.05),
              1e-15);
  measure_coefficients(settings.grid, problem);
  EXPECT_NEAR(problem.viscosity, 0.01 + 0.03 * 0.95, 1e-15);
  const sim::StableStep stable(settings, problem, flow->grid());
  // 2.5 h^2 / (nu (4 + 8 / sqrt(3))), walls along one axis of each component
  EXPECT_NEAR(stable.largest(0, 0, now.diffusion),
              2.5 * 0.01 / (now.diffusion.viscosity * (4 + 8 / std::sqrt(3.0))), 1e-12);
}

TEST(VaryingViscosityChecks, refuse_what_is_not_served) {
  const Settings settings = test::flow_settings(2, 8);
  const sim::Grid grid(settings.grid);
  const auto refusal = [&](const Problem& problem) {
    return test::message_of<ConfigError>([&] { (void)sim::make_flow(settings, problem); });
  };
  Problem problem;
  problem.varying_viscosity = coefficient_of("1 + x");
  Problem sharp = problem;
  sharp.solids = {{.name = "ball", .region = {sim::SphereShape{{0.5, 0.5, 0}, 0.2}}}};
  sharp.solids[0].sharp = true;
  EXPECT_EQ(refusal(sharp),
            "a viscosity or diffusivity varies, and the solids are sharp, expected constants or "
            "staircase (solids[0].treatment)");
  Problem porous = problem;
  porous.resistances.porous = {{{}, 3.0, 0.0}};
  EXPECT_THAT(refusal(porous), testing::StartsWith("porous[0].darcy multiplies the viscosity, "));
}

}  // namespace
}  // namespace hodge
