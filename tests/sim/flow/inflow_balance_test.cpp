// Mass that enters regions without an open side, in runs: what balances, and what happens to what
// does not quite.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "linalg/base/errors.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/schemes.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/spaces.hpp"

namespace hodge {
namespace {

using sim::Expression;
using sim::SideKind;
using testing::HasSubstr;

template <class Space>
class InflowBalance : public tests::SpaceTest<Space> {
 protected:
  sim::Settings settings(int dim, const std::string& scheme) {
    return test::flow_settings_on<Space>(dim, dim == 2 ? 16 : 8, scheme);
  }
};
TYPED_TEST_SUITE(InflowBalance, tests::Spaces, tests::SpaceName);

// Between slip sides, from x_lower to x_upper.
sim::Problem channel(const std::string& lower, const std::string& upper) {
  sim::Problem problem;
  problem.viscosity = 0.05;
  for (auto& sides : problem.boundaries.sides)
    for (sim::Side& side : sides) side.kind = SideKind::slip;
  auto& [left, right] = problem.boundaries.sides[0];
  left = {SideKind::inflow, {Expression::parse(lower), 0, 0}};
  right = {SideKind::inflow, {Expression::parse(upper), 0, 0}};
  return problem;
}

sim::Solid box(const char* name, sim::Point lower, sim::Point upper) {
  return {name, sim::BoxShape{lower, upper}};
}

double quantity(const sim::Flow& flow, const std::string& name) {
  for (const sim::Quantity& quantity : flow.quantities())
    if (quantity.name == name) return quantity.value;
  ADD_FAILURE() << "no " << name;
  return std::nan("");
}

bool has_correction(const sim::Flow& flow) {
  for (const sim::Quantity& quantity : flow.quantities())
    if (quantity.name == "inflow_correction") return true;
  return false;
}

void take_steps(sim::Flow& flow, int steps, double dt, const std::string& what) {
  for (int i = 0; i < steps; ++i) {
    const sim::StepReport report = flow.advance(dt);
    ASSERT_TRUE(report.ok) << what << ": " << report.failure;
    ASSERT_LE(flow.diagnostics().max_divergence, *report.promised_divergence + 1e-12) << what;
  }
}

void for_each_time_scheme(const std::function<void(const std::string&)>& visit) {
  for (const sim::TimeScheme& scheme : sim::time_scheme_table()) visit(scheme.name);
}

TYPED_TEST(InflowBalance, corrections_start_from_the_formulas_in_every_step) {
  for_each_time_scheme([&](const std::string& scheme) {
    const auto flow = sim::make_flow(this->settings(2, scheme), channel("1.01 + 1e-9*t", "1"));
    take_steps(*flow, 50, 0.01, scheme);
    EXPECT_NEAR(quantity(*flow, "flow_rate_x_lower"), 1.005, 1e-8) << scheme;
    EXPECT_NEAR(quantity(*flow, "flow_rate_x_upper"), 1.005, 1e-8) << scheme;
    EXPECT_NEAR(quantity(*flow, "inflow_correction"), 0.01, 1e-8) << scheme;
  });
}

TYPED_TEST(InflowBalance, formulas_without_t_are_corrected_once) {
  const auto flow = sim::make_flow(this->settings(2, "bdf2"), channel("1.01", "1"));
  take_steps(*flow, 5, 0.01, "bdf2");
  EXPECT_NEAR(quantity(*flow, "flow_rate_x_lower"), 1.005, 1e-13);
  EXPECT_NEAR(quantity(*flow, "inflow_correction"), 0.01, 1e-13);
}

// A floor parts the channel; above it the fluid goes the other way.
TYPED_TEST(InflowBalance, regions_are_corrected_one_by_one) {
  for (const int dim : {2, 3})
    for_each_time_scheme([&](const std::string& scheme) {
      sim::Problem problem = channel("(y < 0.5 ? 1 : -2)*(1 + 0.5*sin(9*t))",
                                     "(y < 0.5 ? 1.004 : -2)*(1 + 0.5*sin(9*t))");
      problem.solids.push_back(box("floor", {0, 0.375, 0}, {1, 0.625, 1}));
      const auto flow = sim::make_flow(this->settings(dim, scheme), problem);
      EXPECT_LT(flow->diagnostics().max_divergence, 1e-7) << scheme;
      EXPECT_NEAR(quantity(*flow, "inflow_correction"), 0.375 * 0.004, 1e-13);
      take_steps(*flow, 3, 0.01, scheme + " " + std::to_string(dim) + "D");
      const double factor = 1 + 0.5 * std::sin(0.27), below = 0.375 * 1.002, above = -0.375 * 2;
      for (const char* side : {"flow_rate_x_lower", "flow_rate_x_upper"})
        EXPECT_NEAR(quantity(*flow, side), factor * (below + above), 1e-12) << scheme << side;
      EXPECT_LT(flow->diagnostics().max_divergence, 1e-7) << scheme;
    });
}

TYPED_TEST(InflowBalance, what_does_not_balance_any_more_ends_the_step_and_leaves_the_fields) {
  for_each_time_scheme([&](const std::string& scheme) {
    const auto flow = sim::make_flow(this->settings(2, scheme), channel("1 + t", "1"));
    take_steps(*flow, 2, 0.009, scheme);
    const double before = flow->diagnostics().kinetic_energy;
    const sim::StepReport report = flow->advance(0.009);
    EXPECT_FALSE(report.ok) << scheme;
    EXPECT_THAT(report.failure,
                HasSubstr("the fluid reaches no open side (outflow, pressure) and its inflow "
                          "does not balance at t = 0.0"));
    EXPECT_THAT(report.cause, HasSubstr("inflow sides"));
    EXPECT_EQ(flow->step(), 2);
    EXPECT_EQ(flow->diagnostics().kinetic_energy, before) << scheme;
  });
}

TYPED_TEST(InflowBalance, fluid_that_turns_round_balances) {
  const auto flow = sim::make_flow(this->settings(2, "bdf2"),
                                   channel("cos(pi*t)", "-cos(pi*(1 - t)) + 1e-17*(1 - 2*t)"));
  take_steps(*flow, 20, 0.05, "bdf2");
  EXPECT_NEAR(quantity(*flow, "flow_rate_x_lower"), -1, 1e-12);
}

TYPED_TEST(InflowBalance, problems_with_a_way_out_have_no_correction) {
  sim::Problem problem = channel("1 + t", "1");
  problem.boundaries.sides[0][1] = {SideKind::outflow};
  EXPECT_FALSE(has_correction(*sim::make_flow(this->settings(2, "bdf2"), problem)));
  EXPECT_TRUE(
      has_correction(*sim::make_flow(this->settings(2, "bdf2"), channel("1 + t", "1 + t"))));
}

TYPED_TEST(InflowBalance, inflow_without_a_way_out_is_refused) {
  const auto refusal = [&](sim::Problem problem, std::vector<sim::Solid> solids) {
    problem.solids = std::move(solids);
    return test::message_of<ConfigError>(
        [&] { (void)sim::make_flow(this->settings(2, "bdf2"), problem); });
  };
  sim::Problem open = channel("1", "1");
  open.boundaries.sides[0][1] = {SideKind::outflow};
  EXPECT_THAT(
      refusal(open, {box("wall", {0.5, 0, 0}, {0.75, 1, 1})}),
      HasSubstr("the region of 128 cells between (0, 0) and (0.5, 1) reaches no open side"));
  EXPECT_THAT(refusal(open, {box("above", {0.25, 0.5, 0}, {0.5, 1, 1}),
                             box("below", {0.5, 0, 0}, {0.75, 0.5, 1})}),
              HasSubstr("x_lower lets 1 in"));
  EXPECT_THAT(refusal(open, {box("lid", {0.75, 0, 0}, {1, 1, 1})}),
              HasSubstr("the fluid reaches no open side"));
  EXPECT_THAT(refusal(channel("1", "1"), {box("half", {0, 0, 0}, {0.25, 0.5, 1})}),
              HasSubstr("x_lower lets 0.5 in, x_upper lets 1 out"));
}

// The pressure has no level there, whatever the side is.
TYPED_TEST(InflowBalance, a_solid_over_the_whole_outflow_makes_a_closed_box) {
  for (const bool pocket : {false, true}) {
    sim::Problem problem;
    problem.viscosity = 0.05;
    problem.boundaries.sides[1][1].velocity = {1, 0, 0};
    problem.boundaries.sides[0][1] = {SideKind::outflow};
    problem.force = {0, 1, 0};
    problem.solids.push_back(box("lid", {0.75, 0, 0}, {1, 1, 1}));
    if (pocket) problem.solids.push_back(box("floor", {0, 0.375, 0}, {1, 0.625, 1}));
    const auto flow = sim::make_flow(this->settings(2, "bdf2"), problem);
    take_steps(*flow, 5, 0.02, pocket ? "two regions" : "one region");
    EXPECT_GT(flow->diagnostics().kinetic_energy, 1e-3);
  }
}

}  // namespace
}  // namespace hodge
