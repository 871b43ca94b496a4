// What a flow decides by its values, in boxes that processes share: all of them decide what one
// process does, and say the same.
#include <gtest/gtest.h>

#include "tests/support/flow_in_parts.hpp"

namespace hodge::sim {
namespace {

using linalg::Host;
using tests::SharedFlow;

// What a start and two steps of dt report: failure, key, and of each solve name and iterations.
template <int Dim>
std::vector<std::string> told(const SharedFlow& of, const Layout<Dim>& part, double dt) {
  std::vector<std::string> lines;
  NavierStokes<Dim, Host> flow(of.settings, of.problem, of.grid, of.domain, part);
  const auto tell = [&](const StepReport& report) {
    lines.push_back(report.failure + "; " + report.cause + "; " + report.bad_key);
    for (const auto& solve : report.solves)
      lines.push_back(solve.system + ": " + std::to_string(solve.iterations));
    return report.ok;
  };
  if (!tell(start(flow, InitialFields<Dim>(of.problem, of.grid, part).values()))) return lines;
  for (int i = 0; i < 2; ++i) {
    const std::vector<double> before = tests::values_of<Dim>(flow, part);
    if (tell(advance(flow, dt))) continue;
    EXPECT_EQ(tests::values_of<Dim>(flow, part), before) << "of a step that failed";
  }
  return lines;
}

// Returns what one process tells.
std::string expect_the_same_decisions(const SharedFlow& of, double dt) {
  const std::vector<std::string> expected = told<2>(of, layout_of<2>(of.grid), dt);
  for (const int processes : {2, 3})
    tests::in_slabs<2>(processes, of, [&](const Layout<2>& part) {
      EXPECT_EQ(told<2>(of, part, dt), expected) << "layers from " << part.before[1];
    });
  std::string all;
  for (const std::string& line : expected) all += line + '\n';
  return all;
}

SharedFlow direct_flow(test::FlowSketch sketch, const std::string& scheme,
                       const std::string& convection = "central") {
  sketch.solids.clear();
  SharedFlow flow = tests::shared_flow(sketch, scheme, convection);
  flow.settings.pressure.method = "direct";
  return flow;
}

TEST(DecisionsInParts, a_reaction_that_fails_in_one_part_ends_the_step_in_all) {
  test::FlowSketch sketch = test::flows::cavity(2);
  sketch.scalars[0].reaction = "sqrt(1.3 - y) - c";  // no number in the last layers
  for (const std::string scheme : {"rk3", "bdf2"}) {
    const std::string said = expect_the_same_decisions(direct_flow(sketch, scheme), 0.002);
    EXPECT_NE(said.find("the reaction rate of c"), std::string::npos) << said;
  }
}

TEST(DecisionsInParts, reactions_count_the_iterations_of_one_process) {
  test::FlowSketch sketch = test::flows::cavity(2);
  sketch.scalars[0].reaction = "-30*c*d*y^4";
  sketch.scalars[1].reaction = "-30*c*d*y^4";
  const std::string said = expect_the_same_decisions(direct_flow(sketch, "rk3"), 0.01);
  EXPECT_NE(said.find("reactions: "), std::string::npos) << said;
}

TEST(DecisionsInParts, an_inflow_that_does_not_balance_is_refused_by_all) {
  test::FlowSketch sketch = test::flows::balanced_box(2);
  sketch.sides[0][1].velocity[0] = "1.004*(1 + 0.4*sin(7*t)) + 400*t";
  const std::string said = expect_the_same_decisions(direct_flow(sketch, "bdf2"), 0.002);
  EXPECT_NE(said.find("inflow"), std::string::npos) << said;
}

TEST(DecisionsInParts, a_solve_that_fails_ends_the_step_in_all) {
  SharedFlow flow = direct_flow(test::flows::cavity(2), "bdf2");
  flow.settings.transport.max_iterations = 1;
  flow.settings.transport.fallback.clear();
  expect_the_same_decisions(flow, 0.5);
}

TEST(DecisionsInParts, the_correction_of_convection_is_iterated_as_often_by_all) {
  for (const std::string convection : {"quick", "van_leer", "weno5"})
    expect_the_same_decisions(direct_flow(test::flows::cavity(2), "bdf2", convection), 0.004);
}

TEST(DecisionsInParts, starting_guesses_are_made_alike) {
  for (const std::string guess : {"zero", "previous", "extrapolated", "projected"}) {
    SharedFlow flow = direct_flow(test::flows::cavity(2), "bdf2");
    flow.settings.transport.guess = flow.settings.scalars.guess = guess;
    expect_the_same_decisions(flow, 0.004);
  }
}

// The first projection ends where the divergence is small beside the largest velocity of the box.
TEST(DecisionsInParts, the_first_projection_takes_its_tolerance_from_the_whole_box) {
  test::FlowSketch sketch = test::flows::periodic_box(2);
  sketch.velocity = {"exp(9*y)*cos(3*x)", "sin(6*x)", "0"};  // fast beside one side
  SharedFlow flow = direct_flow(sketch, "rk3");
  flow.settings.pressure.method = "cg";
  flow.settings.pressure.preconditioner = {"jacobi", {}};
  flow.settings.pressure.absolute_tolerance = 1e-3;
  expect_the_same_decisions(flow, 1e-5);
}

}  // namespace
}  // namespace hodge::sim
