// Reactions as part of the time step: with transport, in every scheme that takes them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "cases/registry.hpp"
#include "sim/flow/flow.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

sim::Settings settings_of(const cases::Case& chosen, std::array<int, 2> cells) {
  sim::Settings settings = test::flow_settings(2, 4);
  for (int d = 0; d < 2; ++d) settings.grid.axes[d].cells = cells[d];
  for (const cases::Parameter& parameter : chosen.parameters)
    settings.parameters[parameter.name] = parameter.default_value;
  return settings;
}

void advance(sim::Flow& flow, double end, int steps) {
  for (int step = 0; step < steps; ++step) {
    const sim::StepReport report = flow.advance(end / steps);
    ASSERT_TRUE(report.ok) << report.failure;
  }
}

std::vector<double> values(const sim::Flow& flow, const std::string& name) {
  return flow.cell_arrays({name})[0].values;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST(Reactions, of_robertson_do_not_care_for_the_scheme_of_the_transport) {
  for (const char* scheme : {"bdf2", "backward_euler", "rk3"}) {
    sim::Settings settings = settings_of(*cases::find_case("robertson"), {4, 4});
    settings.time.scheme = scheme;
    const auto flow = sim::make_flow(settings, cases::find_case("robertson")->make(settings));
    advance(*flow, 40, 8);
    EXPECT_THAT(values(*flow, "a"), testing::Each(testing::DoubleNear(0.715827069, 1e-7)));
    EXPECT_THAT(values(*flow, "b"), testing::Each(testing::DoubleNear(9.1855348e-6, 1e-12)));
    EXPECT_THAT(values(*flow, "c"), testing::Each(testing::DoubleNear(0.284163746, 1e-7)));
  }
}

// From the differences of successive runs, steps of dt, dt/2, dt/4.
double order_in_time(const sim::Settings& settings, const sim::Problem& problem,
                     const std::string& name, double end, int steps) {
  std::vector<std::vector<double>> runs;
  for (const int factor : {1, 2, 4}) {
    const auto flow = sim::make_flow(settings, problem);
    advance(*flow, end, factor * steps);
    runs.push_back(values(*flow, name));
  }
  return std::log2(difference(runs[0], runs[1]) / difference(runs[1], runs[2]));
}

double order_in_time(const std::string& scheme, int steps) {
  sim::Settings settings = settings_of(*cases::find_case("brusselator_line"), {12, 4});
  settings.time.scheme = scheme;
  return order_in_time(settings, cases::find_case("brusselator_line")->make(settings), "u", 1,
                       steps);
}

TEST(Reactions, with_diffusion_keep_the_order_of_the_scheme) {
  EXPECT_GT(order_in_time("bdf2", 20), 1.9);
  EXPECT_GT(order_in_time("rk3", 40), 1.9);
  EXPECT_NEAR(order_in_time("backward_euler", 40), 1.0, 0.1);
}

// dc/dt + dc/dx = -2 c^2 around a periodic box; the deferred part of convection counts in full.
TEST(Reactions, carried_by_a_stream_are_of_second_order_in_every_smooth_convection_scheme) {
  for (const char* convection : {"central", "upwind", "quick", "weno5"}) {
    sim::Settings settings = test::flow_settings(2, 4);
    settings.grid.axes[0].cells = 24;
    settings.convection_scheme = convection;
    settings.scalars.tolerance = 1e-12;
    sim::Problem problem;
    problem.prescribed_velocity = sim::PrescribedVelocity{1, 0, 0};
    for (auto& sides : problem.boundaries.sides)
      for (sim::Side& side : sides) side.kind = sim::SideKind::periodic;
    sim::ScalarProblem scalar;
    scalar.name = "c";
    scalar.initial = [](const sim::Point& x) { return 1 + 0.5 * std::sin(two_pi * x[0]); };
    scalar.reaction = sim::Expression::parse("-2*c^2", {{}, {"c"}});
    problem.scalars.push_back(scalar);
    EXPECT_GT(order_in_time(settings, problem, "c", 0.5, 20), 1.85) << convection;
  }
}

// da/dt = -a b, db/dt = a b, with diffusion, a flow around and walls without flux.
TEST(Reactions, keep_the_sum_of_what_they_turn_into_each_other_in_a_closed_box) {
  for (const char* scheme : {"bdf2", "backward_euler", "rk3"}) {
    sim::Settings settings = test::flow_settings(2, 12);
    settings.time.scheme = scheme;
    sim::Problem problem;
    problem.viscosity = 0.1;
    problem.boundaries.sides[1][1].velocity = {1, 0, 0};
    const sim::FormulaNames names{{}, {"a", "b"}};
    for (const char* rate : {"-50*a*b", "50*a*b"}) {
      sim::ScalarProblem scalar;
      scalar.name = names.variables[problem.scalars.size()];
      scalar.diffusivity = 0.01;
      scalar.initial = [first = problem.scalars.empty()](const sim::Point& x) {
        return first ? 1 + x[0] : x[1];
      };
      scalar.reaction = sim::Expression::parse(rate, names);
      problem.scalars.push_back(scalar);
    }
    const auto flow = sim::make_flow(settings, problem);
    const auto total = [&] {
      double sum = 0;
      for (const char* name : {"a", "b"})
        for (const double value : values(*flow, name)) sum += value;
      return sum / 144;
    };
    const double start = total();
    advance(*flow, 0.1, 20);
    EXPECT_NEAR(total(), start, 1e-9) << scheme;
    EXPECT_GT(difference(values(*flow, "a"), std::vector<double>(144, 1.0)), 0.5) << scheme;
  }
}

// dc/dt = c^2 from c = 1 has no solution beyond t = 1.
TEST(Reactions, that_fail_leave_scalars_and_clock_as_they_were) {
  for (const char* scheme : {"bdf2", "rk3"}) {
    sim::Settings settings = test::flow_settings(2, 4);
    settings.time.scheme = scheme;
    sim::Problem problem;
    problem.prescribed_velocity = sim::PrescribedVelocity{};
    sim::ScalarProblem scalar;
    scalar.name = "c";
    scalar.initial = [](const sim::Point&) { return 1.0; };
    scalar.reaction = sim::Expression::parse("c^2", {{}, {"c"}});
    problem.scalars.push_back(scalar);
    const auto flow = sim::make_flow(settings, problem);
    ASSERT_TRUE(flow->advance(0.5).ok);
    const auto before = values(*flow, "c");
    EXPECT_THAT(before, testing::Each(testing::DoubleNear(2, 1e-5)));
    const sim::StepReport report = flow->advance(2);
    EXPECT_FALSE(report.ok);
    EXPECT_THAT(report.failure, testing::HasSubstr("reactions: "));
    EXPECT_EQ(values(*flow, "c"), before);
    EXPECT_EQ(flow->time(), 0.5);
    EXPECT_EQ(flow->step(), 1);
  }
}

}  // namespace
}  // namespace hodge
