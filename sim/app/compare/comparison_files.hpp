// compare.csv, compare_history.csv, compare_guess.csv and compare.md of a run directory
// (sim/OUTPUT.md).
//
// The rows of a system are appended to the CSV files as soon as it has been compared; compare.md is
// written at the end, from the systems that were compared since the run began or was restarted.
// Errors: IoError; the files then end with their last whole rows.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

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

  void add(ComparedSystem system) override;

  // Writes compare.md; returns the same text for the terminal.
  std::string finish() const;

 private:
  std::function<void(const std::string&)> say_;
  std::filesystem::path summary_;
  RowFile rows_;
  std::optional<RowFile> histories_, guesses_;
  std::vector<ComparedSystem> systems_;  // without their histories
};

}  // namespace hodge::sim
