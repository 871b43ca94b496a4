// The files that grow by rows while a run goes on: history.csv, forces.csv with solids, the files
// of probes.
//
// Where one file cannot be written the others still are. Rows that could not be written wait in
// their RowFile, and a checkpoint saves them, so that no row is lost. The first IoError is thrown
// after all files have been tried.
#pragma once

#include <optional>
#include <vector>

#include "sim/app/output/forces.hpp"
#include "sim/app/output/history.hpp"
#include "sim/app/output/probe_files.hpp"
#include "sim/app/output/run_directory.hpp"
#include "sim/app/run/statistics.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

struct FinishedStep {
  const StepReport& report;
  const Diagnostics& diagnostics;  // of the fields after it
  double cfl = 0;
  double seconds = 0;  // of wall time
  bool frame_due = false;
};

class StepRecords {
 public:
  // Everything given must outlive this.
  StepRecords(Flow& flow, const Settings& settings, const Problem& problem,
              const RunDirectory& directory, RowFile::Start start);

  // Adds its seconds to the budget.
  void record_start(const Diagnostics& diagnostics, TimeBudget& budget);
  void record(const FinishedStep& step, TimeBudget& budget);
  // Writes rows of the last fields into all files of probes. Called after the last checkpoint, so
  // that a restart from it removes the rows that no interval asked for.
  void record_end(TimeBudget& budget);
  void write_averages() const;  // of probes

  void synchronize();  // to the disk
  void visit_state(StateVisitor& visitor);
  void visit_files(StateVisitor& visitor);  // their lengths

 private:
  HistoryRow history_row(const FinishedStep* step, const Diagnostics& now) const;
  void append_history(const FinishedStep* step, const Diagnostics& now, TimeBudget& budget);
  void append_forces(TimeBudget& budget);
  void record_probes(TimeBudget& budget);
  std::vector<RowFile*> files();

  Flow& flow_;
  std::filesystem::path directory_;
  const Problem& problem_;
  HistoryWriter history_;
  std::optional<ForcesWriter> forces_;  // with solids and momentum
  std::optional<ProbeFiles> probes_;
};

}  // namespace hodge::sim
