// Every call that opens, writes, synchronises, closes, renames, removes or makes a file of a run
// fails, one at a time. Whatever fails: the exit code is 0 only where the directory is whole, else
// 4 with one line, and what goes on afterwards ends as the run that nothing has disturbed.
//
// HODGE_FAULT_STRIDE=1 in the environment takes every fault; without it, one of many. Several
// processes share the faults by HODGE_FAULT_FIRST, the number of the first one, from 0.
#include <algorithm>
#include <cerrno>

#include "tests/faults/watched_run.hpp"

namespace hodge::tests {
namespace {

std::vector<int> errors_of(const std::string& kind) {
  if (kind == "open") return {EIO, EMFILE, ENOSPC, EDQUOT};
  if (kind == "write") return {EIO, ENOSPC, EDQUOT};
  if (kind == "sync") return {EIO, ENOSPC, EDQUOT};
  if (kind == "close") return {EIO, EINTR, ENOSPC, EDQUOT};
  if (kind == "rename" || kind == "mkdir" || kind == "link") return {EIO, ENOSPC, EDQUOT};
  if (kind == "truncate") return {EIO, EINTR};
  if (kind == "lock") return {EIO, ENOLCK};
  return {EIO};
}

// The errors of a kind take turns from call to call; each fails once and for good, but for signals:
// a call that is interrupted is made again, for ever. A write is also interrupted, and takes half
// of its bytes. Every call is also the last before the process is killed.
std::vector<Fault> faults_of(const std::vector<WatchedCall>& calls) {
  std::vector<Fault> faults;
  std::map<std::string, std::size_t> turns;
  for (const WatchedCall& call : calls) {
    if (call.path == "run.yaml") continue;  // is read, no file of the run
    const std::vector<int> errors = errors_of(call.kind);
    const int error = errors[turns[call.kind]++ % errors.size()];
    faults.push_back({call, error, false});
    if (error != EINTR) faults.push_back({call, error, true});
    faults.push_back({call, Fault::kill, false});
    if (call.kind != "write") continue;
    faults.push_back({call, EINTR, false});
    faults.push_back({call, Fault::half_of_a_write, false});
  }
  return faults;
}

void expect_one_line(const test::ProgramResult& result) {
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

// A run with these words under attack, in a folder that begins as `before`.
struct Attack {
  const WatchedRun &straight, &before, &attacked;
  Words words;

  test::ProgramResult run(const Environment& variables) const {
    attacked.begin_with(before);
    return attacked.watched(variables, words);
  }

  std::vector<WatchedCall> count_calls() const {
    const fs::path file = attacked.folder() / "calls";
    const test::ProgramResult result = run({{"HODGE_CALLS", file.string()}});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    expect_whole(straight.out(), attacked.out());
    return read_calls(file);
  }

  void expect_survives(const Fault& fault) const {
    const test::ProgramResult result = run({{"HODGE_FAIL", fault.wanted()}});
    if (result.exit_code == 0) {
      SCOPED_TRACE("exit code 0");
      expect_whole(straight.out(), attacked.out());
    } else if (fault.error != Fault::kill) {
      EXPECT_EQ(result.exit_code, 4) << result.err;
      expect_one_line(result);
    }
    const test::ProgramResult again = attacked.once_more();
    EXPECT_EQ(again.exit_code, 0) << "what went on: " << again.err << "after: " << result.err;
    SCOPED_TRACE("after it went on; before: " + result.err);
    expect_whole(straight.out(), attacked.out());
    if (again.exit_code != 0) return;
    const test::ProgramResult verified = attacked.verify();
    EXPECT_EQ(verified.exit_code, 0) << "verify: " << verified.out << verified.err;
  }

  void sweep(int default_stride) const {
    const std::vector<Fault> faults = faults_of(count_calls());
    if (testing::Test::HasFailure()) return;
    const auto stride = static_cast<std::size_t>(number_from("HODGE_FAULT_STRIDE", default_stride));
    std::size_t injected = 0, failed = 0;
    const auto first = static_cast<std::size_t>(number_from("HODGE_FAULT_FIRST", 0));
    for (std::size_t i = first; i < faults.size(); i += stride, ++injected) {
      const std::string failures = failures_of([&] { expect_survives(faults[i]); });
      if (failures.empty()) continue;
      ++failed;
      ADD_FAILURE() << faults[i].text() << "\n" << failures;
    }
    std::printf("%zu of %zu faults, %zu were not survived\n", injected, faults.size(), failed);
  }
};

class FaultSweep : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_not_watched(); !why.empty()) GTEST_SKIP() << why;
    ASSERT_EQ(straight.hodge().exit_code, 0);
  }

  test::TemporaryDirectory folder;
  WatchedRun straight{folder / "straight"}, before{folder / "before"},
      attacked{folder / "attacked"};
};

TEST_F(FaultSweep, a_run_survives_a_failure_of_any_call) {
  Attack{straight, before, attacked, {}}.sweep(331);
}

TEST_F(FaultSweep, a_restart_survives_a_failure_of_any_call) {
  ASSERT_NO_FATAL_FAILURE(kill_between_checkpoints(before));
  Attack{straight, before, attacked, {"--restart", "latest"}}.sweep(331);
}

TEST_F(FaultSweep, a_run_that_replaces_another_survives_a_failure_of_any_call) {
  ASSERT_NO_FATAL_FAILURE(kill_between_checkpoints(before));
  Attack{straight, before, attacked, {"--overwrite"}}.sweep(331);
}

}  // namespace
}  // namespace hodge::tests
