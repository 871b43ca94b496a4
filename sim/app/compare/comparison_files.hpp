// compare.csv, compare_history.csv, compare_guess.csv and compare.md of a run directory
// (sim/OUTPUT.md).
//
// The rows of a system are appended to the CSV files as soon as it has been compared; compare.md is
// written at the end, from the systems that were compared since the run began or was restarted.
// Errors: IoError; the files then end with their last whole rows, and the rest waits.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "linalg/base/errors.hpp"
#include "sim/base/row_file.hpp"
#include "sim/compare/compared_system.hpp"
#include "sim/model/compare_settings.hpp"

namespace hodge::sim {

class ComparisonFiles final : public ComparisonSink {
 public:
  // `last_kept_step`: of a run that continues after it, whose rows up to it are kept; absent: the
  // files begin empty. `say` is given a line about every system.
  ComparisonFiles(const std::filesystem::path& directory, std::optional<long> last_kept_step,
                  const CompareSettings& settings,
                  std::function<void(const std::string&)> say = {});

  // In the middle of a step, which an error must not cut off: check() throws it after the step.
  void add(ComparedSystem system) override;
  void check() const;
  // After a step: how long it took, without comparing.
  void finish_step(long step, double seconds);

  // To the disk, with the rows that could not be written before.
  void synchronize();

  // Writes compare.md; returns the same text for the terminal.
  std::string finish() const;

 private:
  void append(RowFile& file, const std::string& rows);
  std::vector<RowFile*> files();

  std::function<void(const std::string&)> say_;
  std::filesystem::path summary_;
  RowFile rows_;
  std::optional<RowFile> histories_, guesses_;
  std::vector<ComparedSystem> systems_;  // without their histories
  std::vector<double> step_seconds_;     // of the steps that these are of
  std::optional<IoError> error_;         // the first of add()
};

// Of a run that goes on after a step, whether it compares solvers or not: the files of rows that
// are its own lose those behind that step.
void leave_comparison(const std::filesystem::path& directory, long last_step,
                      const std::function<bool(const std::string& name)>& is_own);

}  // namespace hodge::sim
