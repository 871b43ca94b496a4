// hodge run by several processes: its files have the bits of one process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/program_in_processes.hpp"
#include "tests/support/same_runs.hpp"
#include "tests/support/warm_channel.hpp"

namespace hodge::tools {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using tests::mpiexec;
using tests::warm_channel;

// A body beside a cut, forces, probes; cg with a preconditioner that is kept, and guesses.
constexpr const char* body_in_channel = R"yaml(
case: custom
grid: {cells: [24, 16], lower: [0, 0], upper: [3, 1]}
fluid: {viscosity: 0.01}
boundaries:
  x_lower: {kind: inflow, velocity: ["6*y*(1 - y)", 0]}
  x_upper: outflow
solids: [{name: step, box: {lower: [0.8, 0.25], upper: [1.2, 0.6]}}]
forces: {speed: 1, length: 0.4}
scalars:
  a: {diffusivity: 0.01, initial: "x < 1 ? 1 : 0", boundaries: {x_lower: {value: 1}}}
time: {scheme: bdf2, end: 1, steps: 9, step: {cfl: 0.6, max: 0.03}}
solvers:
  pressure: {method: cg, preconditioner: {kind: multigrid}, guess: projected}
output:
  frames: {every: 0.1}
  fields: [velocity, pressure, vorticity, a, solid]
  regions: {wake: {lower: [1, 0.2], upper: [2, 0.45], every: 0.04}}
  surfaces: [step, y_upper]
probes:
  every: 0.05
  points: {wake: [2, 0.5], near: [0.1, 0.9]}
  lines: {across: {from: [2, 0], to: [2, 1], points: 9}}
device: cpu
)yaml";

// A sharp body that not every process has a part of.
constexpr const char* periodic_box = R"yaml(
case: custom
grid: {cells: [18, 10, 13], lower: [0, 0, 0], upper: [1, 1, 1]}
fluid: {viscosity: 0.02}
boundaries: {x_lower: periodic, x_upper: periodic, z_lower: periodic, z_upper: periodic}
initial: {velocity: ["sin(2*pi*z)", "0.1*y*(1 - y)*sin(2*pi*x)", "cos(2*pi*x)"]}
solids:
  ball:
    sphere: {centre: [0.4, 0.5, 0.27], radius: 0.2}
    treatment: sharp
    scalars: {warm: {value: "1 + z"}, fed: {flux: "x"}}
scalars: {warm: {diffusivity: 0.02}, fed: {diffusivity: 0.03}}
convection: {scalars: central}
time: {scheme: rk3, end: 1, steps: 8, step: {cfl: 0.5}}
output:
  frames: {every: 0.05}
  precision: double
  fields: [velocity, pressure, signed_distance, open_fraction, mean_pressure]
  regions:
    across: {lower: [0.4, 0, 0], upper: [0.4, 1, 1], every: 0.02}
    layer: {lower: [0, 0.2, 0.35], upper: [1, 0.9, 0.35], every: 0.03}
  surfaces: [y_lower, ball]
device: cpu
)yaml";

// Layers for three parts on GPUs, a body across their cuts.
constexpr const char* box_of_layers = R"yaml(
case: custom
grid: {cells: [18, 12, 27], lower: [0, 0, 0], upper: [1, 1, 2]}
fluid: {viscosity: 0.02}
boundaries: {x_lower: periodic, x_upper: periodic, z_upper: {kind: wall, velocity: [1, 0, 0]}}
initial: {velocity: ["sin(pi*z)", "0.1*y*(1 - y)*sin(2*pi*x)", 0]}
solids: [{name: ball, sphere: {centre: [0.5, 0.5, 0.7], radius: 0.2}}]
scalars: {heat: {diffusivity: 0.02, buoyancy: [0, 0, 1], initial: "z"}}
time: {scheme: bdf2, end: 1, steps: 5, step: {cfl: 0.5}}
output: {frames: {every: 0.05}, precision: double}
)yaml";

class RunInProcesses : public tests::RunsOfOneFile {};

TEST_F(RunInProcesses, writes_the_same_files_by_any_number) {
  HODGE_NEEDS_MPI();
  for (const char* yaml : {warm_channel, body_in_channel, periodic_box}) {
    write(yaml);
    expect_run(1, "--output r1 --overwrite");
    for (const int count : {2, 4}) {
      SCOPED_TRACE(count);
      expect_run(count, "--output r --overwrite");
      test::expect_same_runs(folder / "r1", folder / "r", "x");
    }
  }
}

// Where there are fewer GPUs than processes, several share one.
TEST_F(RunInProcesses, writes_the_same_files_by_any_number_Cuda) {
  HODGE_NEEDS_MPI();
  HODGE_NEEDS_GPU();
  for (const char* yaml : {warm_channel, body_in_channel, periodic_box, box_of_layers})
    for (const char* scheme : {"bdf2", "rk3"}) {
      SCOPED_TRACE(scheme);
      write(yaml);
      const std::string on_gpu = std::string(" --device cuda --set time.scheme=") + scheme;
      expect_run(1, "--output r1 --overwrite" + on_gpu);
      for (const int count : {2, 3}) {
        SCOPED_TRACE(count);
        expect_run(count, "--output r --overwrite" + on_gpu);
        test::expect_same_runs(folder / "r1", folder / "r", "x");
      }
    }
}

// A preconditioner that is kept has to be that of the first step. Where systems are too small to be
// shared by GPUs, each process keeps that of the whole system.
constexpr const char* with_kept_preconditioners =
    " --set 'solvers={transport: {guess: extrapolated, refresh: never}, scalars: {refresh: "
    "never}}'";

// One that is made anew at every step keeps the choices of the first.
constexpr const char* with_choices =
    " --set 'solvers={transport: {preconditioner: {kind: multigrid}}, scalars: {preconditioner: "
    "{kind: ssor_sai}}}'";

TEST_F(RunInProcesses, goes_on_from_the_checkpoint_of_another_number_Cuda) {
  HODGE_NEEDS_MPI();
  HODGE_NEEDS_GPU();
  write(box_of_layers);
  for (const std::string settings : {"", with_kept_preconditioners, with_choices}) {
    SCOPED_TRACE(settings);
    const std::string on_gpu = " --device cuda" + settings;
    expect_run(1, "--output straight --overwrite" + on_gpu);
    for (const auto& [first, second] : {std::pair{2, 1}, {2, 3}, {1, 2}}) {
      SCOPED_TRACE(std::to_string(first) + ", then " + std::to_string(second));
      expect_run(first, "--set time.steps=2 --output r --overwrite" + on_gpu);
      expect_run(second, "--output r --restart latest" + on_gpu);
      test::expect_same_runs(folder / "straight", folder / "r", "x");
    }
  }
}

TEST_F(RunInProcesses, goes_on_from_the_checkpoint_of_another_number) {
  HODGE_NEEDS_MPI();
  for (const auto& [yaml, settings] : {std::pair{warm_channel, ""},
                                       {warm_channel, with_kept_preconditioners},
                                       {warm_channel, with_choices},
                                       {body_in_channel, ""}}) {
    write(yaml);
    expect_run(1, std::string("--output straight --overwrite") + settings);
    for (const auto& [first, second] : {std::pair{2, 1}, {2, 3}, {1, 4}}) {
      SCOPED_TRACE(std::to_string(first) + ", then " + std::to_string(second));
      expect_run(first, std::string("--set time.steps=4 --output r --overwrite") + settings);
      expect_run(second, std::string("--output r --restart latest") + settings);
      test::expect_same_runs(folder / "straight", folder / "r", "x");
    }
  }
}

// Without the seconds, and what is chosen by them.
std::vector<std::string> study_rows(const std::filesystem::path& csv) {
  std::vector<std::string> rows;
  const std::vector<std::string> lines = test::lines_of(csv);
  const std::vector<std::string> names = test::cells_of(lines[0]);
  const auto seconds = std::ranges::find(names, "seconds") - names.begin();
  for (const std::string& line : lines) {
    std::vector<std::string> cells = test::cells_of(line);
    cells.erase(cells.begin() + seconds);
    rows.push_back(testing::PrintToString(cells));
  }
  return rows;
}

TEST_F(RunInProcesses, a_study_finds_the_same_by_any_number) {
  HODGE_NEEDS_MPI();
  write(body_in_channel);
  const std::string study =
      "study x.yaml --steps 3 --within 1e-3 --tolerances 1e-8,1e-6 --give-up never --csv ";
  for (const int count : {1, 2, 3}) {
    const auto result = in_processes(count, study + std::to_string(count) + ".csv");
    ASSERT_EQ(result.exit_code, 0) << count << " processes: " << result.err;
    EXPECT_THAT(result.out, HasSubstr("reference: 3 steps"));
  }
  const std::vector<std::string> alone = study_rows(folder / "1.csv");
  EXPECT_GE(alone.size(), 6u);
  EXPECT_EQ(study_rows(folder / "2.csv"), alone);
  EXPECT_EQ(study_rows(folder / "3.csv"), alone);
}

// script(1) is a terminal; mpirun gives the processes another one, whatever its own output is.
TEST_F(RunInProcesses, redraws_a_line_only_where_the_output_of_mpirun_is_a_terminal) {
  HODGE_NEEDS_MPI();
  if (std::system("command -v script >/dev/null") != 0) GTEST_SKIP() << "there is no script(1)";
  write(periodic_box);
  const std::string erase = "\x1b[K", run = mpiexec + " -n 2 $H run x.yaml --overwrite";
  const std::string in_memory = "> /dev/shm/hodge_$$ && mv /dev/shm/hodge_$$ log.txt";
  for (const std::string& to :
       {std::string("> log.txt"), std::string("| cat > log.txt"), in_memory}) {
    ASSERT_EQ(launch("script -qec '" + run + " " + to + "' /dev/null < /dev/null").exit_code, 0);
    const std::string log = test::read_text(folder / "log.txt");
    EXPECT_THAT(log, HasSubstr("8 steps in "));
    EXPECT_THAT(log, testing::Not(HasSubstr("\x1b"))) << to;
  }
  ASSERT_EQ(launch("script -qec '" + run + "' shown.txt < /dev/null").exit_code, 0);
  EXPECT_THAT(test::read_text(folder / "shown.txt"), HasSubstr(erase));
}

TEST_F(RunInProcesses, says_once_what_is_wrong_and_creates_nothing) {
  HODGE_NEEDS_MPI();
  write("case: custom\ngrid: {cells: [8, 8]}\nfluid: {viscosty: 1}\ntime: {end: 1, steps: 1}\n");
  const auto misspelt = in_processes(2, "run x.yaml --output r");
  EXPECT_EQ(misspelt.exit_code, 2);
  EXPECT_THAT(misspelt.err, StartsWith("x.yaml:3:9: unknown key 'viscosty'"));
  EXPECT_EQ(std::count(misspelt.err.begin(), misspelt.err.end(), '\n'), 1) << misspelt.err;
  write(warm_channel);
  const auto device = in_processes(2, "run x.yaml --output r --device cuda:99");
  EXPECT_EQ(device.exit_code, 2) << device.err;
  EXPECT_EQ(std::count(device.err.begin(), device.err.end(), '\n'), 1) << device.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "r"));
}

TEST_F(RunInProcesses, says_of_the_key_of_other_cuts_what_holds_now) {
  HODGE_NEEDS_MPI();
  write(std::string(warm_channel) + "parallel: {processes: [1, 2]}\n");
  const auto result = in_processes(2, "run x.yaml --output r");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("x.yaml:17:23: parallel.processes is no setting any more: each "
                                    "of the processes that are started has a slab"));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "r"));
}

TEST_F(RunInProcesses, refuses_what_each_process_would_have_to_do_alone) {
  HODGE_NEEDS_MPI();
  write(warm_channel);
  const std::string run = "run x.yaml --output r --set time.steps=1 --set ";
  for (const char* setting :
       {"'solvers.transport={preconditioner: {kind: ssor_sai, form: truncated}}'",
        "'solvers.pressure={method: gauss}' --set 'grid.cells=[80, 64]'"}) {
    const auto result = in_processes(2, run + setting);
    EXPECT_EQ(result.exit_code, 2) << setting;
    EXPECT_THAT(result.err, HasSubstr("is not shared by processes")) << setting;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "r"));
  }
}

TEST_F(RunInProcesses, writes_a_log_of_each_process) {
  HODGE_NEEDS_MPI();
  write(std::string(warm_channel) + "parallel: {log: true}\n");
  expect_run(3, "--output r --set 'grid.cells=[20, 8]'");  // two slabs
  EXPECT_TRUE(std::filesystem::exists(folder / "r/log.rank0.txt"));
  EXPECT_EQ(test::lines_of(folder / "r/log.rank1.txt").size(), 3u + 9u);
  EXPECT_FALSE(std::filesystem::exists(folder / "r/log.rank2.txt"));
  const auto alone = in_processes(1, "run x.yaml --output alone --quiet");
  EXPECT_EQ(alone.exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder / "alone/log.rank0.txt"));
}

TEST_F(RunInProcesses, names_the_mpi_library_that_its_results_passed_through) {
  HODGE_NEEDS_MPI();
  write(warm_channel);
  expect_run(1, "--set time.steps=1 --output alone");
  expect_run(2, "--set time.steps=1 --output shared");
  EXPECT_THAT(test::read_text(folder / "alone/summary.json"), Not(HasSubstr("\"MPI\": ")));
  EXPECT_THAT(test::read_text(folder / "shared/summary.json"),
              testing::ContainsRegex("\"MPI\": \"[A-Z].* [0-9.]+\""));
}

TEST_F(RunInProcesses, goes_on_without_a_log_that_cannot_be_written) {
  HODGE_NEEDS_MPI();
  write(std::string(warm_channel) + "parallel: {log: true}\n");
  const std::string run = "\"$H\" run x.yaml --quiet --output r";
  const auto result =
      launch(mpiexec + " -n 1 " + run + " : -n 1 sh -c 'ulimit -f 1; exec \"$@\"' sh " + run);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("log.rank1.txt: File too large: the run goes on without"));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_EQ(test::lines_of(folder / "r/history.csv").size(), 1u + 1u + 9u);
  EXPECT_EQ(test::lines_of(folder / "r/log.rank0.txt").size(), 3u + 9u);
}

TEST_F(RunInProcesses, plans_without_writing) {
  HODGE_NEEDS_MPI();
  write(warm_channel);
  const auto plan = in_processes(3, "run x.yaml --output r --dry-run");
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
  EXPECT_THAT(plan.out, HasSubstr("20 x 17 cells"));
  EXPECT_THAT(plan.out, HasSubstr("3 processes, the largest with 6 of the 17 layers along y"));
  EXPECT_THAT(plan.out, HasSubstr("available for each process"));
  EXPECT_THAT(plan.out, HasSubstr("on their way to the disk in process 0"));
  EXPECT_FALSE(std::filesystem::exists(folder / "r"));
}

TEST_F(RunInProcesses, runs_one_file_after_the_other) {
  HODGE_NEEDS_MPI();
  write(warm_channel);
  test::write_text(folder / "y.yaml", periodic_box);
  const auto result = in_processes(2, "run x.yaml y.yaml --quiet --output all --set time.steps=2");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "all/x/x.pvd"));
  EXPECT_TRUE(std::filesystem::exists(folder / "all/y/y.pvd"));
}

// The others wait for the next one.
TEST_F(RunInProcesses, goes_on_with_the_next_file_behind_one_that_fails) {
  HODGE_NEEDS_MPI();
  write(warm_channel);
  std::string gpu = warm_channel;
  gpu.replace(gpu.find("device: cpu"), 11, "device: cuda:99");
  test::write_text(folder / "gpu.yaml", gpu);
  const auto result =
      in_processes(4, "run gpu.yaml x.yaml --quiet --output all --set time.steps=2");
  EXPECT_NE(result.exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder / "all/gpu"));
  EXPECT_TRUE(std::filesystem::exists(folder / "all/x/x.pvd"));
}

// 12 x 8 cells: two slabs, and x is too short for a cut.
TEST_F(RunInProcesses, more_than_the_box_has_layers_for_are_left_without_a_part) {
  HODGE_NEEDS_MPI();
  std::string thin = warm_channel;
  thin.replace(thin.find("20, 17"), 6, "12, 8 ");
  write(thin);
  expect_run(1, "--output r1");
  expect_run(4, "--output r");
  test::expect_same_runs(folder / "r1", folder / "r", "x");
  EXPECT_THAT(test::read_text(folder / "r/log.txt"), HasSubstr("4 processes (2 without a part)"));
}

}  // namespace
}  // namespace hodge::tools
