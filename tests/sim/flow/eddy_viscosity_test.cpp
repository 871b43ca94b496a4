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
  for (const char* model : {"dynamic_smagorinsky", "wale", "vreman", "sigma"}) {
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
    if (closure.is_dynamic) continue;  // its constant depends on the grid
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
      if (closure.is_dynamic) continue;  // hardly any in vortices of one size
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
  for (const char* model : {"smagorinsky", "dynamic_smagorinsky", "wale"}) {
    SCOPED_TRACE(model);
    tests::SharedFlow flow = tests::shared_flow(test::flows::cavity(3), "rk3", "central");
    flow.problem.turbulence = turbulence(model);
    flow.settings.pressure.preconditioner = {"jacobi", {}};
    tests::expect_the_same_in_parts<3>(flow, 3);
  }
}

// Planes along the axis that processes share, lines along another one, and the whole box.
TEST(EddyViscosityInParts, has_the_bits_of_one_process_in_means_along_periodic_axes) {
  for (const std::vector<int>& axes : std::vector<std::vector<int>>{{0, 2}, {0}, {2}, {0, 1, 2}}) {
    test::FlowSketch sketch = test::flows::periodic_box(3);
    sketch.solids.clear();
    const std::string y = "sin(2*pi*(y - 0.3)/1.2)";
    sketch.velocity = {y + "*" + y + "*sin(2*pi*(z + 1)/0.9)", y + "*cos(2*pi*(x + 0.4)/1.1)",
                       y + "*" + y + "*sin(4*pi*(x + 0.4)/1.1)"};
    for (int d = 0; d < 3; ++d) {
      const bool wraps = std::ranges::count(axes, d) > 0;
      for (test::SketchedSide& side : sketch.sides[static_cast<std::size_t>(d)])
        side = {wraps ? SideKind::periodic : SideKind::wall};
    }
    tests::SharedFlow flow = tests::shared_flow(sketch, "rk3", "central");
    flow.problem.turbulence = turbulence("dynamic_smagorinsky");
    flow.settings.pressure.preconditioner = {"jacobi", {}};
    for (const int processes : {2, 3}) tests::expect_the_same_in_parts<3>(flow, processes);
  }
}

// Waves of several lengths without divergence on the grid, in which u_d does not vary along d.
std::array<double, 3> rough(const sim::Point& x) {
  constexpr double k = 2 * std::numbers::pi;
  const auto wave = [](double s, double t) {
    return std::sin(k * s + 0.3) + 0.6 * std::cos(3 * k * t) + 0.4 * std::sin(2 * k * (s + t)) +
           0.3 * std::cos(5 * k * s) * std::sin(4 * k * t);
  };
  return {wave(x[1], x[2]), wave(x[2], x[0]), 0.7 * wave(x[0], x[1])};
}

// The quotient of Lilly in its plainest form: all fields of the whole box, every pair of indices,
// a filter by 27 weights.
double plain_constant(int n) {
  const double h = 1.0 / n;
  using Matrix = std::array<std::array<double, 3>, 3>;
  struct Cell {
    std::array<double, 3> u{};
    Matrix s{}, ss{}, uu{};
    double size = 0;
  };
  const auto place = [n](int i, int j, int k) {
    const auto wrapped = [n](int m) { return static_cast<std::size_t>((m + n) % n); };
    const auto count = static_cast<std::size_t>(n);
    return wrapped(i) + count * (wrapped(j) + count * wrapped(k));
  };
  const auto velocity = [h](int i, int j, int k) {
    return rough({(i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h});
  };
  std::vector<Cell> cells(static_cast<std::size_t>(n * n * n)), filtered = cells;
  const auto for_all = [n](auto visit) {
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) visit(i, j, k);
  };
  for_all([&](int i, int j, int k) {
    Cell& c = cells[place(i, j, k)];
    c.u = velocity(i, j, k);
    Matrix g{};
    for (std::size_t e = 0; e < 3; ++e) {
      const int di = e == 0, dj = e == 1, dk = e == 2;
      const auto above = velocity(i + di, j + dj, k + dk), below = velocity(i - di, j - dj, k - dk);
      for (std::size_t d = 0; d < 3; ++d) g[d][e] = (above[d] - below[d]) / (2 * h);
    }
    double squares = 0;
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t e = 0; e < 3; ++e) {
        c.s[d][e] = 0.5 * (g[d][e] + g[e][d]);
        squares += c.s[d][e] * c.s[d][e];
      }
    c.size = std::sqrt(2 * squares);
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t e = 0; e < 3; ++e) {
        c.ss[d][e] = c.size * c.s[d][e];
        c.uu[d][e] = c.u[d] * c.u[e];
      }
  });
  double lm = 0, mm = 0;
  for_all([&](int i, int j, int k) {
    Cell f;
    for (int a = -1; a <= 1; ++a)
      for (int b = -1; b <= 1; ++b)
        for (int c = -1; c <= 1; ++c) {
          const double weight = (a == 0 ? 4 : 1) * (b == 0 ? 4 : 1) * (c == 0 ? 4 : 1) / 216.0;
          const Cell& of = cells[place(i + a, j + b, k + c)];
          for (std::size_t d = 0; d < 3; ++d) {
            f.u[d] += weight * of.u[d];
            for (std::size_t e = 0; e < 3; ++e) {
              f.s[d][e] += weight * of.s[d][e];
              f.ss[d][e] += weight * of.ss[d][e];
              f.uu[d][e] += weight * of.uu[d][e];
            }
          }
        }
    double squares = 0;
    for (const auto& row : f.s)
      for (const double s : row) squares += s * s;
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t e = 0; e < 3; ++e) {
        const double l = f.uu[d][e] - f.u[d] * f.u[e];
        const double m = 2 * h * h * (f.ss[d][e] - 4 * std::sqrt(2 * squares) * f.s[d][e]);
        lm += l * m;
        mm += m * m;
      }
  });
  return lm / mm;
}

TYPED_TEST(EddyViscosity, of_dynamic_smagorinsky_has_the_constant_of_lilly) {
  constexpr int n = 12;
  const double wanted = plain_constant(n);
  ASSERT_GT(wanted, 1e-4);
  Problem problem = vortex_box("dynamic_smagorinsky", 0.01);
  problem.initial_velocity = rough;
  problem.turbulence->constant = 2;
  const Settings settings = test::flow_settings_on<TypeParam>(3, n, "rk3");
  const auto dynamic = sim::make_flow(settings, problem);
  problem.turbulence = turbulence("smagorinsky");
  const auto plain = sim::make_flow(settings, problem);
  const std::vector<double> nu = dynamic->cell_arrays({"eddy_viscosity"})[0].values,
                            of_one = plain->cell_arrays({"eddy_viscosity"})[0].values;
  for (std::size_t i = 0; i < nu.size(); ++i)
    ASSERT_NEAR(nu[i], wanted / 0.01 * of_one[i], 1e-7 * wanted);
}

// Beside walls u and w grow as y and v as y^2; v carries slow fluid upwards, so that C > 0.
TYPED_TEST(EddyViscosity, of_dynamic_smagorinsky_falls_with_the_third_power_at_walls) {
  Settings settings = test::flow_settings_on<TypeParam>(3, 8, "rk3");
  settings.grid.axes[1] = {.cells = 48, .stretching = "tanh", .strength = 2.5};
  Problem problem = couette("dynamic_smagorinsky");
  problem.boundaries.sides[1][1].velocity = {0, 0, 0};
  problem.initial_velocity = [](const sim::Point& x) {
    constexpr double k = 2 * std::numbers::pi;
    const double y = x[1], along = y * (1 - y) * (1 - 2 * y),
                 across = y * y * (1 - y) * (1 - y) / 2;
    const double f = 4 + std::sin(k * x[0]) * std::cos(2 * k * x[2]);
    const double f_x = k * std::cos(k * x[0]) * std::cos(2 * k * x[2]);
    const double h = std::sin(k * x[0]) * std::sin(2 * k * x[2]);
    const double h_z = 2 * k * std::sin(k * x[0]) * std::cos(2 * k * x[2]);
    return std::array{along * f, -across * (f_x + h_z), along * h};
  };
  const auto flow = sim::make_flow(settings, problem);
  const std::vector<double> nu = flow->cell_arrays({"eddy_viscosity"})[0].values;
  const auto near = [&](int j) {  // means over planes
    double sum = 0;
    for (std::size_t k = 0; k < 8; ++k)
      for (std::size_t i = 0; i < 8; ++i) sum += nu[i + 8 * (static_cast<std::size_t>(j) + 48 * k)];
    return std::pair{flow->grid().axis(1).centre(j), sum / 64};
  };
  const auto [y1, nu1] = near(2);
  const auto [y2, nu2] = near(6);
  ASSERT_GT(nu1, 0);
  EXPECT_NEAR(std::log(nu2 / nu1) / std::log(y2 / y1), 3, 0.5) << nu1 << ' ' << nu2;
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
  problem.turbulence->average = "local";
  EXPECT_EQ(refusal(problem, 3),
            "turbulence.average is of dynamic_smagorinsky, and turbulence.model is wale, expected "
            "no such key");
  problem.turbulence = turbulence("dynamic_smagorinsky");
  problem.turbulence->average = "periodic";
  EXPECT_EQ(refusal(problem, 3), "turbulence.average is periodic, and no axis is, expected local");
  problem.prescribed_velocity = sim::PrescribedVelocity{1, 0, 0};
  problem.scalars.emplace_back().name = "c";
  EXPECT_EQ(refusal(problem, 3),
            "the velocity is prescribed, and turbulence is a model of one that is solved for, "
            "expected no such key");
}

}  // namespace
}  // namespace hodge
