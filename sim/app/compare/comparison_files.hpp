// compare.csv, compare_history.csv, compare_guess.csv and compare.md of a run directory
// (sim/OUTPUT.md).
//
// The CSV files grow by the rows of a system as soon as it has been compared; compare.md is written
// at the end, of the systems that were compared since the run began or went on. Errors: IoError;
// the files then end with their last whole rows.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/row_file.hpp"
#include "sim/compare/compared_system.hpp"
#include "sim/model/compare_settings.hpp"

namespace hodge::sim {

struct ComparisonStart {
  std::filesystem::path directory;
  // Of a run that goes on after this step: the rows up to it stay. Absent: the files begin empty.
  std::optional<long> last_kept_step;
};

class ComparisonFiles final : public ComparisonSink {
 public:
  ComparisonFiles(const ComparisonStart& start, const CompareSettings& settings);

  void add(ComparedSystem system) override;

  // Writes compare.md; what it says, for the terminal.
  std::string finish() const;

 private:
  std::filesystem::path summary_;
  RowFile rows_;
  std::optional<RowFile> histories_, guesses_;
  std::vector<ComparedSystem> systems_;  // without their histories
};

}  // namespace hodge::sim
