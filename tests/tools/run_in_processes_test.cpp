// hodge run by several processes: its files have the bits of one process, and it ends in order
// whatever happens to one of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
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
output: {frames: {every: 0.1}, fields: [velocity, pressure, vorticity, a, solid]}
probes:
  every: 0.05
  points: {wake: [2, 0.5], near: [0.1, 0.9]}
  lines: {across: {from: [2, 0], to: [2, 1], points: 9}}
device: cpu
)yaml";

constexpr const char* periodic_box = R"yaml(
case: custom
grid: {cells: [18, 10, 13], lower: [0, 0, 0], upper: [1, 1, 1]}
fluid: {viscosity: 0.02}
boundaries: {x_lower: periodic, x_upper: periodic, z_lower: periodic, z_upper: periodic}
initial: {velocity: ["sin(2*pi*z)", "0.1*y*(1 - y)*sin(2*pi*x)", "cos(2*pi*x)"]}
time: {scheme: rk3, end: 1, steps: 8, step: {cfl: 0.5}}
output: {frames: {every: 0.05}, precision: double}
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

class RunInProcesses : public tests::Processes {
 protected:
  void write(const std::string& yaml) { test::write_text(folder / "x.yaml", yaml); }
  void expect_run(int count, const std::string& arguments) {
    const auto result = in_processes(count, "run x.yaml --quiet " + arguments);
    ASSERT_EQ(result.exit_code, 0) << count << " processes: " << result.err;
    EXPECT_EQ(result.out + result.err, "");
  }
};

TEST_F(RunInProcesses, writes_the_same_files_by_any_number) {
  HODGE_NEEDS_MPI();
  for (const char* yaml : {warm_channel, body_in_channel, periodic_box}) {
    write(yaml);
    expect_run(1, "--output r1 --overwrite");
    for (const int count : {2, 4}) {
      SCOPED_TRACE(count);
      expect_run(count, "--output r --overwrite");
      test::expect_same_runs(folder / "r1", folder / "r", "custom");
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
        test::expect_same_runs(folder / "r1", folder / "r", "custom");
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
    "{kind: ssor_sai, form: truncated, alpha: 0.6}}}'";

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
      test::expect_same_runs(folder / "straight", folder / "r", "custom");
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
      test::expect_same_runs(folder / "straight", folder / "r", "custom");
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
  const std::string study = "study x.yaml --steps 3 --within 1e-3 --tolerances 1e-8,1e-6 --csv ";
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

TEST_F(RunInProcesses, refuses_more_parts_than_processes_with_the_place_of_the_key) {
  HODGE_NEEDS_MPI();
  write(std::string(warm_channel) + "parallel: {processes: [1, 4]}\n");
  const auto result = in_processes(2, "run x.yaml --output r");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("x.yaml:17:23: parallel.processes asks for 4 processes, and 2 "
                                    "were started"));
  EXPECT_FALSE(std::filesystem::exists(folder / "r"));
}

TEST_F(RunInProcesses, writes_a_log_of_each_process) {
  HODGE_NEEDS_MPI();
  write(std::string(warm_channel) + "parallel: {processes: [1, 2], log: true}\n");
  expect_run(3, "--output r");
  EXPECT_TRUE(std::filesystem::exists(folder / "r/log.rank0.txt"));
  EXPECT_EQ(test::lines_of(folder / "r/log.rank1.txt").size(), 3u + 9u);
  EXPECT_FALSE(std::filesystem::exists(folder / "r/log.rank2.txt"));
  const auto alone = in_processes(1, "run x.yaml --output alone --quiet");
  EXPECT_EQ(alone.exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder / "alone/log.rank0.txt"));
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
  EXPECT_TRUE(std::filesystem::exists(folder / "all/x/custom.pvd"));
  EXPECT_TRUE(std::filesystem::exists(folder / "all/y/custom.pvd"));
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
  EXPECT_TRUE(std::filesystem::exists(folder / "all/x/custom.pvd"));
}

// 12 x 8 cells: two slabs, and x is too short for a cut.
TEST_F(RunInProcesses, more_than_the_box_has_layers_for_are_left_without_a_part) {
  HODGE_NEEDS_MPI();
  std::string thin = warm_channel;
  thin.replace(thin.find("20, 17"), 6, "12, 8 ");
  write(thin);
  expect_run(1, "--output r1");
  expect_run(4, "--output r");
  test::expect_same_runs(folder / "r1", folder / "r", "custom");
  EXPECT_THAT(test::read_text(folder / "r/log.txt"), HasSubstr("4 processes (2 without a part)"));
}

// What ends a run: on the CPU, and on GPUs, several processes on one where there are fewer.
class EndsInProcesses : public RunInProcesses, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    RunInProcesses::SetUp();
    HODGE_NEEDS_MPI();
    if (GetParam() == std::string("cuda")) HODGE_NEEDS_GPU();
  }
  static std::string on_device() { return std::string(" --device ") + GetParam(); }
};

// The fluid explodes in cells of the last process alone.
TEST_P(EndsInProcesses, a_blow_up_in_one_part_ends_all_with_one_message) {
  std::string yaml = warm_channel;
  const std::string force = "0.1*sin(t)";
  yaml.replace(yaml.find(force), force.size(), "(y > 0.9) * (t > 0.05) * 1e200");
  write(yaml);
  const std::string arguments = "run x.yaml --output r --overwrite --quiet" + on_device();
  const auto alone = in_processes(1, arguments), shared = in_processes(3, arguments);
  EXPECT_EQ(alone.exit_code, 3) << alone.err;
  EXPECT_EQ(shared.exit_code, 3);
  EXPECT_EQ(shared.err, alone.err);
}

// Files of process 0 may not grow beyond a few KiB.
TEST_P(EndsInProcesses, a_full_disk_ends_all_with_one_message) {
  write(warm_channel);
  const std::string run = "\"$H\" run x.yaml --quiet --output r --set time.steps=400" + on_device();
  const auto result =
      launch(mpiexec + " -n 1 sh -c 'ulimit -f 8; exec \"$@\"' sh " + run + " : -n 2 " + run);
  EXPECT_EQ(result.exit_code, 4) << result.err;
  EXPECT_THAT(result.err, HasSubstr("File too large"));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

// Goes on until a signal comes.
constexpr const char* long_run =
    "run x.yaml --quiet --set time.end=1e6 --set time.steps=1000000 "
    "--set output.frames.every=1e6 --output ";
// Waits for the first rows of r, sends a signal to process `to` and waits for the end of all;
// `seconds` has how long that took.
std::string signal_and_wait(const std::string& signal, const std::string& to = "$P") {
  return " & P=$!; for i in $(seq 600); do [ -s r/history.csv ] && break; sleep 0.05; done; "
         "sleep 0.3; T=$(date +%s%N); kill -" +
         signal + " " + to +
         "; wait $P; C=$?; echo $(( ($(date +%s%N) - T) / 1000000000 )) > seconds; exit $C";
}

class SignalledInProcesses : public EndsInProcesses {
 protected:
  // A restart by three processes goes on as a run by one that nobody ended.
  void expect_restart() {
    EXPECT_LT(std::stol(test::read_text(folder / "seconds")), 10);
    const long step = std::stol(test::cells_of(test::lines_of(folder / "r/history.csv").back())[0]);
    ASSERT_GT(step, 0);
    const std::string run = long_run,
                      end = on_device() + " --set time.steps=" + std::to_string(step + 3);
    const auto resumed = in_processes(3, run + "r --restart latest" + end);
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    const auto straight = in_processes(1, run + "straight" + end);
    ASSERT_EQ(straight.exit_code, 0) << straight.err;
    test::expect_same_rows(folder / "straight", folder / "r", "history.csv");
  }
};

// mpirun hands SIGUSR1 on, but for that of some packages of Open MPI 4.1.6.
TEST_P(SignalledInProcesses, end_with_a_checkpoint_after_sigusr1_to_mpirun) {
  const auto shell =
      launch(mpiexec +
             " -n 1 sh -c 'trap \"exit 7\" USR1; echo $$ > ready; for i in $(seq 30); "
             "do sleep 0.1; done' & P=$!; for i in $(seq 200); do [ -s ready ] && break; "
             "sleep 0.05; done; kill -USR1 $P; wait $P");
  if (shell.exit_code != 7) GTEST_SKIP() << "this mpirun does not hand SIGUSR1 on";
  write(warm_channel);
  const auto ended =
      launch(mpiexec + " -n 2 \"$H\" " + long_run + "r" + on_device() + signal_and_wait("USR1"));
  EXPECT_EQ(ended.exit_code, 128 + SIGUSR1) << ended.err;
  expect_restart();
}

// It kills what still runs one second after SIGTERM: there is a checkpoint from before at least.
TEST_P(SignalledInProcesses, end_within_seconds_after_sigterm_to_mpirun) {
  std::string yaml = warm_channel;
  yaml.replace(yaml.find("  statistics"), 2, "  checkpoint: {every: 0.02}\n  ");
  write(yaml);
  const auto ended =
      launch(mpiexec + " -n 2 \"$H\" " + long_run + "r" + on_device() + signal_and_wait("TERM"));
  EXPECT_NE(ended.exit_code, 0) << ended.err;
  expect_restart();
}

TEST_P(SignalledInProcesses, end_with_a_checkpoint_after_a_signal_to_one_of_them) {
  write(warm_channel);
  for (const char* rank : {"0", "1"})
    for (const char* signal : {"USR1", "TERM"}) {
      SCOPED_TRACE(std::string(signal) + " to rank " + rank);
      for (const char* gone : {"r", "straight"}) std::filesystem::remove_all(folder / gone);
      const auto ended =
          launch(mpiexec +
                 " -n 2 sh -c 'echo $$ > pid.$OMPI_COMM_WORLD_RANK$PMI_RANK; exec \"$H\" \"$@\"'"
                 " sh " +
                 long_run + "r" + on_device() +
                 signal_and_wait(signal, std::string("$(cat pid.") + rank + ")"));
      EXPECT_EQ(ended.exit_code, 128 + (signal == std::string("TERM") ? SIGTERM : SIGUSR1))
          << ended.err;
      EXPECT_EQ(ended.err, "");
      expect_restart();
    }
}

// What it has written by then is whole, and a restart goes on from the last checkpoint.
TEST_P(EndsInProcesses, one_that_is_killed_ends_all_and_a_restart_goes_on) {
  write(warm_channel);
  expect_run(1, "--set time.steps=30 --output straight" + on_device());
  const std::string run =
      "run x.yaml --quiet --set time.steps=30 --output r --set output.checkpoint.every=0.02" +
      on_device();
  const auto killed =
      launch(mpiexec + " -n 1 \"$H\" " + run +
             " : -n 1 sh -c 'echo $$ > pid; exec \"$H\" \"$@\"' sh " + run +
             " & P=$!; for i in $(seq 400); do ls r/checkpoints/*.h5 > /dev/null 2>&1 && break; "
             "sleep 0.05; done; T=$(date +%s%N); kill -KILL $(cat pid); wait $P; C=$?; "
             "echo $(( ($(date +%s%N) - T) / 1000000000 )) > seconds; exit $C");
  EXPECT_NE(killed.exit_code, 0);
  EXPECT_LT(std::stol(test::read_text(folder / "seconds")), 10);
  const auto resumed = in_processes(2, run + " --restart latest");
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  test::expect_same_runs(folder / "straight", folder / "r", "custom");
}

constexpr auto name_of_device = [](const testing::TestParamInfo<const char*>& device) {
  return std::string(device.param == std::string("cuda") ? "Cuda" : "Host");
};
INSTANTIATE_TEST_SUITE_P(, EndsInProcesses, testing::Values("cpu", "cuda"), name_of_device);
INSTANTIATE_TEST_SUITE_P(, SignalledInProcesses, testing::Values("cpu", "cuda"), name_of_device);

}  // namespace
}  // namespace hodge::tools
