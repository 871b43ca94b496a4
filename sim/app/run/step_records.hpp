// The files that grow by rows while a run goes on: history.csv, forces.csv with solids, the files
// of probes.
//
// Columns of history.csv: step, t, dt, ..., the quantities of the flow, <system>_iterations and
// <system>_seconds of each linear system (a system that is solved more than once a step gets one
// sum), step_seconds; sim/OUTPUT.md has their formulas. A value that a row does not have is an
// empty cell. Numbers have the digits that give back the same double.
//
// A row is handed to the system as soon as its step is done, so that a killed run loses at most the
// rows of its current step; a loss of power, those since the last checkpoint. Where one file cannot
// be written the others still are. Rows that could not be written wait in their RowFile, and a
// checkpoint saves them, so that no row is lost. The first IoError is thrown after all files have
// been tried.
#pragma once

#include <filesystem>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "sim/app/checkpoint/checkpoint.hpp"
#include "sim/app/checkpoint/other_output.hpp"
#include "sim/app/output/forces.hpp"
#include "sim/app/output/probe_files.hpp"
#include "sim/app/output/profiles.hpp"
#include "sim/app/output/run_directory.hpp"
#include "sim/app/output/surface_files.hpp"
#include "sim/app/run/statistics.hpp"
#include "sim/base/row_file.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"
#include "sim/time/step_report.hpp"

namespace hodge::sim {

struct FinishedStep {
  const StepReport& report;
  double cfl = 0;
  double seconds = 0;  // of wall time
  bool frame_due = false;
};

// A row of history.csv; without a step: that of the start.
CsvRow history_row(const Flow& flow, const Problem& problem, const Diagnostics& now,
                   const FinishedStep* step);

// How the files begin.
struct RecordsStart {
  RowFile::Start files = RowFile::Start::empty;
  ContinuedProbes probes{};
};

class StepRecords {
 public:
  // Everything given must outlive this. Seconds are added to the budget.
  StepRecords(Flow& flow, const Settings& settings, const Problem& problem,
              const RunDirectory& directory, const RecordsStart& start, TimeBudget& budget);

  // `now`: of the present fields. Without a step: those of the start.
  void record(const Diagnostics& now, const FinishedStep* step);
  // Writes rows of the last fields into all files of probes. Called after the last checkpoint, so
  // that a restart from it removes the rows that no interval asked for.
  void record_end();
  void write_averages();  // of probes, and profiles
  void write_surfaces();  // of the present fields
  void write_waiting();   // surfaces that could not be written before
  // Of the rows of this run so far.
  const std::vector<LimitedEntering>& limited() const { return limited_; }

  // On all bodies after the last step; none without bodies or momentum.
  const std::vector<BodyForce>& forces() const { return now_on_bodies_; }

  // Of the last profiles that were written.
  const WallSummary& walls() const { return walls_; }

  void synchronize();  // to the disk, with what waits
  void finish();       // the same, and closes the files
  // Restoring: after that of the flow, and begin_surfaces_without().
  void visit_state(StateVisitor& visitor);
  void visit_files(StateVisitor& visitor);  // their lengths; restoring: before go_back()
  // What a checkpoint has not of surfaces begins with this run.
  void begin_surfaces_without(const CheckpointReader& checkpoint);
  void go_back();  // cuts off what the checkpoint does not count
  // Of the files in the directory that this run writes no more, those that the checkpoint counts
  // end with its rows and frames, which later checkpoints count too, and those of probes that were
  // begun after it are removed.
  void leave_other_files(CheckpointReader& checkpoint);

 private:
  void note_limited(const CsvRow& history, const FinishedStep* step);
  std::vector<RowFile*> files();
  RowsUpTo now() const { return {.step = flow_.step(), .time = flow_.time()}; }
  std::string name_of(const RowFile& file) const;
  bool writes(const std::string& name);
  void leave_rows(StateVisitor& run, const std::string& name);
  void leave_surface(StateVisitor& run, const std::string& name);

  Flow& flow_;
  const Problem& problem_;
  TimeBudget& budget_;
  std::filesystem::path directory_;
  RowFile history_;
  std::optional<RowFile> forces_;  // with solids and momentum
  ForceScales force_scales_;
  std::vector<BodyForce> now_on_bodies_;
  ContinuedProbes continued_;
  std::optional<ProbeFiles> probes_;
  std::optional<SurfaceFiles> surfaces_;
  std::list<RowFile> ended_rows_;  // of earlier runs in the directory, closed
  std::list<SurfaceFrames> ended_surfaces_;
  std::optional<StatisticsSettings> statistics_;
  WallSummary walls_;
  std::vector<LimitedEntering> limited_;
};

}  // namespace hodge::sim
