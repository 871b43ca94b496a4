// A program under attack: every call of it fails, one at a time.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "linalg/files/atomic_file.hpp"
#include "tests/faults/watched_run.hpp"

namespace hodge::tests {

inline std::vector<int> errors_of(const std::string& kind) {
  if (kind == "open") return {EIO, EMFILE, ENOSPC, EDQUOT};
  if (kind == "write") return {EIO, ENOSPC, EDQUOT};
  if (kind == "sync") return {EIO, ENOSPC, EDQUOT};
  if (kind == "close") return {EIO, EINTR, ENOSPC, EDQUOT};
  if (kind == "rename" || kind == "mkdir" || kind == "link") return {EIO, ENOSPC, EDQUOT};
  if (kind == "truncate") return {EIO, EINTR};
  if (kind == "lock") return {EIO, ENOLCK};
  if (kind == "read" || kind == "stat") return {EIO, ESTALE};
  return {EIO};
}

// The errors of a kind take turns from call to call; each fails once and for good, but for signals:
// a call that is interrupted is made again, for ever. A write and a read are also interrupted, and
// take half of their bytes. Every call that changes something is also the last before the process
// is killed.
inline std::vector<Fault> faults_of(const std::vector<WatchedCall>& calls) {
  std::vector<Fault> faults;
  std::map<std::string, std::size_t> turns;
  for (const WatchedCall& call : calls) {
    const std::vector<int> errors = errors_of(call.kind);
    const int error = errors[turns[call.kind]++ % errors.size()];
    const bool looks = call.kind == "read" || call.kind == "stat" || call.kind == "list";
    faults.push_back({call, error, false});
    if (error != EINTR) faults.push_back({call, error, true});
    if (!looks) faults.push_back({call, Fault::kill, false});
    if (call.kind != "write" && call.kind != "read") continue;
    faults.push_back({call, EINTR, false});
    faults.push_back({call, Fault::half_of_it, false});
  }
  return faults;
}

// One line, which names the file of the call that failed: itself, the one that it is written for,
// or its folder; where all later calls fail too, it may be another one.
inline void expect_one_line(const test::ProgramResult& result, const Fault& fault) {
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  const fs::path path = fault.call.path;
  const std::string name = name_behind(path).value_or(path.filename().string());
  const std::string folder = path.parent_path().filename().string();
  const std::string said = result.out + result.err;  // verify lists broken files
  // Of the folder in which the program works, messages have the whole path, or the folder as it was
  // given.
  const bool is_named = said.find(path == "." ? "/" : name) != std::string::npos ||
                        (path == "." && said.find(" .: ") != std::string::npos) ||
                        (!folder.empty() && said.find(folder) != std::string::npos);
  EXPECT_TRUE(is_named || fault.stays) << "the line does not name " << path << ": " << result.err;
}

struct Attack {
  std::function<void()> begin;  // makes what is there before the program starts
  std::function<test::ProgramResult(const Environment&)> run;  // the program, with the library
  std::function<void()> expect_whole;  // all is there, and as the program leaves it undisturbed
  std::function<void(const std::string& before)> expect_goes_on;  // and ends whole

  std::vector<WatchedCall> count_calls(const fs::path& file) const {
    begin();
    fs::remove(file);
    const test::ProgramResult result = run({{"HODGE_CALLS", file.string()}});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    expect_whole();
    return read_calls(file);
  }

  // calls: a file for what the program calls.
  void expect_survives(Fault fault, const fs::path& calls) const {
    begin();
    fs::remove(calls);
    const test::ProgramResult result =
        run({{"HODGE_FAIL", fault.wanted()}, {"HODGE_CALLS", calls.string()}});
    fault.call = call_that_failed(calls).value_or(fault.call);
    if (result.exit_code == 0) {
      SCOPED_TRACE("exit code 0");
      expect_whole();
    } else if (fault.error != Fault::kill) {
      EXPECT_TRUE(result.exit_code == 4 || result.exit_code == 2)
          << result.exit_code << ": " << result.err;
      expect_one_line(result, fault);
    }
    expect_goes_on(result.err);
  }

  // One of `default_stride` faults, or of HODGE_FAULT_STRIDE.
  void sweep(const fs::path& scratch, int default_stride) const {
    const std::vector<Fault> faults = faults_of(count_calls(scratch / "calls"));
    EXPECT_FALSE(faults.empty());
    if (testing::Test::HasFailure()) return;
    const auto stride = static_cast<std::size_t>(number_from("HODGE_FAULT_STRIDE", default_stride));
    std::size_t injected = 0, failed = 0;
    const auto first = static_cast<std::size_t>(number_from("HODGE_FAULT_FIRST", 0));
    for (std::size_t i = first; i < faults.size(); i += stride, ++injected) {
      const std::string failures =
          failures_of([&] { expect_survives(faults[i], scratch / "calls"); });
      if (failures.empty()) continue;
      ++failed;
      ADD_FAILURE() << faults[i].text() << "\n" << failures;
    }
    std::printf("%zu of %zu faults, %zu were not survived\n", injected, faults.size(), failed);
  }
};

}  // namespace hodge::tests
