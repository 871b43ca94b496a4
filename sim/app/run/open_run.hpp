// A run with its files that is driven from outside, a step at a time. run() of run.hpp is this with
// the signals of the process:
//
//   OpenRun opened(settings, problem, options);      checks, the flow, the run directory
//   opened.begin(signal);                            the first frame, or the state of a checkpoint
//   while (opened.step()) continue;
//   opened.finish();                                 the last checkpoint and frame, summary.json
//
// Errors: those of run.hpp. After one of begin(), step() or finish() the files are complete and
// summary.json says what went wrong; no further call may follow. A run that is left without
// finish() is for its files a run that was killed.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "sim/app/run/run.hpp"

namespace hodge::sim {

struct Stepper;

class OpenRun {
 public:
  struct Start;

  // The problem must outlive it.
  OpenRun(const Settings& settings, const Problem& problem, const RunOptions& options);
  // Of a flow that has been made already, at step 0; it must outlive this.
  OpenRun(Flow& flow, const Settings& settings, const Problem& problem, const RunOptions& options);
  ~OpenRun();
  OpenRun(OpenRun&&) noexcept;
  OpenRun& operator=(OpenRun&&) = delete;

  // `signal`: the number of one that asks the run to end, 0 for none; asked before every step.
  void begin(const std::function<int()>& signal);
  // One that goes no further than `limit`, which is later than now; false, and no step, where the
  // run ends.
  bool step(double limit = std::numeric_limits<double>::infinity());
  RunResult finish();  // ends the run here
  // The flow has other formulas, which these settings hold, by `line`: config.yaml and later
  // checkpoints have them, and the log has the line.
  void change_formulas(const Settings& settings, const std::string& line);

  // The flow that it has made.
  Flow& flow() { return *flow_; }
  const Stepper& steps() const;
  const StepReport& report() const;  // of the last step

 private:
  class Parts;

  std::unique_ptr<Flow> flow_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace hodge::sim
