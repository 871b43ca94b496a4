// hodge as a library (sim/app/simulation.hpp): steps from outside are those of `hodge run`.
#include "sim/app/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cases/registry.hpp"
#include "tests/support/program_in_processes.hpp"
#include "tests/support/same_runs.hpp"

namespace hodge::tools {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Frames at times that steps of the Courant number alone would miss.
constexpr const char* moving_lid = R"yaml(
case: lid_driven_cavity
parameters: {reynolds: 400}
grid: {cells: [12, 10]}
time: {end: 2, steps: 10, step: {cfl: 0.7, max: 0.1}}
output: {frames: {every: 0.25}, checkpoint: none}
device: cpu
)yaml";

class HodgeAsLibrary : public tests::RunsOfOneFile {
 protected:
  sim::Job job(const std::vector<std::string>& overrides = {}) {
    return sim::load_job({.file = "x.yaml", .overrides = overrides, .text = moving_lid},
                         cases::known_cases());
  }
};

TEST_F(HodgeAsLibrary, program_of_forty_lines_prints_what_a_run_writes) {
  if (!std::filesystem::exists(tests::program_path().string() + "_as_library"))
    GTEST_SKIP() << "hodge_as_library is not beside hodge";
  write(moving_lid);
  const test::ProgramResult run = shell("\"$H\" run x.yaml --quiet --output run");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const test::ProgramResult last = shell(
      "awk -F, 'NR == 1 { for (k = 1; k <= NF; ++k) at[$k] = k } "
      "END { printf \"%s,%.17g,%.17g\\n\", $at[\"step\"], $at[\"t\"], $at[\"max_speed\"] }' "
      "run/history.csv");
  ASSERT_THAT(last.out, StartsWith("10,"));
  EXPECT_EQ(shell("\"${H}_as_library\" x.yaml").out, last.out);
  if (tests::mpiexec.empty()) return;
  const test::ProgramResult shared = launch(tests::mpiexec + " -n 2 \"${H}_as_library\" x.yaml");
  EXPECT_EQ(shared.out, last.out) << shared.err;
}

TEST_F(HodgeAsLibrary, flows_follow_each_other_in_one_process) {
  const auto ten_steps = [this] {
    sim::Simulation cavity(job());
    std::vector<double> times;
    while (cavity.step()) times.push_back(cavity.time());
    EXPECT_EQ(cavity.ended(), sim::RunEnd::max_steps);
    EXPECT_EQ(cavity.steps(), 10);
    std::vector<double> values = cavity.fields({"velocity", "pressure"})[1].values;
    values.insert(values.end(), times.begin(), times.end());
    return values;
  };
  const std::vector<double> first = ten_steps();
  EXPECT_THAT(first, testing::Contains(0.25));
  EXPECT_EQ(ten_steps(), first);
}

TEST_F(HodgeAsLibrary, run_with_files_comes_after_steps_without) {
  sim::Job filed = job();
  filed.settings.output.directory = folder / "run";
  sim::Simulation cavity(filed);
  while (cavity.step()) continue;
  const sim::RunResult result = sim::run(filed, {.version = "test", .console = -1});
  EXPECT_EQ(result.steps, cavity.steps());
  EXPECT_EQ(result.time, cavity.time());
  EXPECT_THROW((void)sim::run(filed, {.version = "test", .console = -1}), ConfigError);
}

TEST_F(HodgeAsLibrary, errors_have_the_places_of_the_file) {
  const auto message = [&](const std::vector<std::string>& overrides) -> std::string {
    try {
      sim::Simulation cavity(job(overrides));
      while (cavity.step()) continue;
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message({"grid.cells=[12, 0]"}), HasSubstr("grid.cells"));
  EXPECT_THAT(message({"nonsense=1"}), HasSubstr("nonsense"));
  EXPECT_THAT(message({"solvers.pressure={method: cg, max_iterations: 1, tolerance: 1e-12}"}),
              StartsWith("stopped after step 0, t = 0: "));
  EXPECT_EQ(message({}), "");
}

}  // namespace
}  // namespace hodge::tools
