// Inflow that stops balancing, as a user meets it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/run_hodge.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tools {
namespace {

using testing::HasSubstr;

TEST(Inflow, that_stops_to_balance_ends_the_run_with_the_sides_and_the_amounts) {
  const test::TemporaryDirectory folder;
  std::ofstream(folder / "ramp.yaml") << R"yaml(case: custom
grid: {cells: [8, 8]}
fluid: {viscosity: 0.05}
boundaries:
  x_lower: {kind: inflow, velocity: [1 + t, 0]}
  x_upper: {kind: inflow, velocity: [1, 0]}
time: {end: 1, step: {size: 0.008}}
output: {directory: out}
device: cpu
)yaml";
  EXPECT_EQ(test::run_hodge({"check", "ramp.yaml"}, folder.path()).exit_code, 0);
  const test::ProgramResult result = test::run_hodge({"run", "ramp.yaml"}, folder.path());
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(
      result.err,
      HasSubstr(
          "stopped after step 2, t = 0.016: the fluid reaches no open side (outflow, pressure) "
          "and its inflow does not balance at t = 0.024: x_lower lets 1.024 in, "
          "x_upper lets 1 out, so that 0.024 more enters than leaves"));
  EXPECT_THAT(result.err, HasSubstr("likely cause: the velocities of the inflow sides"));
  EXPECT_THAT(result.err, HasSubstr("(step 2, t = 0.016)"));
  std::ifstream history(folder / "out/history.csv");
  std::string header;
  std::getline(history, header);
  EXPECT_THAT(header, HasSubstr(",flow_rate_x_upper,inflow_correction,"));
}

}  // namespace
}  // namespace hodge::tools
