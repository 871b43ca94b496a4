// The calls that the library of tests/preload has counted, and how one of them can fail.
#pragma once

#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace hodge::tests {

struct WatchedCall {
  std::string thread;  // main or other
  int number = 0;
  std::string kind, path;
};

inline WatchedCall read_call(const std::string& line) {
  WatchedCall call;
  std::istringstream(line) >> call.thread >> call.number >> call.kind >> call.path;
  return call;
}

inline std::vector<WatchedCall> read_calls(const std::filesystem::path& file) {
  std::vector<WatchedCall> calls;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) calls.push_back(read_call(line));
  return calls;
}

// The first call that was made to fail: its number may be that of another one in each run.
inline std::optional<WatchedCall> call_that_failed(const std::filesystem::path& file) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);)
    if (line.ends_with(" FAILS")) return read_call(line);
  return std::nullopt;
}

struct Fault {
  static constexpr int half_of_it = 0, kill = -1;  // in place of an errno

  WatchedCall call;
  int error = 0;
  bool stays = false;  // and all later calls of the thread fail too

  // As in HODGE_FAIL, tests/preload/watch.hpp.
  std::string wanted() const {
    return call.thread + " " + std::to_string(call.number) + " " + std::to_string(error) +
           (stays ? " on" : "");
  }
  std::string text() const {
    const std::string what = error == half_of_it ? "half of it"
                             : error == kill     ? "SIGKILL"
                                                 : std::strerror(error);
    return call.kind + " " + call.path + " (" + call.thread + " " + std::to_string(call.number) +
           "): " + what + (stays ? ", and all that follow" : "");
  }
};

}  // namespace hodge::tests
