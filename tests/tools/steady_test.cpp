// When `hodge run` calls a flow steady.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/run_hodge.hpp"
#include "tests/support/same_runs.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

// A body in perfect symmetry at Re = 1 / viscosity.
std::string stream_past_a_rod(const std::string& grid, const std::string& viscosity,
                              const std::string& across = "0") {
  return "case: custom\ngrid: {cells: " + grid +
         ", lower: [-4, -4], upper: [12, 4]}\n"
         "fluid: {viscosity: " +
         viscosity +
         "}\n"
         "boundaries: {x_lower: {kind: inflow, velocity: [1, 0]}, x_upper: outflow,\n"
         "  y_lower: slip, y_upper: slip}\n"
         "solids: [{name: rod, sphere: {centre: [0, 0], radius: 0.5}, treatment: staircase}]\n"
         "initial: {velocity: [1, \"" +
         across +
         "\"]}\n"
         "time: {end: 60, step: {cfl: 0.8}, steady: {tolerance: 1e-3}}\n"
         "solvers: {transport: {absolute_tolerance: 0}, pressure: {absolute_tolerance: 0}}\n"
         "output: {directory: o}\ndevice: cpu\n";
}

struct SteadyRun : testing::Test {
  test::ProgramResult run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"run", "f.yaml"});
    const test::ProgramResult result = test::run_hodge(arguments, folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  }
  std::string last(const std::string& file, std::size_t column) {
    return test::cells_of(test::lines_of(folder / file).back())[column];
  }
  test::TemporaryDirectory folder;
};

// Its wake fades towards a symmetric one, beside which vortices begin at 1e-12 of the flow.
TEST_F(SteadyRun, goes_on_while_the_lift_of_a_body_in_symmetry_grows_from_little) {
  test::write_text(folder / "f.yaml", stream_past_a_rod("[96, 48]", "0.01", "1e-12*exp(-y^2)"));
  const test::ProgramResult result = run({});
  EXPECT_THAT(result.out, HasSubstr("the force on rod along y grows: not steady, the run goes on"));
  EXPECT_THAT(result.out, HasSubstr("reached t = 60"));
}

TEST_F(SteadyRun, ends_where_the_wake_is_stable_and_at_the_same_step_after_a_restart) {
  test::write_text(folder / "f.yaml", stream_past_a_rod("[48, 24]", "0.05"));
  EXPECT_THAT(run({"--output", "straight"}).out, HasSubstr("steady at t = "));
  run({"--set", "time.steps=60"});
  EXPECT_THAT(run({"--restart", "latest"}).out, HasSubstr("steady at t = "));
  test::expect_same_rows(folder / "straight", folder / "o", "history.csv");
}

// Steps are long for the diffusion across it, so that the pressure comes slowly to where it goes.
TEST_F(SteadyRun, is_within_a_few_percent_of_the_parabola_in_a_long_channel) {
  test::write_text(folder / "f.yaml", R"yaml(case: custom
grid: {cells: [64, 16], upper: [20, 1]}
fluid: {viscosity: 10}
boundaries: {x_lower: {kind: inflow, velocity: [1, 0]}, x_upper: outflow}
time: {end: 400, step: {size: 0.8}, steady: {tolerance: 0.1}}
probes: {points: {middle: [10, 0.5]}, fields: [velocity]}
output: {directory: o, checkpoint: none}
device: cpu
)yaml");
  EXPECT_THAT(run({}).out, HasSubstr("steady at t = "));
  EXPECT_NEAR(std::stod(last("o/probes.csv", 2)), 1.5, 0.03);
}

// What is frozen by a tolerance is not at rest.
TEST_F(SteadyRun, is_none_where_an_absolute_tolerance_lets_nothing_change) {
  test::write_text(folder / "f.yaml", R"yaml(case: custom
grid: {cells: [16, 4], upper: [1.0e-5, 2.5e-6]}
prescribed_velocity: [0, 0]
scalars: {c: {diffusivity: 1.0e-9, initial: 1.0e-13*cos(pi*x/1.0e-5)}}
solvers: {scalars: {absolute_tolerance: 1.0e-12}}
time: {end: 0.002, step: {size: 1.0e-4}, steady: {tolerance: 1.0e-14}}
output: {directory: o}
device: cpu
)yaml");
  const test::ProgramResult frozen = run({});
  EXPECT_THAT(frozen.out, HasSubstr("step 1, t = 0.0001: the c system took 0 iterations although "
                                    "its right-hand side is not 0, since "
                                    "solvers.scalars.absolute_tolerance 1e-12"));
  EXPECT_THAT(frozen.out, HasSubstr("reached t = 0.002"));
  EXPECT_THAT(run({"--overwrite", "--set", "solvers.scalars.absolute_tolerance=0"}).out,
              Not(HasSubstr("0 iterations although")));
}

}  // namespace
}  // namespace hodge::tools
