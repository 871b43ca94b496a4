// What sides say, in steady flows whose solution is a straight line: exact on any grid, for every
// axis, side and component.
#include <gtest/gtest.h>

#include "sim/flow/flow.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/sim_objects.hpp"
#include "tests/support/spaces.hpp"

namespace hodge {
namespace {

using sim::ScalarSideKind;
using sim::SideKind;

template <class Space>
class SideConditions : public tests::SpaceTest<Space> {
 protected:
  static sim::Settings settings(int dim, const std::string& scheme = "backward_euler") {
    sim::Settings settings = test::flow_settings(dim, 4);
    settings.device = std::is_same_v<Space, linalg::Host> ? "cpu" : "cuda";
    settings.time.scheme = scheme;
    settings.grid.axes = {test::uneven(5, -0.4, 0.7), test::uneven(6, 0.3, 1.5),
                          test::uneven(4, -1.0, -0.1)};
    for (sim::SystemSettings* solver :
         {&settings.pressure, &settings.transport, &settings.scalars}) {
      solver->method = "gauss";
      solver->preconditioner = {"none"};
      solver->tolerance = 1e-12;
    }
    return settings;
  }
  static void advance(sim::Flow& flow, int steps, double dt) {
    for (int i = 0; i < steps; ++i) {
      const sim::StepReport report = flow.advance(dt);
      ASSERT_TRUE(report.ok) << report.failure;
    }
  }
  // Column `column` of a field at points from one side of the axis to the other: its coordinate in
  // [0, 1] and the value.
  static std::vector<std::array<double, 2>> profile(const sim::Flow& flow, int axis,
                                                    const std::string& field, int column) {
    std::vector<std::array<double, 2>> values;
    for (const double s : {0.0, 0.05, 0.3, 0.7, 0.95, 1.0}) {
      sim::Point x{};
      for (int d = 0; d < flow.grid().dim(); ++d) {
        const sim::Axis& along = flow.grid().axis(d);
        const double at = d == axis ? s : 0.4;
        x[static_cast<std::size_t>(d)] =
            at == 1 ? along.upper() : along.lower() + at * along.length();
      }
      values.push_back({s, flow.values_at({x}, {field})[0][static_cast<std::size_t>(column)]});
    }
    return values;
  }
};
TYPED_TEST_SUITE(SideConditions, tests::Spaces, tests::SpaceName);

sim::Problem periodic_but_along(int axis, SideKind kind) {
  sim::Problem problem;
  problem.density = 3;
  problem.viscosity = 2;
  for (auto& sides : problem.boundaries.sides)
    for (sim::Side& side : sides) side.kind = SideKind::periodic;
  problem.boundaries.set(axis, kind);
  return problem;
}

template <class Visit>
void for_each_side_and_component(Visit visit) {
  for (const int dim : {2, 3})
    for (const auto [axis, side] : sim::sides_of_box(dim))
      for (int component = 0; component < dim; ++component)
        if (component != axis) visit(dim, axis, side, component);
}

TYPED_TEST(SideConditions, a_wall_takes_the_fluid_with_it_in_every_direction) {
  for_each_side_and_component([&](int dim, int axis, int side, int component) {
    SCOPED_TRACE(std::to_string(dim) + "D, side " + sim::side_name(axis, side) + ", component " +
                 std::to_string(component));
    sim::Problem problem = periodic_but_along(axis, SideKind::wall);
    problem.boundaries.sides[axis][side].velocity[component] = 1.5;
    const auto flow = sim::make_flow(this->settings(dim), problem);
    this->advance(*flow, 4, 1e4);
    for (const auto [s, u] : this->profile(*flow, axis, "velocity", component))
      EXPECT_NEAR(u, 1.5 * (side == 0 ? 1 - s : s), 1e-6) << s;
    for (int other = 0; other < dim; ++other) {
      if (other == component) continue;
      for (const auto [s, u] : this->profile(*flow, axis, "velocity", other))
        EXPECT_NEAR(u, 0, 1e-9) << other;
    }
  });
}

// Opposite a slip side the whole fluid moves with the wall.
TYPED_TEST(SideConditions, a_slip_side_takes_nothing_off) {
  for_each_side_and_component([&](int dim, int axis, int side, int component) {
    SCOPED_TRACE(std::to_string(dim) + "D, side " + sim::side_name(axis, side) + ", component " +
                 std::to_string(component));
    sim::Problem problem = periodic_but_along(axis, SideKind::slip);
    problem.boundaries.sides[axis][side].kind = SideKind::wall;
    problem.boundaries.sides[axis][side].velocity[component] = 1.5;
    const auto flow = sim::make_flow(this->settings(dim), problem);
    this->advance(*flow, 4, 1e4);
    for (const auto [s, u] : this->profile(*flow, axis, "velocity", component))
      EXPECT_NEAR(u, 1.5, 1e-6) << s;
  });
}

TYPED_TEST(SideConditions, between_slip_sides_a_stream_goes_on_in_every_scheme) {
  for (const char* scheme : {"bdf2", "backward_euler", "cn_ab2", "rk3", "ab2"})
    for (int axis = 0; axis < 3; ++axis) {
      sim::Problem problem = periodic_but_along(axis, SideKind::slip);
      const int along = (axis + 1) % 3;
      problem.initial_velocity = [=](sim::Point) {
        std::array<double, 3> u{};
        u[static_cast<std::size_t>(along)] = 2;
        return u;
      };
      const auto flow = sim::make_flow(this->settings(3, scheme), problem);
      this->advance(*flow, 3, 1e-3);
      for (const auto [s, u] : this->profile(*flow, axis, "velocity", along))
        EXPECT_NEAR(u, 2, 1e-12) << scheme << ", axis " << axis << ", " << s;
    }
}

// c = a + b n between a side of the value 1 and another one; n runs from the former to the latter.
void expect_line(const std::vector<std::array<double, 2>>& profile, int side, double slope) {
  for (const auto [s, c] : profile) EXPECT_NEAR(c, 1 + slope * (side == 0 ? 1 - s : s), 1e-6) << s;
}

TYPED_TEST(SideConditions, fluxes_and_convective_sides_have_straight_profiles_between_them) {
  const double diffusivity = 0.3;
  for (const int dim : {2, 3})
    for (const auto [axis, side] : sim::sides_of_box(dim))
      for (const auto kind : {ScalarSideKind::flux, ScalarSideKind::convective}) {
        SCOPED_TRACE(std::to_string(dim) + "D, side " + sim::side_name(axis, side));
        sim::Problem problem = periodic_but_along(axis, SideKind::wall);
        sim::ScalarProblem scalar;
        scalar.name = "c";
        scalar.diffusivity = diffusivity;
        auto& sides = scalar.sides[static_cast<std::size_t>(axis)];
        sides[static_cast<std::size_t>(1 - side)] = {ScalarSideKind::value, 1};
        sides[static_cast<std::size_t>(side)] = {kind, kind == ScalarSideKind::flux ? 0.6 : 3.0,
                                                 0.5};
        problem.scalars = {scalar};
        const auto flow = sim::make_flow(this->settings(dim), problem);
        this->advance(*flow, 4, 1e5);
        // D b = g, or -D b = k (1 + b L - w); the slope is that over the length of the box.
        const double length = flow->grid().axis(axis).length();
        const double b = kind == ScalarSideKind::flux
                             ? 0.6 / diffusivity
                             : 0.5 * (3.0 - 1.0) / (diffusivity + 0.5 * length);
        expect_line(this->profile(*flow, axis, "c", 0), side, b * length);
      }
}

// In a periodic box a force that is t^2 everywhere, and the buoyancy of a scalar without gradient.
TYPED_TEST(SideConditions, a_constant_force_does_what_a_formula_of_that_value_does) {
  for (const std::string scheme : {"bdf2", "cn_ab2", "rk3", "ab2"})
    for (const bool with_buoyancy : {false, true}) {
      sim::Problem problem = periodic_but_along(1, SideKind::wall);
      problem.viscosity = 0.1;
      if (with_buoyancy) {
        sim::ScalarProblem scalar;
        scalar.name = "c";
        scalar.diffusivity = 0.1;
        scalar.initial = [](sim::Point x) { return x[1]; };
        scalar.buoyancy = {0.75, 0, 0};
        problem.scalars = {scalar};
      }
      problem.force = {sim::Expression(0.25), sim::Expression(-0.5), sim::Expression()};
      const auto constant = sim::make_flow(this->settings(2, scheme), problem);
      problem.force = {sim::Expression::parse("x < 1e9 ? 0.25 : 7"),
                       sim::Expression::parse("t < 1e9 ? -0.5 : 7"), sim::Expression()};
      const auto formula = sim::make_flow(this->settings(2, scheme), problem);
      for (const double dt : {0.1, 0.15, 0.05}) {
        this->advance(*constant, 1, dt);
        this->advance(*formula, 1, dt);
      }
      EXPECT_GT(constant->diagnostics().kinetic_energy, 1e-4) << scheme;
      for (const char* field : {"velocity", "pressure"}) {
        const auto now = this->profile(*constant, 1, field, 0),
                   expected = this->profile(*formula, 1, field, 0);
        for (std::size_t i = 0; i < now.size(); ++i)
          EXPECT_NEAR(now[i][1], expected[i][1], 1e-13) << scheme << " " << field << with_buoyancy;
      }
    }
}

TYPED_TEST(SideConditions, a_uniform_acceleration_is_integrated_at_the_times_of_the_scheme) {
  for (const std::string scheme : {"bdf2", "cn_ab2", "rk3", "ab2"}) {
    sim::Problem problem = periodic_but_along(0, SideKind::periodic);
    problem.force[1] = sim::Expression::parse("3*t^2");
    sim::ScalarProblem scalar;
    scalar.name = "c";
    scalar.diffusivity = 0.1;
    scalar.initial = [](sim::Point) { return 2.5; };
    scalar.source = sim::Expression::parse("4*t");
    scalar.neutral = 0.5;
    scalar.buoyancy = {0.75, 0, 0};
    problem.scalars = {scalar};
    const auto flow = sim::make_flow(this->settings(2, scheme), problem);
    double u = 0, v = 0, u_before = 0, v_before = 0, c = 2.5, c_before = 2.5, t = 0, last = 0;
    for (const double dt : {0.1, 0.15, 0.05}) {
      this->advance(*flow, 1, dt);
      const double end = t + dt, middle = t + 0.5 * dt;
      if (scheme == "bdf2") {  // backward Euler in the first step
        const double r = last > 0 ? dt / last : 0;
        const auto step = [&](double now, double before, double rate) {
          return (dt * rate + (1 + r) * now - r * r / (1 + r) * before) * (1 + r) / (1 + 2 * r);
        };
        const double next = step(c, c_before, 4 * end);
        const double u_next = step(u, u_before, 0.75 * (next - 0.5));
        const double v_next = step(v, v_before, 3 * end * end);
        u_before = u, v_before = v, c_before = c, u = u_next, v = v_next, c = next;
      } else if (scheme == "cn_ab2") {
        const double next = c + dt * 4 * middle;
        u += dt * 0.75 * (0.5 * (c + next) - 0.5);
        v += dt * 3 * middle * middle;
        c = next;
      } else if (scheme == "ab2") {  // Euler's first step
        const double r = last > 0 ? dt / last : 0;
        const auto rate = [&](double now, double before) {
          return (1 + 0.5 * r) * now - 0.5 * r * before;
        };
        u += dt * rate(0.75 * (c - 0.5), 0.75 * (c_before - 0.5));
        v += dt * rate(3 * t * t, 3 * (t - last) * (t - last));
        c_before = c;
        c += dt * rate(4 * t, 4 * (t - last));
      } else {  // of third order, so exact for c = 2.5 + 2 t^2
        c = 2.5 + 2 * end * end;
        u = 0.75 * (2 * end + 2.0 / 3 * end * end * end);
        v = end * end * end;
      }
      t = end;
      last = dt;
      const auto values = flow->values_at({{0.1, 0.9, 0}}, {"velocity", "c"})[0];
      EXPECT_NEAR(values[0], u, 1e-10) << scheme << " at t = " << t;
      EXPECT_NEAR(values[1], v, 1e-10) << scheme << " at t = " << t;
      EXPECT_NEAR(values[2], c, 1e-10) << scheme << " at t = " << t;
    }
  }
}

// Upwind without diffusion: each level is carried by its own velocity, with the weights of the two
// steps' ratio.
void expect_adams_bashforth(sim::Settings settings) {
  sim::Problem problem = periodic_but_along(0, SideKind::periodic);
  problem.prescribed_velocity = sim::PrescribedVelocity{sim::Expression::parse("1 + 3*t"), 0, 0};
  sim::ScalarProblem scalar;
  scalar.name = "c";
  scalar.initial = [](sim::Point x) { return std::sin(9 * x[0]); };
  problem.scalars = {scalar};
  settings.convection_scheme = "upwind";
  const auto flow = sim::make_flow(settings, problem);
  const std::vector<double>& h = flow->grid().axis(0).widths;
  const std::size_t n = h.size();
  const auto rate = [&](const std::vector<double>& c, double t) {
    std::vector<double> result(n);
    for (std::size_t i = 0; i < n; ++i)
      result[i] = -(1 + 3 * t) * (c[i] - c[(i + n - 1) % n]) / h[i];
    return result;
  };
  std::vector<double> c = flow->cell_arrays({"c"})[0].values;
  c.resize(n);
  std::vector<double> before;
  double t = 0, last = 0;
  for (const double dt : {0.01, 0.02, 0.015, 0.005}) {
    const std::vector<double> now = rate(c, t);
    const double r = last > 0 ? dt / last : 0;
    for (std::size_t i = 0; i < n; ++i)
      c[i] += dt * ((1 + 0.5 * r) * now[i] - (last > 0 ? 0.5 * r * before[i] : 0));
    before = now;
    last = dt;
    t += dt;
    ASSERT_TRUE(flow->advance(dt).ok);
    const std::vector<double> found = flow->cell_arrays({"c"})[0].values;
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_NEAR(found[i], c[i], 1e-11) << settings.time.scheme << ", t = " << t;
  }
}

TYPED_TEST(SideConditions, adams_bashforth_carries_each_level_by_its_own_velocity) {
  for (const char* scheme : {"cn_ab2", "ab2"}) expect_adams_bashforth(this->settings(2, scheme));
}

}  // namespace
}  // namespace hodge
