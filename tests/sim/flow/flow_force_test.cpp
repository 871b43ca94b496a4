// Frames that rotate, and forces that depend on the velocity and on scalars, in whole flows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "sim/flow/checks.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/schemes.hpp"
#include "sim/time/stability.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/restored_flow.hpp"
#include "tests/support/small_flows.hpp"
#include "tests/support/spaces.hpp"

namespace hodge {
namespace {

using sim::Problem;
using sim::Settings;
using sim::SideKind;

template <class Space>
class FlowForce : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(FlowForce, tests::Spaces, tests::SpaceName);

const std::vector<std::string> schemes{"bdf2", "backward_euler", "cn_ab2", "rk3", "ab2"};

double order_in_time(const std::string& scheme) {
  return scheme == "backward_euler" ? 1 : scheme == "rk3" ? 3 : 2;
}

sim::Expression of_flow(const std::string& text, int dim,
                        const std::vector<std::string>& scalars = {}) {
  return sim::Expression::parse(text, {{}, sim::force_variables(dim, scalars)});
}

Problem everywhere(int dim, std::array<double, 3> velocity) {
  Problem problem;
  problem.viscosity = 0.01;
  for (int d = 0; d < dim; ++d) problem.boundaries.set(d, SideKind::periodic);
  problem.initial_velocity = [velocity](const sim::Point&) { return velocity; };
  return problem;
}

std::array<double, 3> first_cell(const sim::Flow& flow) {
  const sim::CellArray u = flow.cell_arrays({"velocity"})[0];
  std::array<double, 3> value{};
  for (int d = 0; d < u.components; ++d)
    value[static_cast<std::size_t>(d)] = u.values[static_cast<std::size_t>(d)];
  return value;
}

std::array<double, 3> after(const Settings& settings, const Problem& problem, double end,
                            int steps) {
  const auto flow = sim::make_flow(settings, problem);
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(flow->advance(end / steps).ok);
  return first_cell(*flow);
}

double distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// A velocity turns by -2 Omega t about Omega.
TYPED_TEST(FlowForce, of_rotation_turns_a_uniform_velocity_to_the_order_of_the_scheme) {
  for (const std::string& scheme : schemes)
    for (const int dim : {2, 3}) {
      SCOPED_TRACE(scheme);
      Problem problem = everywhere(dim, {1, 0, 0});
      problem.rotation = {0, 0, 0.5};
      std::array<double, 3> exact{std::cos(2.0), -std::sin(2.0), 0};
      if (dim == 3) {  // about the diagonal: a third of a turn moves x to z
        const double omega = std::numbers::pi / (3 * 2 * std::sqrt(3));
        problem.rotation = {omega, omega, omega};
        exact = {0, 0, 1};
      }
      const Settings settings = test::flow_settings_on<TypeParam>(dim, 4, scheme);
      const double coarse = distance(after(settings, problem, 2, 40), exact),
                   fine = distance(after(settings, problem, 2, 80), exact);
      EXPECT_GT(std::log2(coarse / fine), order_in_time(scheme) - 0.15) << coarse << " " << fine;
      EXPECT_LT(fine, scheme == "backward_euler" ? 0.05 : 1e-3);
    }
}

// At the largest steps that ForceLimits allow nothing grows, whatever its wavelength.
TYPED_TEST(FlowForce, of_rotation_is_stable_in_the_longest_steps) {
  for (const std::string& scheme : schemes) {
    SCOPED_TRACE(scheme);
    Problem problem = everywhere(2, {1, 0, 0});
    problem.viscosity = 1e-4;  // none of which a uniform velocity feels
    problem.rotation = {0, 0, 0.5};
    problem.initial_velocity = [](const sim::Point& x) {
      const double k = 2 * std::numbers::pi;
      return std::array{1e-3 * (1 + std::sin(k * x[1])), 1e-3 * std::cos(3 * k * x[0]), 0.0};
    };
    const Settings settings = test::flow_settings_on<TypeParam>(2, 8, scheme);
    const double longest = sim::find_time_scheme(scheme).force.turning;
    const auto flow = sim::make_flow(settings, problem);
    const double before = flow->diagnostics().kinetic_energy;
    for (int k = 0; k < 400; ++k) ASSERT_TRUE(flow->advance(0.99 * longest).ok);
    EXPECT_LE(flow->diagnostics().kinetic_energy, 1.02 * before);
  }
}

// Over a wall at rest, with (1, 0) far above it:
// u = 1 - exp(-z/d) cos(z/d), v = exp(-z/d) sin(z/d), d^2 = nu / Omega
template <class Space>
double error_of_ekman_layer(const std::string& scheme, int cells) {
  Settings settings = test::flow_settings_on<Space>(3, 3, scheme);
  settings.grid.axes[2].cells = cells;
  settings.pressure.method = "direct";
  Problem problem;
  problem.viscosity = 0.02;
  problem.rotation = {0, 0, 0.5};
  const auto exact = [](double z) {
    const double s = z / std::sqrt(0.02 / 0.5);
    return std::array{1 - std::exp(-s) * std::cos(s), std::exp(-s) * std::sin(s), 0.0};
  };
  problem.boundaries.set(0, SideKind::periodic);
  problem.boundaries.set(1, SideKind::periodic);
  problem.boundaries.sides[2][1].velocity = {exact(1)[0], exact(1)[1], 0};
  problem.force[1] = 1;  // the pressure gradient that (1, 0) balances
  problem.initial_velocity = [exact](const sim::Point& x) { return exact(x[2]); };
  const auto flow = sim::make_flow(settings, problem);
  const bool is_explicit = scheme == "rk3" || scheme == "ab2";
  const double dt = is_explicit ? 0.15 / (0.02 * cells * cells) : 0.1;
  for (double t = 0; t < 4; t += dt) EXPECT_TRUE(flow->advance(dt).ok);
  const sim::CellArray u = flow->cell_arrays({"velocity"})[0];
  double largest = 0;
  for (int k = 0; k < cells; ++k) {
    const auto wanted = exact((k + 0.5) / cells);
    for (std::size_t d = 0; d < 2; ++d)
      largest =
          std::max(largest, std::abs(u.values[static_cast<std::size_t>(27 * k) + d] - wanted[d]));
  }
  return largest;
}

TYPED_TEST(FlowForce, of_rotation_makes_an_ekman_layer_of_second_order_in_space) {
  for (const std::string& scheme : schemes) {
    const double coarse = error_of_ekman_layer<TypeParam>(scheme, 8),
                 fine = error_of_ekman_layer<TypeParam>(scheme, 16);
    EXPECT_GT(std::log2(coarse / fine), 1.85) << scheme << ": " << coarse << " " << fine;
    EXPECT_LT(fine, 4e-3) << scheme;
  }
}

// What a steady force that varies along z does: the part of the flow that varies along z, over that
// which does not.
template <class Space>
double variation_along_axis(double omega) {
  Settings settings = test::flow_settings_on<Space>(3, 12, "rk3");
  settings.pressure.method = "direct";
  Problem problem = everywhere(3, {0, 0, 0});
  problem.rotation = {0, 0, omega};
  problem.force[1] = sim::Expression::parse("0.02*sin(2*pi*x)*(1 + cos(2*pi*z))");
  const auto flow = sim::make_flow(settings, problem);
  for (int k = 0; k < 300; ++k) EXPECT_TRUE(flow->advance(0.02).ok);
  const std::vector<double> u = flow->cell_arrays({"velocity"})[0].values;
  const std::size_t n = 12, layer = 3 * n * n;
  double mean_squares = 0, squares = 0;
  for (std::size_t i = 0; i < layer; ++i) {
    double mean = 0;
    for (std::size_t k = 0; k < n; ++k) mean += u[k * layer + i] / n;
    mean_squares += n * mean * mean;
    for (std::size_t k = 0; k < n; ++k) squares += std::pow(u[k * layer + i] - mean, 2);
  }
  return std::sqrt(squares / mean_squares);
}

// Taylor and Proudman: at small Rossby numbers (here 1e-3) a slow flow does not vary along Omega.
TYPED_TEST(FlowForce, of_fast_rotation_makes_flows_two_dimensional) {
  EXPECT_GT(variation_along_axis<TypeParam>(0), 0.3);
  EXPECT_LT(variation_along_axis<TypeParam>(10), 0.03);
}

// Drag by a formula: u' = -u^2, u = 1 / (1 + t), where u < 1.
TYPED_TEST(FlowForce, of_drag_slows_to_the_order_of_the_scheme) {
  for (const std::string& scheme : schemes) {
    SCOPED_TRACE(scheme);
    Problem problem = everywhere(2, {1, 0, 0});
    problem.flow_force[0] = of_flow("-u*sqrt(u^2 + v^2)", 2);
    const Settings settings = test::flow_settings_on<TypeParam>(2, 4, scheme);
    const std::array<double, 3> exact{1.0 / 3, 0, 0};
    const double coarse = distance(after(settings, problem, 2, 40), exact),
                 fine = distance(after(settings, problem, 2, 80), exact);
    EXPECT_GT(std::log2(coarse / fine), order_in_time(scheme) - 0.2) << coarse << " " << fine;
  }
}

// A force of a scalar is what buoyancy makes of it.
TYPED_TEST(FlowForce, of_a_scalar_is_its_buoyancy) {
  for (const std::string& scheme : schemes)
    for (const int dim : {2, 3}) {
      SCOPED_TRACE(scheme);
      test::FlowSketch sketch = test::flows::channel(dim);
      const Problem lifted = test::problem_of(sketch);
      Problem forced = lifted;
      forced.scalars[0].buoyancy = {};
      for (int d = 0; d < dim; ++d)
        forced.flow_force[static_cast<std::size_t>(d)] = of_flow(
            fmt::format("{}*(c - 0.7)", lifted.scalars[0].buoyancy[static_cast<std::size_t>(d)]),
            dim, {"c"});
      Settings settings = test::flow_settings_on<TypeParam>(dim, 4, scheme);
      settings.grid.axes = sketch.axes;
      const auto one = sim::make_flow(settings, lifted), other = sim::make_flow(settings, forced);
      for (const double dt : {0.02, 0.03}) {
        ASSERT_TRUE(one->advance(dt).ok);
        ASSERT_TRUE(other->advance(dt).ok);
      }
      const auto a = one->cell_arrays({"velocity"})[0].values,
                 b = other->cell_arrays({"velocity"})[0].values;
      for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-7);
    }
}

// A frame that moves with a uniform velocity sees the same flow: what stands between walls at rest
// moves on by whole cells where walls and fluid have that velocity besides. To the order of the
// discretisation: of a smooth flow four times closer on half the cells.
template <class Space>
double change_by_moving_frame(int cells, bool with_drag) {
  const auto start = [](double uniform) {
    return [uniform](const sim::Point& x) {
      const double k = 2 * std::numbers::pi, s = std::sin(0.5 * k * x[1]);
      return std::array{uniform + std::sin(k * x[0]) * std::sin(k * x[1]) * 0.5,
                        -std::cos(k * x[0]) * s * s, 0.0};
    };
  };
  std::vector<double> values[2];
  for (const int moves : {0, 1}) {
    Settings settings = test::flow_settings_on<Space>(2, cells, "rk3");
    settings.pressure.method = "direct";
    Problem problem;
    problem.viscosity = 0.02;
    problem.boundaries.set(0, SideKind::periodic);
    for (sim::Side& side : problem.boundaries.sides[1]) side.velocity[0] = moves;
    problem.initial_velocity = start(moves);
    if (with_drag) problem.flow_force[0] = of_flow(fmt::format("-3*(u - {})", moves), 2);
    const auto flow = sim::make_flow(settings, problem);
    for (int k = 0; k < 4 * cells; ++k) EXPECT_TRUE(flow->advance(0.125 / cells).ok);
    values[moves] = flow->cell_arrays({"velocity"})[0].values;  // at t = 1/2
  }
  const auto n = static_cast<std::size_t>(cells);
  double largest = 0;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t d = 0; d < 2; ++d)
        largest = std::max(largest, std::abs(values[0][3 * (j * n + i) + d] + (d == 0 ? 1 : 0) -
                                             values[1][3 * (j * n + (i + n / 2) % n) + d]));
  return largest;
}

TYPED_TEST(FlowForce, does_not_know_the_velocity_of_the_frame) {
  for (const bool with_drag : {false, true}) {
    const double coarse = change_by_moving_frame<TypeParam>(16, with_drag),
                 fine = change_by_moving_frame<TypeParam>(32, with_drag);
    EXPECT_GT(std::log2(coarse / fine), 1.7) << coarse << " " << fine;
  }
}

TYPED_TEST(FlowForce, goes_on_bit_for_bit) {
  for (const std::string& scheme : schemes)
    for (const int dim : {2, 3}) {
      const test::FlowSketch sketch = test::flows::turning(test::flows::cavity(dim));
      Settings settings = test::flow_settings_on<TypeParam>(dim, 4, scheme);
      settings.grid.axes = sketch.axes;
      const Problem problem = test::problem_of(sketch);
      const auto flow = sim::make_flow(settings, problem),
                 again = sim::make_flow(settings, problem);
      test::expect_same_after_restoring(*flow, *again, {"velocity", "pressure", "c"});
    }
}

// The power of rotation is 0: the energy of a fluid without friction between walls and around a
// body changes as it does without.
TYPED_TEST(FlowForce, of_rotation_does_no_work) {
  for (const bool sharp : {false, true}) {
    double energy[2];
    for (const int turns : {0, 1}) {
      Settings settings = test::flow_settings_on<TypeParam>(2, 12, "rk3");
      settings.grid.axes[0] = test::uneven(12, 0, 1);
      settings.grid.axes[1] = test::uneven(12, 0, 1);
      Problem problem;
      problem.viscosity = sharp ? 1e-4 : 0;
      problem.rotation = {0, 0, turns * 40.0};
      sim::Solid ball{"ball", {sim::SphereShape{{0.45, 0.55, 0}, 0.2}}};
      ball.sharp = sharp;
      problem.solids.push_back(ball);
      problem.initial_velocity = [](const sim::Point& x) {
        return std::array{std::sin(3 * x[0]) * std::cos(5 * x[1]), std::sin(4 * x[0] + x[1]), 0.0};
      };
      const auto flow = sim::make_flow(settings, problem);
      const double before = flow->diagnostics().kinetic_energy;
      for (int k = 0; k < 200; ++k) ASSERT_TRUE(flow->advance(1e-3).ok);
      energy[turns] = flow->diagnostics().kinetic_energy / before;
    }
    EXPECT_NEAR(energy[0], energy[1], sharp ? 2e-3 : 1e-4) << sharp;
  }
}

TEST(FlowForceLimits, bound_steps_by_rotation_and_formulas) {
  Settings settings = test::flow_settings(2, 8);
  settings.time.scheme = "bdf2";
  Problem problem = everywhere(2, {1, 0, 0});
  problem.rotation = {0, 0, 2};
  const sim::Grid grid(settings.grid);
  const sim::StableStep stable(settings, problem, grid);
  EXPECT_DOUBLE_EQ(stable.largest(8, 1), 0.9 / 4);
  EXPECT_DOUBLE_EQ(stable.largest(0, 0), 0.9 / 4);
  problem.flow_force[0] = of_flow("-13*u + 0.2*v", 2);
  problem.flow_force[1] = of_flow("0.1*x", 2);
  const auto flow = sim::make_flow(settings, problem);
  const sim::PresentDiffusion now = flow->diagnostics().diffusion;
  EXPECT_DOUBLE_EQ(now.force_decay, 13);
  EXPECT_DOUBLE_EQ(now.force_coupling, 0.2);
  EXPECT_DOUBLE_EQ(stable.largest(8, 1, now), 1 / (4 / 0.9 + 13 / 1.3 + 0.2 / 0.1));
  settings.time.step.size = 0.1;
  const std::string message = test::message_of<ConfigError>(
      [&] { sim::check_fixed_step(settings, problem, grid, 8, 1, now); });
  EXPECT_EQ(message,
            "time.step.size is 0.1; with the initial velocity bdf2 with central convection is "
            "stable up to 0.06081; by rotation and forces that depend on the velocity alone "
            "bdf2 is stable up to 0.06081: take smaller steps");
}

}  // namespace
}  // namespace hodge
