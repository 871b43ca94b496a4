// The steps of a run between its first and its last frame.
//
// One step: choose dt so that it lands on the next stop, advance, look at the fields, write a row
// of history and one of probes, and at a stop a frame. Errors as in run.hpp.
#pragma once

#include <filesystem>
#include <optional>

#include "sim/config/settings.hpp"
#include "sim/flow/flow.hpp"
#include "sim/output/forces.hpp"
#include "sim/output/frame_writer.hpp"
#include "sim/output/history.hpp"
#include "sim/output/probe_files.hpp"
#include "sim/output/run_directory.hpp"
#include "sim/run/blow_up.hpp"
#include "sim/run/progress.hpp"
#include "sim/run/run.hpp"
#include "sim/run/schedule.hpp"
#include "sim/run/signals.hpp"
#include "sim/run/statistics.hpp"

namespace hodge::sim {

class RunLoop {
 public:
  // The initial fields are looked at here. Everything given must outlive the loop.
  RunLoop(Flow& flow, const Settings& settings, const Problem& problem,
          const RunDirectory& directory, Console& console, const SignalGuard& signals);

  // To the end, the last frame landed.
  RunResult drive();

  RunStatistics statistics() const;  // so far

 private:
  std::optional<RunEnd> ended() const;
  void take_step();
  void look_at_fields();
  void append_history(const StepReport& report, double step_seconds, bool frame_due);
  void append_forces();
  void record_probes();
  void write_frame();  // with it the averages so far
  void show_progress(const StepReport& report, bool at_frame);
  [[noreturn]] void fail_solve(const std::string& reason);  // the fields are those before the step
  [[noreturn]] void fail(const std::string& reason);

  Flow& flow_;
  const Settings& settings_;
  WallClock since_start_;
  const SignalGuard& signals_;
  Schedule schedule_;
  double step_limit_;        // of explicit diffusion
  Diagnostics diagnostics_;  // of the present fields
  BlowUpTest blow_up_;
  double previous_dt_ = 0;
  double cfl_ = 0;  // of the last step, with the velocity that it started from
  RunStatistics statistics_;
  Progress progress_;
  bool exact_velocity_;
  HistoryWriter history_;
  std::optional<ForcesWriter> forces_;  // with solids and momentum
  std::optional<ProbeFiles> probes_;
  FrameWriter frames_;
  long last_frame_step_ = -1;
};

}  // namespace hodge::sim
