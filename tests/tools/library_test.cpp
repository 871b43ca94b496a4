// hodge as a library (sim/app/simulation.hpp): steps from outside are those of `hodge run`.
#include "sim/app/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cases/registry.hpp"
#include "tests/support/expect_error.hpp"
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

// All files but those that name the moment or the caller.
TEST_F(HodgeAsLibrary, steps_from_outside_write_the_files_of_a_run) {
  const auto filed = [&](const char* name, const char* steps) {
    sim::Job one = job({steps, "output={frames: {every: 0.25}, checkpoint: {every: 0.5}}"});
    one.settings.output.directory = folder / name;
    return one;
  };
  (void)sim::run(filed("whole", "time.steps=10"), {.version = "test", .console = -1});
  sim::Simulation cavity(filed("stepped", "time.steps=10"), {.version = "test", .console = -1});
  EXPECT_TRUE(std::filesystem::exists(folder / "stepped/log.txt"));
  while (cavity.step()) EXPECT_GT(cavity.report().dt, 0);
  EXPECT_EQ(cavity.finish().end, sim::RunEnd::max_steps);
  sim::Simulation without(filed("none", "time.steps=1"));
  EXPECT_EQ(test::message_of<ConfigError>([&] { (void)without.finish(0); }),
            "the simulation writes no files: there are none to finish");
  test::expect_same_runs(folder / "whole", folder / "stepped", "x");
}

TEST_F(HodgeAsLibrary, run_that_its_caller_ends_goes_on_from_its_checkpoint) {
  sim::Job one = job({"output={frames: {every: 0.25}, checkpoint: {every: 5}}"});
  one.settings.output.directory = folder / "run";
  const sim::RunOptions quiet{.version = "test", .console = -1};
  sim::Simulation straight(job());
  while (straight.step()) continue;
  {
    sim::Simulation first(one, quiet);
    while (first.steps() < 4) ASSERT_TRUE(first.step());
    EXPECT_THROW(sim::Simulation(one, quiet), ConfigError);  // it writes there
    const sim::RunResult result = first.finish(SIGINT);
    EXPECT_EQ(result.end, sim::RunEnd::interrupted);
    EXPECT_EQ(result.exit_code(), 130);
    EXPECT_EQ(first.fields({"pressure"}).size(), 1U);
  }
  sim::RunOptions again = quiet;
  again.restart = "latest";
  sim::Simulation second(one, again);
  EXPECT_EQ(second.steps(), 4);
  while (second.step()) continue;
  EXPECT_EQ(second.fields({"velocity"})[0].values, straight.fields({"velocity"})[0].values);
  EXPECT_EQ(second.finish().end, sim::RunEnd::max_steps);
}

TEST_F(HodgeAsLibrary, fields_in_memory_are_those_of_the_present_level) {
  sim::Simulation moved(job()), kept(job());
  const sim::FieldInMemory first = kept.flow().fields_in_memory()[0];
  EXPECT_EQ(first.name, "velocity_x");
  EXPECT_EQ(first.extents, (std::array<std::int64_t, 3>{13, 10, 1}));
  EXPECT_EQ(first.strides[0], 1);
  kept.flow().keep_places(true);
  while (kept.step() && moved.step()) {
    const std::vector<sim::FieldInMemory> now = kept.flow().fields_in_memory(),
                                          elsewhere = moved.flow().fields_in_memory();
    ASSERT_EQ(now[0].values, first.values);
    const std::vector<double> cells = kept.fields({"velocity"})[0].values;
    const sim::FieldInMemory &u = now[0], &same = elsewhere[0];
    for (std::int64_t j = 0; j < 10; ++j)
      for (std::int64_t i = 0; i < 12; ++i) {
        const double* const at = u.values + i * u.strides[0] + j * u.strides[1];
        ASSERT_EQ(cells[static_cast<std::size_t>(3 * (i + 12 * j))], 0.5 * (at[0] + at[1]));
        ASSERT_EQ(*at, same.values[i * same.strides[0] + j * same.strides[1]]);
      }
  }
  EXPECT_EQ(kept.steps(), 10);
}

constexpr const char* jet = R"yaml(
case: custom
parameters: {jet: 0.5}
grid: {cells: [12, 8], lower: [0, 0], upper: [2, 1]}
fluid: {viscosity: 0.02}
boundaries:
  x_lower: {kind: inflow, velocity: ["6*y*(1-y)", 0]}
  x_upper: outflow
  y_lower: {kind: inflow, velocity: [0, "JET"]}
time: {end: 1, steps: 8, step: {size: 0.05}}
output: {checkpoint: none}
device: cpu
)yaml";

// A formula that jumps after the third step, and one that is set there.
TEST_F(HodgeAsLibrary, formula_that_is_set_is_what_the_file_could_have_said) {
  const auto with_jet = [&](const std::string& formula, const std::string& set) {
    std::string text = jet;
    text.replace(text.find("JET"), 3, formula);
    sim::Simulation flow(sim::load_job({.file = "x.yaml", .text = text}, cases::known_cases()));
    while (flow.step())
      if (flow.steps() == 3 && !set.empty()) flow.set({set});
    EXPECT_EQ(flow.steps(), 8);
    return flow.fields({"velocity"})[0].values;
  };
  const std::vector<double> jumps = with_jet("0.5 + 0.25*(t > 0.17)", ""),
                            still = with_jet("jet", "");
  EXPECT_NE(jumps, still);
  EXPECT_THAT(with_jet("jet", "parameters.jet=0.75"),
              testing::Pointwise(testing::DoubleNear(1e-6), jumps));
  EXPECT_THAT(with_jet("jet", "boundaries.y_lower.velocity=[0, \"0.5+t*0+0.25\"]"),
              testing::Pointwise(testing::DoubleNear(1e-6), jumps));
  EXPECT_EQ(with_jet("jet", "parameters.jet=0.5"), still);
}

TEST_F(HodgeAsLibrary, nothing_but_formulas_can_be_set) {
  std::string text = jet;
  text.replace(text.find("JET"), 3, "jet");
  sim::Simulation flow(sim::load_job({.file = "x.yaml", .text = text}, cases::known_cases()));
  const auto message = [&](const std::string& set) -> std::string {
    try {
      flow.set({set});
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message("fluid.viscosity=1"),
              StartsWith("set fluid.viscosity=1: fluid.viscosity cannot"));
  EXPECT_THAT(message("boundaries.y_upper=slip"),
              HasSubstr("boundaries.y_upper.kind cannot change"));
  EXPECT_THAT(message("solids=[{box: {lower: [0.5, 0.5], upper: [0.8, 0.8]}}]"),
              HasSubstr("solids cannot change"));
  EXPECT_THAT(message("parameters.jett=1"), StartsWith("set parameters.jett=1: "));
  EXPECT_THROW(sim::Simulation(job()).set({"parameters.reynolds=1"}), ConfigError);
  EXPECT_TRUE(flow.step());
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
  const sim::ConfigSource of_keys{.file = "dict",
                                  .text = "{case: lid_driven_cavity, grid: {cells: [12, 0]}}",
                                  .places_are_keys = true};
  try {
    (void)sim::load_job(of_keys, cases::known_cases());
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("\ngrid.cells[1]: grid.cells[1] is '0'"));
    EXPECT_THAT(error.what(), HasSubstr("configuration: missing key 'time'"));
  }
}

}  // namespace
}  // namespace hodge::tools
