// A run from its settings to its last frame: the one call that the program makes.
//
// Order: the flow is made (every check of the input and every allocation), then the run directory,
// then frame 0 at t = 0, then steps until the end time, the largest number of steps, the largest
// wall time, a steady state (max |du/dt| <= tolerance) or a signal. The times of frames and the end
// time are met exactly. Each of these ends writes a last frame.
//
// Checkpoints (sim/checkpoint/) are written while it runs, at the end and on signals; a restart
// from one goes on as if nothing had happened, bit for bit.
//
// Errors: ConfigError before anything is written; NumericalError when a field is no longer finite,
// when |u| explodes or when a solver fails, with the step, the time and the last good frame;
// IoError when a file cannot be written. After any of them every file in the run directory is
// complete and readable, and summary.json says what went wrong.
#pragma once

#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sim/app/output/profiles.hpp"
#include "sim/app/run/coefficients.hpp"
#include "sim/app/run/console.hpp"
#include "sim/app/run/failure_report.hpp"
#include "sim/app/run/results.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"
#include "sim/processes/leading_flow.hpp"

namespace hodge::sim {

struct RunOptions {
  bool overwrite = false;  // an earlier run in the same directory is removed
  std::string version;     // of the program, for the first line
  std::string restart{};   // a checkpoint, or "latest" of the run directory; empty: from the start
  int console = 1;         // file descriptor of the terminal or pipe; log.txt gets the same lines
  Verbosity verbosity = Verbosity::normal;
  std::string file{};  // that the settings came from, for summary.json
  // Is given the text of summary.json; by the time it is called the file is there or has failed.
  std::function<void(const std::string& json)> summary = [](const std::string&) {};
  std::string commit = "unknown";  // that the program was built from
  // Who leads the processes that share the flow; null: there is one.
  FlowLeader* leader = nullptr;
  // Where the file gives the value of a key: "cavity.yaml:7:12"; empty: not known.
  PlaceOfKey place_of = [](const std::string&) { return std::string(); };
};

// stopped: whoever drives it from outside has asked for no further step.
enum class RunEnd { end_time, max_steps, wall_clock, steady, interrupted, stopped };

struct RunResult {
  RunEnd end = RunEnd::end_time;
  int signal = 0;  // that interrupted it (signals.hpp)
  long steps = 0;
  double time = 0;            // of the last frame
  bool nothing_left = false;  // a restart from the end of the run: no step was taken
  double wall_seconds = 0;
  std::optional<ErrorNorms> errors;              // at that time, if the case has an exact solution
  std::filesystem::path directory, open;         // the run directory; the file to open in ParaView
  RunResults results{};                          // last values and means of its quantities
  std::vector<BodyCoefficients> coefficients{};  // of forces on bodies
  WallSummary walls{};                           // of profiles

  // What the program exits with: 0, or 128 + signal.
  int exit_code() const { return end == RunEnd::interrupted ? 128 + signal : 0; }
};

// Of a problem that is the case of the settings, by all processes that the leader leads; null: by
// this one.
std::unique_ptr<Flow> make_shared_flow(FlowLeader* leader, const Settings& settings,
                                       const Problem& problem);

// The settings as the other processes read them.
std::string config_for_others(const Settings& settings, const Problem& problem);

RunResult run(const Settings& settings, const Problem& problem, const RunOptions& options);

// Whether a run may begin in its directory, or go on from its checkpoint; nothing is written or
// locked. Errors: those that run has of them.
void check_start(const Settings& settings, const Problem& problem, const RunOptions& options);

// The same with a flow that has been made already, at step 0.
RunResult run(Flow& flow, const Settings& settings, const Problem& problem,
              const RunOptions& options);

}  // namespace hodge::sim
