// What a flow says of its steps: the systems that they solve, how fast each field changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/flow/flow.hpp"
#include "sim/model/schemes.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge::sim {
namespace {

// A cavity with a scalar that a source heats evenly and one that stays as it is.
Problem heated_cavity(bool reacts = false) {
  Problem problem;
  problem.viscosity = 0.1;
  for (auto& sides : problem.boundaries.sides)
    for (Side& side : sides) side.kind = SideKind::wall;
  problem.boundaries.sides[1][1].velocity[0] = 1.0;
  problem.scalars.resize(2);
  problem.scalars[0].name = "heat";
  problem.scalars[0].source = 3.0;
  problem.scalars[1].name = "salt";
  for (ScalarProblem& scalar : problem.scalars) scalar.diffusivity = 0.1;
  if (reacts) problem.scalars[1].reaction = Expression::parse("-salt", {{}, {"heat", "salt"}});
  return problem;
}

std::vector<std::string> solved(const StepReport& report) {
  std::vector<std::string> names;
  for (const SolveSummary& solve : report.solves)
    if (std::find(names.begin(), names.end(), solve.system) == names.end())
      names.push_back(solve.system);
  return names;
}

TEST(StepFacts, the_systems_are_those_of_the_steps_in_their_order) {
  for (const TimeScheme& scheme : time_scheme_table())
    for (const bool reacts : {false, true})
      for (const bool prescribed : {false, true}) {
        if (reacts && !scheme.lets_scalars_react()) continue;
        Settings settings = test::flow_settings(2, 6);
        settings.time.scheme = scheme.name;
        Problem problem = heated_cavity(reacts);
        if (prescribed) problem.prescribed_velocity.emplace();
        const auto flow = make_flow(settings, problem);
        const StepReport report = flow->advance(0.01);
        EXPECT_TRUE(report.ok) << report.failure;
        EXPECT_EQ(flow->systems(), solved(report)) << scheme.name << ' ' << reacts << prescribed;
      }
}

TEST(StepFacts, every_field_has_a_rate_of_change_and_the_largest_is_that_of_the_flow) {
  const auto flow = make_flow(test::flow_settings(2, 6), heated_cavity());
  const Diagnostics start = flow->diagnostics();
  EXPECT_GT(start.velocity_rate, 1);  // friction at the lid
  EXPECT_EQ(start.scalar_rates, (std::vector<double>{0, 0}));
  for (int step = 0; step < 20; ++step) EXPECT_TRUE(flow->advance(0.05).ok);
  const Diagnostics now = flow->diagnostics();
  ASSERT_EQ(now.scalar_rates.size(), 2U);
  EXPECT_NEAR(now.scalar_rates[0], 3, 1e-6);
  EXPECT_LT(now.scalar_rates[1], 1e-9);
  EXPECT_GT(now.velocity_rate, 0);
  EXPECT_LT(now.velocity_rate, 1);
  EXPECT_EQ(now.rate_of_change, now.scalar_rates[0]);
}

}  // namespace
}  // namespace hodge::sim
