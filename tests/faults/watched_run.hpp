// A short run of the real program with everything that a run writes, started with the library of
// tests/preload, which lets a call of libc fail or records all of them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/faults/calls.hpp"
#include "tests/support/program_in_processes.hpp"
#include "tests/support/run_hodge.hpp"
#include "tests/support/same_runs.hpp"

namespace hodge::tests {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
using Environment = std::map<std::string, std::string>;

// Frames, checkpoints, probes, averages, forces and a comparison in four steps.
inline constexpr const char* short_run_file = R"yaml(
case: custom
grid: {cells: [12, 8], lower: [0, 0], upper: [3, 1]}
fluid: {viscosity: 0.005}
boundaries:
  x_lower: {kind: inflow, velocity: ["6*y*(1 - y)*(1 + 0.2*sin(9*t))", 0]}
  x_upper: outflow
solids: [{name: block, box: {lower: [0.75, 0.25], upper: [1, 0.75]}}]
time: {end: 0.2, step: {size: 0.05}}
output:
  frames: {every: 0.1}
  checkpoint: {every: 0.1, keep: 2}
probes:
  points: {wake: [1.5, 0.5]}
  lines: {across: {from: [2, 0], to: [2, 1], points: 3}}
  averages: {from: 0.05}
compare:
  steps: [1, 3]
  give_up: never
  pressure: [{method: cg, preconditioner: {kind: jacobi}}]
  histories: true
  guesses: true
device: cpu
)yaml";

// A run that reads: a table, a surface, and the state of another run; statistics.
inline constexpr const char* run_with_inputs_file = R"yaml(
case: custom
grid: {cells: [12, 8, 4], lower: [0, 0, 0], upper: [3, 1, 1]}
fluid: {viscosity: 0.005}
boundaries:
  x_lower: {kind: inflow, velocity: ['table("profile.csv", y)*(1 + 0.2*sin(9*t))', 0, 0]}
  x_upper: outflow
solids: [{name: block, surface: {file: block.stl}}]
initial: {from: earlier}
time: {end: 0.1, step: {size: 0.05}}
output:
  frames: {every: 0.1}
  checkpoint: {every: 0.1, keep: 2}
  statistics: {start: 0.05}
device: cpu
)yaml";
inline constexpr const char* profile_csv = "y,u\n0,0\n0.5,1.5\n1,0\n";

// Variables of the environment for the programs that are started while this lives.
class ScopedEnvironment {
 public:
  explicit ScopedEnvironment(const Environment& variables) : variables_(variables) {
    for (const auto& [name, value] : variables_) ::setenv(name.c_str(), value.c_str(), 1);
  }
  ~ScopedEnvironment() {
    for (const auto& [name, value] : variables_) ::unsetenv(name.c_str());
  }
  ScopedEnvironment(const ScopedEnvironment&) = delete;
  ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;

 private:
  Environment variables_;
};

// The failures of the EXPECTs in `action`, as text; empty where all hold.
inline std::string failures_of(const std::function<void()>& action) {
  testing::TestPartResultArray results;
  {
    const testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    action();
  }
  std::string text;
  for (int i = 0; i < results.size(); ++i)
    if (results.GetTestPartResult(i).failed())
      text += std::string(results.GetTestPartResult(i).message()) + "\n";
  return text;
}

// The names of all files below a folder.
inline std::set<std::string> files_below(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) names.insert(entry.path().lexically_relative(folder).string());
  return names;
}

inline bool has_checkpoint(const fs::path& run) {
  if (!fs::exists(run / "checkpoints")) return false;
  for (const auto& entry : fs::directory_iterator(run / "checkpoints"))
    if (entry.path().extension() == ".h5" && !entry.path().filename().string().starts_with("."))
      return true;
  return false;
}

// A run that an error stopped has saved its last step: another older checkpoint is kept then.
inline std::set<std::string> files_but_older_checkpoints(const fs::path& run) {
  std::set<std::string> names = files_below(run);
  std::string newest;
  for (const std::string& name : names)
    if (name.ends_with(".h5")) newest = name;
  std::erase_if(names,
                [&](const std::string& name) { return name.ends_with(".h5") && name != newest; });
  return names;
}

// The results in summary.json: final values, means and rms. Checks what a run says of itself.
inline std::string results_in(const fs::path& run) {
  const std::string text = test::read_text(run / "summary.json");
  const auto begin = text.find("\"results\""), end = text.find("\n  }", begin);
  return begin == std::string::npos ? "none" : text.substr(begin, end - begin);
}

// Without the folder, in which the files lie that it names.
inline std::string config_in(const fs::path& run) {
  std::string text = test::read_text(run / "config.yaml");
  const std::string folder = run.parent_path().string();
  for (auto at = text.find(folder); at != text.npos; at = text.find(folder))
    text.erase(at, folder.size());
  return text;
}

// Everything that a run wrote, but for what the clock says and for summary, log and checkpoints:
// those are there, and the newest checkpoint is that of the end. The guesses that are compared
// begin anew after a restart: of them the rows are counted. Pieces of frames are compared too.
inline void expect_whole(const fs::path& straight, const fs::path& run) {
  EXPECT_EQ(files_but_older_checkpoints(run), files_but_older_checkpoints(straight));
  if (testing::Test::HasFatalFailure()) return;
  test::expect_same_rows_of_runs(straight, run);
  for (const std::string& name : files_below(straight)) {
    if (name.ends_with(".pvd") || name.starts_with("frames/")) {
      EXPECT_TRUE(test::read_text(run / name) == test::read_text(straight / name)) << name;
    }
  }
  if (fs::exists(straight / "compare_guess.csv")) {
    EXPECT_EQ(test::lines_of(run / "compare_guess.csv").size(),
              test::lines_of(straight / "compare_guess.csv").size());
  }
  EXPECT_EQ(config_in(run), config_in(straight));
  EXPECT_EQ(results_in(run), results_in(straight));
}

// What a run may be: the file that is run, and by how many processes, of which one is watched;
// several write frames in pieces.
struct RunKind {
  const char* yaml = short_run_file;
  int processes = 1, watched_rank = 0;
};

// mpirun for more processes than cores, also as root, and for no longer than a minute. Processes
// that are bound to cores share the first ones with those of all other tests, and wait spinning.
inline Words launcher_of(int processes) {
  if (processes == 1) return {};
  return {"/usr/bin/env",
          "OMPI_ALLOW_RUN_AS_ROOT=1",
          "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
          "MPIEXEC_TIMEOUT=60",
          "OMPI_MCA_rmaps_base_oversubscribe=true",
          "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe",
          "OMPI_MCA_btl_vader_single_copy_mechanism=none",
          "OMPI_MCA_hwloc_base_binding_policy=none",
          "PRTE_MCA_hwloc_default_binding_policy=none",
          "OMPI_MCA_mpi_yield_when_idle=1",
          "OMP_NUM_THREADS=1",
          mpiexec,
          "-n",
          std::to_string(processes)};
}

// A folder in which hodge writes its run into "out". All of the folder is watched.
class WatchedRun {
 public:
  explicit WatchedRun(fs::path folder, const RunKind& kind = {})
      : folder_(std::move(folder)), kind_(kind) {
    fs::create_directories(folder_);
    test::write_text(folder_ / "run.yaml", kind.yaml);
  }

  fs::path out() const { return folder_ / "out"; }
  const fs::path& folder() const { return folder_; }

  test::ProgramResult hodge(const Words& more = {}) const {
    Words words{"run", "run.yaml", "--output", "out"};
    words.insert(words.end(), more.begin(), more.end());
    if (kind_.processes > 1) words.insert(words.end(), {"--set", "output.pieces=always"});
    return command(words, launcher_of(kind_.processes));
  }
  // With the library; its variables beside HODGE_WATCHED.
  test::ProgramResult watched(const Environment& variables, const Words& more = {}) const {
    const ScopedEnvironment environment(with_library(variables));
    return hodge(more);
  }
  // Another command in the folder.
  test::ProgramResult command(const Words& words, const Words& launcher = {}) const {
    test::ProgramResult result = test::run_hodge(words, folder_, launcher);
    if (!launcher.empty()) result.err = without_mpirun(result.err);
    return result;
  }
  // The variables may name another folder that is watched.
  test::ProgramResult watched_command(const Environment& variables, const Words& words) const {
    const ScopedEnvironment environment(with_library(variables));
    return command(words);
  }
  // Goes on where there is a checkpoint, otherwise starts again.
  test::ProgramResult once_more() const {
    return hodge(has_checkpoint(out()) ? Words{"--restart", "latest"} : Words{"--overwrite"});
  }
  test::ProgramResult verify() const { return command({"verify", "out"}); }

  // As if nothing had been run in it; or with the files of another folder.
  void clear() const { fs::remove_all(out()); }
  void begin_with(const WatchedRun& other) const {
    clear();
    if (fs::exists(other.out())) fs::copy(other.out(), out(), fs::copy_options::recursive);
  }

 private:
  Environment with_library(Environment variables) const {
    variables.try_emplace("HODGE_WATCHED", fs::canonical(folder_).string());
    if (kind_.processes > 1) variables["HODGE_WATCHED_RANK"] = std::to_string(kind_.watched_rank);
    variables["LD_PRELOAD"] = path_from("HODGE_WATCH_LIBRARY", HODGE_WATCH_LIBRARY_PATH).string();
    return variables;
  }

  fs::path folder_;
  RunKind kind_;
};

// Leaves in `cut` what is there when a run is killed between its first and its second checkpoint:
// before it writes a row of probes.csv.
inline void kill_between_checkpoints(const WatchedRun& cut) {
  const fs::path file = cut.folder() / "calls";
  cut.clear();
  ASSERT_EQ(cut.watched({{"HODGE_CALLS", file.string()}}).exit_code, 0);
  const std::vector<WatchedCall> calls = read_calls(file);
  const auto is = [](const char* kind, const char* part) {
    return [=](const WatchedCall& call) {
      return call.thread == "main" && call.kind == kind &&
             call.path.find(part) != std::string::npos;
    };
  };
  const auto checkpoint = std::find_if(calls.begin(), calls.end(), is("rename", "checkpoints"));
  const auto row = std::find_if(checkpoint, calls.end(), is("write", "probes.csv"));
  ASSERT_NE(row, calls.end());
  cut.clear();
  const Fault fault{*row, Fault::kill};
  ASSERT_EQ(cut.watched({{"HODGE_FAIL", fault.wanted()}}).exit_code, 128 + SIGKILL);
  ASSERT_TRUE(has_checkpoint(cut.out()));
}

// Most of the time of a short run is its start. The program starts itself again where it does not
// find this variable (tools/hodge/program/environment.cpp).
inline void start_programs_once() {
  ::setenv("GOMP_SPINCOUNT", "1000", 0);
}

inline int number_from(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

// Why the library cannot be loaded into this program; empty where it can.
inline std::string why_not_watched() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return "the library of a sanitizer has to be loaded first";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return "the sanitizer takes the place of the same functions";
#endif
#endif
  return "";
}

}  // namespace hodge::tests
