// Flow rates that are held along periodic axes: at every step, in every scheme, past solids, on
// stretched grids; the pressure gradient that this takes is the true one.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <map>
#include <string>

#include "linalg/space/traffic.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/schemes.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/sim_objects.hpp"
#include "tests/support/spaces.hpp"
#include "tests/support/state_copy.hpp"

namespace hodge {
namespace {

using sim::Expression;
using sim::Point;
using sim::SideKind;

std::map<std::string, double> values_of(const sim::Flow& flow) {
  std::map<std::string, double> values;
  for (const sim::Quantity& quantity : flow.quantities()) values[quantity.name] = quantity.value;
  return values;
}

void advance(sim::Flow& flow, double dt) {
  const sim::StepReport report = flow.advance(dt);
  ASSERT_TRUE(report.ok) << report.failure;
}

template <class Space>
class FlowRate : public tests::SpaceTest<Space> {
 protected:
  static sim::Settings settings(const std::string& scheme, int dim, int cells) {
    return test::flow_settings_on<Space>(dim, cells, scheme);
  }
};
TYPED_TEST_SUITE(FlowRate, tests::Spaces, tests::SpaceName);

// A channel along x, periodic along z too, with a flow at the start that is not the one wanted.
sim::Problem channel(double viscosity) {
  sim::Problem problem;
  problem.density = 2;
  problem.viscosity = viscosity;
  for (const int axis : {0, 2}) problem.boundaries.set(axis, SideKind::periodic);
  problem.initial_velocity = [](Point x) {
    return std::array{0.3 * std::sin(7 * x[1]), 0.2 * std::cos(6 * x[0]), 0.1 * x[1]};
  };
  return problem;
}

sim::Solid block(Point lower, Point upper) {
  return {"block", sim::BoxShape{lower, upper}};
}

// Periodic along all axes, around a block that is not in line with them.
sim::Problem around_a_block(double viscosity, int dim) {
  sim::Problem problem;
  problem.viscosity = viscosity;
  for (int axis = 0; axis < dim; ++axis) problem.boundaries.set(axis, SideKind::periodic);
  problem.solids = {block({0.2, 0.3, 0}, {0.6, 0.5, 0.5}), block({0.5, 0.5, 0}, {0.8, 0.8, 0.5})};
  problem.solids[1].name = "second";
  return problem;
}

constexpr double steps[] = {0.02, 0.013, 0.02, 0.03, 0.011, 0.02};

// At the start, and after steps of different sizes.
void expect_held(sim::Flow& flow, const std::string& column, const Expression& rate) {
  EXPECT_NEAR(values_of(flow)[column], rate({}, 0), 1e-12) << "at the start";
  for (const double dt : steps) {
    advance(flow, dt);
    const double wanted = rate({}, flow.time());
    EXPECT_NEAR(values_of(flow)[column], wanted, 1e-12 * std::max(1.0, std::abs(wanted)))
        << column << " at t = " << flow.time();
  }
  EXPECT_LT(flow.diagnostics().max_divergence, 1e-6);
}

TYPED_TEST(FlowRate, is_held_in_every_scheme_on_a_stretched_grid) {
  const Expression rate = Expression::parse("0.7 + 0.2*sin(40*t)", {});
  for (const sim::TimeScheme& scheme : sim::time_scheme_table())
    for (const int dim : {2, 3}) {
      SCOPED_TRACE(std::string(scheme.name) + " in " + std::to_string(dim) + "D");
      sim::Settings settings = this->settings(scheme.name, dim, 8);
      settings.grid.axes[1] = test::uneven(10, -0.5, 0.5);
      sim::Problem problem = channel(0.02);
      problem.flow_rate[0] = rate;
      const auto flow = sim::make_flow(settings, problem);
      expect_held(*flow, "flow_rate_x", rate);
    }
}

TYPED_TEST(FlowRate, is_held_along_several_axes_past_solids) {
  for (const sim::TimeScheme& scheme : sim::time_scheme_table())
    for (const int dim : {2, 3}) {
      SCOPED_TRACE(std::string(scheme.name) + " in " + std::to_string(dim) + "D");
      sim::Problem problem = around_a_block(0.02, dim);
      problem.flow_rate[0] = 1;
      problem.flow_rate[1] = Expression::parse("0.25 - t", {});
      sim::Settings settings = this->settings(scheme.name, dim, 10);
      settings.pressure.tolerance = 1e-6;  // the flow rates do not hang on it
      const auto flow = sim::make_flow(settings, problem);
      for (const double dt : steps) {
        advance(*flow, dt);
        EXPECT_NEAR(values_of(*flow)["flow_rate_x"], 1, 1e-12);
        EXPECT_NEAR(values_of(*flow)["flow_rate_y"], 0.25 - flow->time(), 1e-12);
      }
      EXPECT_EQ(values_of(*flow).contains("pressure_gradient_z"), false);
    }
}

// The parabola solves the discrete equations; the flow rate of its values on N cells is larger than
// its integral by this factor.
double flow_rate_of_values(int cells) {
  return 1 + 0.5 / (cells * cells);
}

TYPED_TEST(FlowRate, of_a_laminar_channel_takes_the_pressure_gradient_of_the_parabola) {
  constexpr double viscosity = 0.5, height = 1, mean = 1.5;
  for (const sim::TimeScheme& scheme : sim::time_scheme_table()) {
    sim::Problem problem = channel(viscosity);
    problem.flow_rate[0] = mean * height;
    const auto flow = sim::make_flow(this->settings(scheme.name, 2, 8), problem);
    for (int i = 0; i < 800; ++i) advance(*flow, 0.004);
    const double exact = -12 * problem.density * viscosity * mean / (height * height);
    EXPECT_NEAR(values_of(*flow)["pressure_gradient_x"], exact / flow_rate_of_values(8),
                1e-7 * -exact)
        << scheme.name;
  }
}

// A given force adds to what the flow rate takes.
TYPED_TEST(FlowRate, takes_less_where_a_given_force_helps) {
  sim::Problem problem = channel(0.5);
  problem.flow_rate[0] = 1;
  problem.force[0] = 4;
  const auto flow = sim::make_flow(this->settings("bdf2", 2, 8), problem);
  for (int i = 0; i < 400; ++i) advance(*flow, 0.01);
  EXPECT_NEAR(values_of(*flow)["pressure_gradient_x"],
              -problem.density * (12 * 0.5 / flow_rate_of_values(8) - 4), 1e-6);
}

// Womersley's flow between plates at y = -h and h under G cos(omega t): with the flow rate of the
// exact solution the acceleration comes out.
struct Womersley {
  static constexpr double omega = 6, viscosity = 0.25, h = 1;
  using Complex = std::complex<double>;
  const Complex i{0, 1}, k = h * std::sqrt(i * omega / viscosity);

  double velocity(double y, double t) const {
    return (1.0 / (i * omega) * (1.0 - std::cosh(k * y / h) / std::cosh(k)) *
            std::exp(i * omega * t))
        .real();
  }
  Expression flow_rate() const {
    const Complex q = 2 * h / (i * omega) * (1.0 - std::tanh(k) / k);
    return Expression::parse("re*cos(omega*t) - im*sin(omega*t)",
                             {{{"re", q.real()}, {"im", q.imag()}, {"omega", omega}}, {}});
  }
};

TYPED_TEST(FlowRate, that_oscillates_takes_the_exact_pressure_gradient_to_second_order) {
  const Womersley exact;
  for (const char* scheme : {"bdf2", "cn_ab2", "rk3", "ab2"}) {
    const auto error = [&](int cells) {
      sim::Settings settings = this->settings(scheme, 2, 4);
      settings.grid.axes[1] = {.cells = cells, .lower = -1, .upper = 1};
      sim::Problem problem;
      problem.viscosity = Womersley::viscosity;
      problem.boundaries.set(0, SideKind::periodic);
      problem.initial_velocity = [&](Point x) {
        return std::array{exact.velocity(x[1], 0), 0.0, 0.0};
      };
      problem.flow_rate[0] = exact.flow_rate();
      const auto flow = sim::make_flow(settings, problem);
      const int count = 12 * cells;
      double largest = 0;
      for (int n = 0; n < count; ++n) {
        advance(*flow, 1.0 / count);
        const double gradient = -std::cos(Womersley::omega * flow->time());
        if (flow->time() > 0.5)
          largest = std::max(largest, std::abs(values_of(*flow)["pressure_gradient_x"] - gradient));
      }
      return largest;
    };
    const double coarse = error(16), fine = error(32);
    EXPECT_LT(fine, 0.01) << scheme;
    EXPECT_GT(coarse / fine, 3) << scheme << ": " << coarse << ", " << fine;
  }
}

// The mean pressure gradient over the box is what the bodies bear.
TYPED_TEST(FlowRate, pushes_the_box_as_hard_as_the_bodies_hold_it) {
  sim::Problem problem = around_a_block(0.2, 2);
  problem.density = 3;
  problem.flow_rate[0] = 0.5;
  problem.flow_rate[1] = 0;
  sim::Settings settings = this->settings("bdf2", 2, 20);
  const auto flow = sim::make_flow(settings, problem);
  for (int i = 0; i < 300; ++i) advance(*flow, 0.02);
  std::array<double, 2> force{};
  for (const sim::BodyForce& body : flow->forces())
    for (int d = 0; d < 2; ++d) force[d] += body.pressure[d] + body.viscous[d];
  auto values = values_of(*flow);
  EXPECT_GT(force[0], 1);
  EXPECT_NEAR(force[0], -values["pressure_gradient_x"], 1e-6 * force[0]);
  EXPECT_NEAR(force[1], -values["pressure_gradient_y"], 1e-6 * force[0]);
}

TYPED_TEST(FlowRate, goes_on_from_a_saved_state_bit_for_bit) {
  for (const sim::TimeScheme& scheme : sim::time_scheme_table()) {
    sim::Problem problem = around_a_block(0.02, 2);
    problem.flow_rate[0] = Expression::parse("1 + t", {});
    const sim::Settings settings = this->settings(scheme.name, 2, 10);
    const auto straight = sim::make_flow(settings, problem);
    for (const double dt : steps) advance(*straight, dt);
    test::StateCopy state;
    straight->visit_state(state);
    state.restoring = true;
    const auto restarted = sim::make_flow(settings, problem);
    restarted->visit_state(state);
    for (sim::Flow* flow : {straight.get(), restarted.get()})
      for (const double dt : steps) advance(*flow, dt);
    for (const char* field : {"velocity", "pressure"})
      EXPECT_EQ(straight->cell_arrays({field})[0].values, restarted->cell_arrays({field})[0].values)
          << scheme.name << ": " << field;
    EXPECT_EQ(values_of(*straight)["pressure_gradient_x"],
              values_of(*restarted)["pressure_gradient_x"]);
  }
}

// In a uniform stream no system needs an iteration, so that the traffic of the steps compares.
TYPED_TEST(FlowRate, costs_no_allocation_and_brings_nothing_to_the_host) {
  for (const sim::TimeScheme& scheme : sim::time_scheme_table()) {
    const auto traffic_of_steps = [&](bool holds) {
      sim::Problem problem;
      problem.viscosity = 0.1;
      for (const int axis : {0, 1}) problem.boundaries.set(axis, SideKind::periodic);
      problem.initial_velocity = [](Point) { return std::array{1.0, 0.0, 0.0}; };
      if (holds) problem.flow_rate[0] = 1;
      const auto flow = sim::make_flow(this->settings(scheme.name, 2, 8), problem);
      for (int i = 0; i < 3; ++i) advance(*flow, 0.01);
      const linalg::Traffic before = linalg::traffic<TypeParam>();
      for (int i = 0; i < 5; ++i) advance(*flow, 0.01);
      const linalg::Traffic after = linalg::traffic<TypeParam>();
      return std::array{after.allocations - before.allocations, after.uploaded - before.uploaded,
                        after.downloaded - before.downloaded};
    };
    EXPECT_EQ(traffic_of_steps(true), traffic_of_steps(false)) << scheme.name;
    EXPECT_EQ(traffic_of_steps(true)[0], 0) << scheme.name;
  }
}

TYPED_TEST(FlowRate, is_refused_where_nothing_can_flow) {
  sim::Problem problem = channel(0.1);
  problem.flow_rate[1] = 1;
  const auto message = [&](const sim::Problem& of) {
    return test::message_of<ConfigError>(
        [&] { (void)sim::make_flow(this->settings("bdf2", 2, 8), of); });
  };
  EXPECT_EQ(
      message(problem),
      "the flow rate along y is held and the sides along y are not periodic; they decide what "
      "flows through them");
  problem = channel(0.1);
  problem.flow_rate[0] = 1;
  problem.solids = {block({0.4, 0, 0}, {0.6, 1, 1})};
  EXPECT_EQ(message(problem),
            "force.flow_rate: the solids let no fluid flow along x alone, expected a way through "
            "the box");
}

}  // namespace
}  // namespace hodge
