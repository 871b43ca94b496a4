#include "sim/app/run/steady_state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/flow_settings.hpp"

namespace hodge::sim {
namespace {

using testing::HasSubstr;

constexpr double dt = 0.125;

// A cylinder in a box of 1 x 1 with max |u| = 1, so that the flow crosses the box in a time of 1.
struct Watched {
  Settings settings = test::flow_settings(2, 8);
  Problem problem;
  std::optional<SteadyState> state;
  Diagnostics now{.cfl_rate = 1,
                  .kinetic_energy = 1,
                  .max_divergence = 0,
                  .max_speed = 1,
                  .rate_of_change = 0,
                  .finite = true};
  double time = 0;
  StepReport report;

  explicit Watched(double tolerance = 1e-3) {
    settings.time.end = 100;
    settings.time.steady_tolerance = tolerance;
    problem.solids = {{"cylinder", CylinderShape{2, {0.5, 0.5, 0}, 0.2}}};
    report.dt = dt;
  }
  void begin() { state.emplace(settings, problem, Grid(settings.grid)); }
  void step(double rate, double lift = 0) {
    if (!state) begin();
    time += dt;
    now.velocity_rate = now.rate_of_change = rate;
    state->add(report, now, {{"cylinder", {0.5, lift, 0}, {0.1, 0, 0}}});
  }
  bool is_steady() const { return state->is_reached(now, time); }
};

TEST(SteadyState, is_reached_by_a_rate_that_fades_once_it_has_been_watched) {
  Watched flow;
  int steps = 0;
  do flow.step(1e-4 * std::exp(-0.5 * flow.time));
  while (++steps < 100 && !flow.is_steady());
  EXPECT_EQ(steps, 8);
  Watched wide;
  wide.settings.grid.axes[0].upper = wide.settings.grid.axes[1].upper = 4;
  steps = 0;
  do wide.step(1e-4 * std::exp(-0.5 * wide.time));
  while (++steps < 100 && !wide.is_steady());
  EXPECT_EQ(steps, 32);  // the flow has crossed it
}

TEST(SteadyState, is_reached_at_once_where_nothing_changes_and_by_rounding) {
  Watched rests, rounding;
  rests.step(0);
  EXPECT_TRUE(rests.is_steady());
  for (int n = 0; n < 40; ++n) rounding.step(n % 2 == 0 ? 1e-15 : 3e-15, n % 3 == 0 ? 1e-17 : 0);
  EXPECT_TRUE(rounding.is_steady());
}

TEST(SteadyState, is_not_reached_while_the_lift_grows_and_says_so_once) {
  Watched flow;
  std::vector<std::string> said;
  for (int n = 0; n < 400; ++n) {
    flow.step(0.1 * std::exp(-0.2 * flow.time),
              1e-14 * std::exp(0.2 * flow.time) * std::cos(flow.time));
    if (const auto text = flow.state->news(flow.now, flow.time)) said.push_back(*text);
    EXPECT_FALSE(flow.is_steady()) << flow.time;
  }
  ASSERT_EQ(said.size(), 1U);
  EXPECT_THAT(said[0], HasSubstr("is below time.steady.tolerance, but the force on cylinder along "
                                 "y grows: not steady, the run goes on"));
}

TEST(SteadyState, is_not_reached_while_a_field_is_far_from_where_it_goes) {
  Watched flow;
  std::optional<std::string> said;
  do {
    flow.step(9e-4 * std::exp(-0.01 * flow.time));
    if (!said) said = flow.state->news(flow.now, flow.time);
  } while (!flow.is_steady() && flow.time < 90);
  EXPECT_NEAR(flow.time, 75, 5);  // by then the end leaves less than 1 % to change
  ASSERT_TRUE(said);
  EXPECT_THAT(*said, HasSubstr("u falls so slowly that it may still change by 8"));
}

TEST(SteadyState, is_not_reached_by_solves_that_an_absolute_tolerance_skips) {
  for (const double absolute : {0.0, 1e-5, 1e-3}) {
    Watched flow;
    flow.settings.transport.absolute_tolerance = absolute;
    SolveSummary solve{"v", 0, 0, {}};
    solve.report.status = linalg::SolveStatus::converged;
    solve.report.rhs_norm = solve.report.initial_residual = 1e-7;
    solve.report.target = absolute;
    flow.report.solves = {solve};
    for (int n = 0; n < 40; ++n) flow.step(0);
    EXPECT_EQ(flow.is_steady(), absolute / dt <= 1e-3) << absolute;
  }
}

}  // namespace
}  // namespace hodge::sim
