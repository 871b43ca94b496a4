#include "sim/flow/flow.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/support/flow_settings.hpp"

namespace hodge::sim {
namespace {

std::optional<std::string> complaint(std::optional<double> promised, double measured,
                                     double rounding = 1e-12) {
  StepReport report;
  report.promised_divergence = promised;
  Diagnostics now{};
  now.divergence_rounding = rounding;
  now.max_divergence = measured;
  return missed_divergence(report, now);
}

TEST(MissedDivergence, a_tenth_of_a_promise_is_not_enough) {
  EXPECT_FALSE(complaint(1e-6, 0.9e-5));
  EXPECT_EQ(*complaint(1e-6, 1.1e-5),
            "mass is not conserved: max |div u| is 1.1e-05 after the projection, whose tolerance "
            "promises 1e-06");
}

TEST(MissedDivergence, rounding_is_allowed) {
  EXPECT_FALSE(complaint(0.0, 1e-10, 1e-10));
  EXPECT_TRUE(complaint(0.0, 1e-10, 1e-12));
  EXPECT_FALSE(complaint(0.0, 0.0, 0.0));
}

TEST(MissedDivergence, without_a_projection_there_is_no_promise) {
  EXPECT_FALSE(complaint(std::nullopt, 1024));
}

// The potential that takes out a divergence changes over the length, and cells are 1e5 times
// shorter.
TEST(MissedDivergence, a_parabola_in_a_channel_of_10000_to_1_loses_no_mass) {
  for (const char* start : {"0", "1", "6*y*(1 - y)"}) {
    Settings settings = test::flow_settings(2, 33);
    settings.grid.axes[0] = {.cells = 64, .lower = 0, .upper = 1e4};
    settings.pressure.method = "direct";
    settings.pressure.tolerance = 1e-8;
    Problem problem;
    problem.viscosity = 0.1;
    auto& [inlet, outlet] = problem.boundaries.sides[0];
    inlet.kind = SideKind::inflow;
    inlet.velocity[0] = Expression::parse("6*y*(1 - y)");
    outlet.kind = SideKind::outflow;
    problem.initial_velocity = [u = Expression::parse(start)](const Point& x) {
      return std::array<double, 3>{u(x, 0), 0, 0};
    };
    const auto flow = make_flow(settings, problem);
    for (int i = 0; i < 3; ++i) {
      const StepReport report = flow->advance(1);
      ASSERT_TRUE(report.ok) << report.failure;
      EXPECT_FALSE(missed_divergence(report, flow->diagnostics())) << start;
    }
  }
}

// A lid that drives a box of stretched cells.
TEST(MissedDivergence, what_a_flow_promises_holds_and_follows_from_the_tolerance) {
  for (const char* stop : {"residual", "divergence"})
    for (const char* scheme : {"bdf2", "rk3", "ab2"}) {
      Settings settings = test::flow_settings(2, 16);
      settings.grid.axes[1].stretching = "tanh";
      settings.grid.axes[1].strength = 2;
      settings.time.scheme = scheme;
      settings.pressure.stop = stop;
      settings.pressure.tolerance = 1e-5;
      Problem problem;
      problem.viscosity = 0.005;
      problem.boundaries.sides[1][1].velocity = {1, 0, 0};
      const auto flow = make_flow(settings, problem);
      for (int i = 0; i < 3; ++i) {
        const StepReport report = flow->advance(0.01);
        ASSERT_TRUE(report.ok) << report.failure;
        ASSERT_TRUE(report.promised_divergence) << stop << scheme;
        const Diagnostics now = flow->diagnostics();
        EXPECT_LE(now.max_divergence,
                  std::max(*report.promised_divergence, now.divergence_rounding));
        if (std::string(stop) == "divergence")
          EXPECT_NEAR(*report.promised_divergence, 1e-5, 1e-8) << scheme;
        else
          EXPECT_LT(*report.promised_divergence, 1) << scheme;
      }
    }
}

}  // namespace
}  // namespace hodge::sim
