// hodge run by several processes ends in order, whatever happens to one of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>

#include "tests/support/program_in_processes.hpp"
#include "tests/support/same_runs.hpp"
#include "tests/support/warm_channel.hpp"

namespace hodge::tools {
namespace {

using testing::HasSubstr;
using tests::mpiexec;
using tests::warm_channel;

// What ends a run: on the CPU, and on GPUs, several processes on one where there are fewer.
class EndsInProcesses : public tests::RunsOfOneFile,
                        public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    RunsOfOneFile::SetUp();
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
constexpr const char* two_steps = "[ \"$(cat r/history.csv 2>/dev/null | wc -l)\" -gt 3 ]";
constexpr const char* a_checkpoint = "ls r/checkpoints/*.h5 > /dev/null 2>&1";

// Starts what stands before it, as $P, and waits until `begun` holds, or $P has ended.
// `lives N`: whether there is such a process.
std::string and_wait_for(const std::string& begun) {
  return " & P=$!; lives() { grep -qs '^State:[[:space:]]*[^ZX[:space:]]' /proc/$1/status; }; "
         "while lives $P && ! " +
         begun + "; do sleep 0.05; done; ";
}
// Then sends a signal to process `to` and waits for the end of all; `seconds` has how long that
// took.
std::string signal_and_wait(const std::string& signal, const std::string& to = "$P",
                            const std::string& begun = two_steps) {
  return and_wait_for(begun) + "sleep 0.3; T=$(date +%s%N); kill -" + signal + " " + to +
         "; wait $P; C=$?; echo $(( ($(date +%s%N) - T) / 1000000000 )) > seconds; exit $C";
}
// It is a second or two; a slow or busy machine takes longer.
constexpr long most_seconds = 60;

class SignalledInProcesses : public EndsInProcesses {
 protected:
  // A restart by three processes goes on as a run by one that nobody ended.
  void expect_restart() {
    EXPECT_LT(std::stol(test::read_text(folder / "seconds")), most_seconds);
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
  const auto ended = launch(mpiexec + " -n 2 \"$H\" " + long_run + "r" + on_device() +
                            signal_and_wait("TERM", "$P", a_checkpoint));
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

// What it has written by then is whole, and a restart goes on from the last checkpoint. Neither a
// process nor shared memory that one of them has mapped is left.
TEST_P(EndsInProcesses, one_that_is_killed_ends_all_and_a_restart_goes_on) {
  write(warm_channel);
  const std::string run =
      "run x.yaml --quiet --set time.end=1e6 --set output.checkpoint.every=0.02" + on_device();
  const auto killed =
      launch(mpiexec +
             " -n 2 sh -c 'echo $$ > pid.$OMPI_COMM_WORLD_RANK$PMI_RANK; exec \"$H\" \"$@\"' sh " +
             run + " --output r --set time.steps=1000000" + and_wait_for(a_checkpoint) +
             "for p in $(cat pid.*); do grep -o '/dev/shm/[^ ]*' /proc/$p/maps; done | grep -v "
             "pmix- > shared; "
             "T=$(date +%s%N); kill -KILL $(cat pid.1); wait $P; C=$?; "
             "for i in $(seq 600); do A=0; for p in $(cat pid.*); do lives $p && A=1; done; "
             "[ $A = 0 ] && break; sleep 0.05; done; echo $A > alive; "
             "echo $(( ($(date +%s%N) - T) / 1000000000 )) > seconds; "
             "for f in $(cat shared); do [ -e $f ] && echo $f; done > left; exit $C");
  EXPECT_NE(killed.exit_code, 0);
  EXPECT_EQ(test::read_text(folder / "alive"), "0\n");
  EXPECT_LT(std::stol(test::read_text(folder / "seconds")), most_seconds);
  EXPECT_EQ(test::read_text(folder / "left"), "");
  const long step = test::newest_checkpoint(folder / "r");
  const std::string end = " --set time.steps=" + std::to_string(step + 3);
  const auto straight = in_processes(1, run + " --output straight" + end);
  ASSERT_EQ(straight.exit_code, 0) << straight.err;
  const auto resumed = in_processes(2, run + " --output r --restart latest" + end);
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  test::expect_same_runs(folder / "straight", folder / "r", "x");
}

constexpr auto name_of_device = [](const testing::TestParamInfo<const char*>& device) {
  return std::string(device.param == std::string("cuda") ? "Cuda" : "Host");
};
INSTANTIATE_TEST_SUITE_P(, EndsInProcesses, testing::Values("cpu", "cuda"), name_of_device);
INSTANTIATE_TEST_SUITE_P(, SignalledInProcesses, testing::Values("cpu", "cuda"), name_of_device);

}  // namespace
}  // namespace hodge::tools
