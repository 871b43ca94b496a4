// Large-eddy simulation in whole flows; closures by themselves:
// discrete/operators/closures_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "sim/discrete/grid/sampling.hpp"
#include "sim/discrete/operators/closures/closures.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/schemes.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/flow_in_parts.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/restored_flow.hpp"
#include "tests/support/spaces.hpp"

namespace hodge {
namespace {

using sim::Problem;
using sim::Settings;
using sim::SideKind;

template <class Space>
class EddyViscosity : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(EddyViscosity, tests::Spaces, tests::SpaceName);

sim::Turbulence turbulence(const std::string& model) {
  for (const sim::Closure& closure : sim::closure_table())
    if (model == closure.name) return {model, closure.constant};
  return {};
}

// Between walls across y, u = 3 y.
Problem couette(const std::string& model) {
  Problem problem;
  problem.viscosity = 0.01;
  problem.boundaries.set(0, SideKind::periodic);
  problem.boundaries.set(2, SideKind::periodic);
  problem.boundaries.sides[1][1].velocity = {3, 0, 0};
  problem.initial_velocity = [](sim::Point x) { return std::array{3 * x[1], 0.0, 0.0}; };
  problem.turbulence = turbulence(model);
  return problem;
}

TYPED_TEST(EddyViscosity, of_smagorinsky_is_damped_by_van_driest_beside_walls) {
  const Settings settings = test::flow_settings_on<TypeParam>(3, 8, "rk3");
  const auto flow = sim::make_flow(settings, couette("smagorinsky"));
  const std::vector<double> eddy = flow->cell_arrays({"eddy_viscosity"})[0].values,
                            all = flow->cell_arrays({"viscosity"})[0].values;
  const double friction_speed = std::sqrt(0.01 * 3);  // of both walls
  for (std::size_t j = 0; j < 8; ++j) {
    const double y = (static_cast<double>(j) + 0.5) / 8, from_wall = std::min(y, 1 - y);
    const double damping = 1 - std::exp(-from_wall * friction_speed / 0.01 / 26);
    const double expected = std::pow(0.1 / 8 * damping, 2) * 3;
    for (const std::size_t k : {8 * j, 64 * 5 + 8 * j + 3}) {
      EXPECT_NEAR(eddy[k], expected, 1e-12) << j;
      EXPECT_NEAR(all[k], 0.01 + expected, 1e-12) << j;
    }
  }
}

TYPED_TEST(EddyViscosity, of_the_others_is_zero_in_a_shear) {
  for (const char* model : {"wale", "vreman", "sigma"}) {
    const auto flow =
        sim::make_flow(test::flow_settings_on<TypeParam>(3, 8, "rk3"), couette(model));
    const std::vector<double> eddy = flow->cell_arrays({"eddy_viscosity"})[0].values;
    EXPECT_LT(*std::ranges::max_element(eddy), 1e-8) << model;
  }
}

// Without divergence, periodic over 1.
std::array<double, 3> vortices(const sim::Point& x) {
  constexpr double k = 2 * std::numbers::pi;
  return {std::sin(k * x[0]) * std::cos(k * x[1]) + 0.3 * std::cos(k * x[2]),
          -std::cos(k * x[0]) * std::sin(k * x[1]) + 0.2 * std::sin(k * x[0]),
          0.5 * std::sin(k * (x[0] - x[1]))};
}

Problem vortex_box(const std::string& model, double viscosity) {
  Problem problem;
  problem.viscosity = viscosity;
  for (int d = 0; d < 3; ++d) problem.boundaries.set(d, SideKind::periodic);
  problem.initial_velocity = vortices;
  problem.turbulence = turbulence(model);
  return problem;
}

// Of the exact gradient at the centre of every cell, over the square of the cell.
template <class Space>
double error_of_closure(const std::string& model, int cells) {
  const auto flow =
      sim::make_flow(test::flow_settings_on<Space>(3, cells, "rk3"), vortex_box(model, 0.01));
  const std::vector<double> eddy = flow->cell_arrays({"eddy_viscosity"})[0].values;
  const double h = 1.0 / cells;
  double sum = 0;
  std::size_t next = 0;
  sim::for_each_on_host(all_cells(flow->grid()), [&](const sim::Index<3>& c) {
    sim::ClosureInput at{};
    constexpr double step = 1e-5;
    for (int e = 0; e < 3; ++e) {
      at.width[e] = h;
      sim::Point below{}, above{};
      for (int d = 0; d < 3; ++d) below[d] = above[d] = (c[d] + 0.5) * h;
      below[e] -= step;
      above[e] += step;
      for (int d = 0; d < 3; ++d)
        at.g[d][e] = (vortices(above)[static_cast<std::size_t>(d)] -
                      vortices(below)[static_cast<std::size_t>(d)]) /
                     (2 * step);
    }
    double exact = 0;
    sim::with_closure(model, [&](auto closure) {
      exact = decltype(closure)::eddy_viscosity(at, closure.row.constant);
    });
    sum += std::pow((eddy[next++] - exact) / (h * h), 2);
  });
  return std::sqrt(sum / static_cast<double>(next));
}

TYPED_TEST(EddyViscosity, converges_with_second_order_to_that_of_the_exact_gradient) {
  for (const sim::Closure& closure : sim::closure_table()) {
    const double coarse = error_of_closure<TypeParam>(closure.name, 16),
                 fine = error_of_closure<TypeParam>(closure.name, 32);
    EXPECT_GT(std::log2(coarse / fine), 1.6) << closure.name << ": " << coarse << ' ' << fine;
  }
}

// At Re = 1600 and 16^3 cells nearly all that the flow loses it loses to the model.
TYPED_TEST(EddyViscosity, takes_energy_as_its_dissipation_says_in_every_scheme) {
  for (const sim::TimeScheme& scheme : sim::time_scheme_table())
    for (const sim::Closure& closure : sim::closure_table()) {
      SCOPED_TRACE(std::string(scheme.name) + " with " + closure.name);
      Settings settings = test::flow_settings_on<TypeParam>(3, 12, scheme.name);
      settings.pressure.tolerance = settings.transport.tolerance = 1e-8;
      const auto flow = sim::make_flow(settings, vortex_box(closure.name, 1e-4));
      double energy = flow->diagnostics().kinetic_energy;
      constexpr double dt = 0.01;
      const auto dissipation = [&] {
        for (const sim::Quantity& one : flow->quantities())
          if (one.name == "dissipation") return one.value;
        return 0.0;
      };
      double lost = 0, spent = 0;
      for (int step = 0; step < 8; ++step) {
        const double before = dissipation();
        ASSERT_TRUE(flow->advance(dt).ok);
        const double now = flow->diagnostics().kinetic_energy;
        EXPECT_LT(now, energy);
        lost += energy - now;
        spent += 0.5 * dt * (before + dissipation());
        energy = now;
      }
      const double most = scheme.name == std::string("backward_euler") ? 1.0 : 0.25;
      EXPECT_NEAR(lost, spent, most * spent);
    }
}

sim::Problem with_scalar(const std::string& model) {
  Problem problem = test::problem_of(test::flows::cavity(3));
  problem.turbulence = turbulence(model);
  return problem;
}

TYPED_TEST(EddyViscosity, goes_on_bit_for_bit) {
  for (const sim::Closure& closure : sim::closure_table())
    for (const char* scheme : {"bdf2", "ab2", "rk3"}) {
      SCOPED_TRACE(std::string(closure.name) + " with " + scheme);
      const Settings settings = test::flow_settings_on<TypeParam>(3, 6, scheme);
      const Problem problem = with_scalar(closure.name);
      const auto flow = sim::make_flow(settings, problem),
                 again = sim::make_flow(settings, problem);
      test::expect_same_after_restoring(*flow, *again,
                                        {"velocity", "pressure", "c", "eddy_viscosity"});
    }
}

TEST(EddyViscosityInParts, has_the_bits_of_one_process) {
  for (const char* model : {"smagorinsky", "wale"}) {
    SCOPED_TRACE(model);
    tests::SharedFlow flow = tests::shared_flow(test::flows::cavity(3), "rk3", "central");
    flow.problem.turbulence = turbulence(model);
    flow.settings.pressure.preconditioner = {"jacobi", {}};
    tests::expect_the_same_in_parts<3>(flow, 3);
  }
}

// dc/dt = (D + nu_t / Pr_t) c'' of a wave, in a solid-body-like flow whose eddy viscosity is
// uniform.
TYPED_TEST(EddyViscosity, mixes_scalars_by_the_turbulent_prandtl_number) {
  const auto decay = [](double prandtl) {
    Problem problem = couette("smagorinsky");
    problem.viscosity = 0;  // no damping
    for (sim::Side& side : problem.boundaries.sides[1]) side.kind = SideKind::slip;
    problem.turbulence->constant = 2;
    problem.turbulence->prandtl = prandtl;
    problem.prescribed_velocity.reset();
    sim::ScalarProblem& c = problem.scalars.emplace_back();
    c.name = "c";
    c.initial = [](sim::Point x) { return std::cos(2 * std::numbers::pi * x[2]); };
    const auto flow = sim::make_flow(test::flow_settings_on<TypeParam>(3, 8, "rk3"), problem);
    EXPECT_TRUE(flow->advance(1e-3).ok);
    const double before = std::cos(2 * std::numbers::pi / 16);
    const std::size_t middle = 8 * 4;  // far from the sides, where slip bends the profile
    return 1 - flow->cell_arrays({"c"})[0].values[middle] / before;
  };
  const double rate =
      1e-3 * std::pow(2.0 / 8, 2) * 3 * std::pow(2 * std::sin(std::numbers::pi / 8) * 8, 2);
  EXPECT_NEAR(decay(1), rate, 0.01 * rate);
  EXPECT_NEAR(decay(0.5), 2 * rate, 0.02 * rate);
}

TEST(EddyViscosityChecks, refuse_two_dimensions_and_prescribed_velocities) {
  const auto refusal = [](const Problem& problem, int dim) {
    return test::message_of<ConfigError>(
        [&] { (void)sim::make_flow(test::flow_settings(dim, 6), problem); });
  };
  Problem problem;
  problem.turbulence = turbulence("wale");
  EXPECT_EQ(refusal(problem, 2), "turbulence models need three dimensions, and the grid has two");
  problem.prescribed_velocity = sim::PrescribedVelocity{1, 0, 0};
  problem.scalars.emplace_back().name = "c";
  EXPECT_EQ(refusal(problem, 3),
            "the velocity is prescribed, and turbulence is a model of one that is solved for, "
            "expected no such key");
}

}  // namespace
}  // namespace hodge
