// compare.csv, compare_history.csv, compare_guess.csv and compare.md of a run directory
// (sim/OUTPUT.md).
//
// The CSV files grow by the rows of a system as soon as it has been compared; compare.md is written
// at the end. Errors: IoError; the files then end with their last whole rows.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/compare/compared_system.hpp"
#include "sim/config/compare_settings.hpp"
#include "sim/output/row_file.hpp"

namespace hodge::sim {

class ComparisonFiles final : public ComparisonSink {
 public:
  ComparisonFiles(const std::filesystem::path& directory, const CompareSettings& settings);

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
