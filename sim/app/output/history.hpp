// history.csv: a header, a row for the start, then one row per step.
//
// Columns: step, t, the named values of a row in their order, <system>_iterations and
// <system>_seconds of each linear system, step_seconds; sim/OUTPUT.md has their formulas. A value
// that a row does not have is an empty cell. Numbers have the digits that give back the same
// double. A row is handed to the system as soon as its step is done, so that a killed run loses at
// most the row of its current step. Errors: IoError; the file then ends with its last whole row.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/row_file.hpp"

namespace hodge::sim {

struct HistoryRow {
  struct Value {
    std::string name;  // of the column
    std::optional<double> value = {};
  };
  struct Solve {
    std::string system;
    int iterations = 0;
    double seconds = 0;
  };

  long step = 0;
  double time = 0;
  std::vector<Value> values;  // the same names in every row
  std::vector<Solve> solves;  // a system that is solved more than once a step gets one sum
  // Absent in the row of the start, before any step: its solves are names alone.
  std::optional<double> step_seconds = {};
};

class HistoryWriter {
 public:
  explicit HistoryWriter(RowFile file);

  // The first row fixes the columns.
  void append(const HistoryRow& row);

  RowFile& file() { return file_; }

 private:
  std::string header(const HistoryRow& row) const;
  std::string line(const HistoryRow& row) const;

  RowFile file_;
  std::vector<std::string> systems_;
};

}  // namespace hodge::sim
