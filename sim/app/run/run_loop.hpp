// The steps of a run between its first and its last frame.
//
// One step: choose dt so that it lands on the next stop, advance, check the fields, write the rows
// of the step, a frame at a stop, and a checkpoint where one is due. Errors as in run.hpp.
//
// At the end the checkpoint is written first, then the last frame and the last rows of probes if
// the schedule did not ask for them. A run that is restarted from this checkpoint removes them, so
// its files are those of a run that never stopped.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sim/app/checkpoint/checkpoint.hpp"
#include "sim/app/checkpoint/other_output.hpp"
#include "sim/app/compare/comparison_files.hpp"
#include "sim/app/output/frame_writer.hpp"
#include "sim/app/output/region_frames.hpp"
#include "sim/app/output/run_directory.hpp"
#include "sim/app/run/checkpoints.hpp"
#include "sim/app/run/failure_report.hpp"
#include "sim/app/run/progress.hpp"
#include "sim/app/run/run.hpp"
#include "sim/app/run/statistics.hpp"
#include "sim/app/run/step_records.hpp"
#include "sim/app/run/stepper.hpp"
#include "sim/app/run/thread_choice.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// The checkpoint that a run is restarted from; null: it begins at the start.
struct RestartPoint {
  std::unique_ptr<CheckpointReader> checkpoint;
  bool in_place = false;  // in the directory of the run that wrote it, whose files are continued
  ContinuedProbes probes{};
};

// Where a run writes.
struct RunFiles {
  const RunDirectory& directory;
  // Called where a run goes on in its directory, before the first of its files is changed: the
  // whole checkpoint has been read.
  std::function<void()> goes_on = [] {};
};

class RunLoop {
 public:
  // The number of a signal that asks the run to stop; 0: none.
  using Signal = std::function<int()>;

  // All arguments must outlive the loop.
  RunLoop(Stepper& steps, const Problem& problem, const RunFiles& files, Console& console,
          const Signal& signal, const RunOptions& options, const RestartPoint& restart);

  void compare(ComparisonFiles* files) { comparison_ = files; }  // null: no solvers are compared
  void begin();  // writes what belongs to the fields of the start
  // One that goes no further than `limit`; false, and no step, where the run ends.
  bool step(double limit);
  // Ends the run here; every frame and row is then on the disk, and still there.
  RunResult finish();

  RunStatistics statistics() const;                     // so far
  const StepReport& report() const { return report_; }  // of the last step

 private:
  void restore(const RestartPoint& restart);
  FrameBackground frame_background();
  template <class Action>
  auto explained(const Action& action);
  std::optional<RunEnd> ended() const;
  void take_step(double limit);
  void note_shortened(const StepState& state);
  void look_at_fields();
  void look_at_divergence(const StepReport& report);
  void write_frame();        // and the averages so far
  void write_regions();      // that are due
  void write_last_frames();  // where this step has none
  void write_checkpoint();
  template <class Written>
  void note_on_disk(const Written& file, const std::vector<std::string>& doubles = {});
  bool step_is_saved() const;  // a checkpoint of the present step was written after its rows
  void visit_state(StateVisitor& visitor);
  void visit_later_state(StateVisitor& visitor);
  void visit_steadiness(StateVisitor& visitor);
  void visit_files(StateVisitor& visitor);
  void save_what_is_there();
  void finish_files();
  std::string after_step() const;     // "stopped after step 8, t = 0.4: "
  std::string how_to_resume() const;  // "; --restart ..."
  void note_fallbacks(const StepReport& report);
  void note_skipped(const StepReport& report);
  void show_progress(const StepReport& report, bool at_frame);
  [[noreturn]] void fail_solve(const StepReport& report);  // the fields are those before the step
  [[noreturn]] void fail(const std::string& reason);

  Stepper& steps_;
  Flow& flow_;
  const Settings& settings_;
  const Problem& problem_;
  WallClock since_start_;
  Signal signal_;
  Console& console_;
  RunFiles files_;
  ComparisonFiles* comparison_ = nullptr;
  PlaceOfKey place_of_;
  bool said_shortened_ = false, said_skipped_ = false;
  StepReport report_;
  LastStep step_;  // at hand; its CFL number is that of the velocity that it started from
  RunStatistics statistics_;
  Progress progress_;
  StepRecords records_;
  FrameWriter frames_;
  RegionFrames regions_;
  StepThreads threads_;
  Checkpoints checkpoints_;
  bool restarted_;
  long probe_part_, profile_part_;
  bool frame_is_due_;      // before the first step: that of the start, or one that was lost
  double start_time_ = 0;  // where this run or restart began
  long start_step_ = 0;
  long last_frame_step_ = -1;
};

}  // namespace hodge::sim
