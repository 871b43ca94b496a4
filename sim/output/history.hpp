// history.csv: a header, then one row a step.
//
// Columns: step, t, dt, cfl, kinetic_energy, max_divergence, <field>_error_l2 and <field>_error_max
// of the fields whose exact solution is known (empty in rows whose errors were not asked for), the
// quantities of the flow, <system>_iterations and <system>_seconds of each linear system,
// step_seconds; sim/OUTPUT.md has their formulas. Numbers have the digits that give back the same
// double. A row goes to the system as soon as its step is done, so that a kill loses no more than
// the row in hand. Errors: IoError; the file then ends with its last whole row.
#pragma once

#include <string>
#include <vector>

#include "sim/output/quantity.hpp"
#include "sim/output/row_file.hpp"

namespace hodge::sim {

struct HistoryRow {
  struct Solve {
    std::string system;
    int iterations = 0;
    double seconds = 0;
  };
  struct Errors {
    double l2 = 0;
    double max = 0;
  };

  long step = 0;
  double time = 0;
  double dt = 0;
  double cfl = 0;
  double kinetic_energy = 0;
  double max_divergence = 0;
  std::vector<Errors> errors;        // one a field with an exact solution, or none
  std::vector<Quantity> quantities;  // the same ones in every row
  std::vector<Solve> solves;         // a system that is solved more than once a step gets one sum
  double step_seconds = 0;
};

class HistoryWriter {
 public:
  // `exact_fields`: those whose errors have columns.
  HistoryWriter(RowFile file, std::vector<std::string> exact_fields);

  // The first row fixes the quantities and the systems that have columns.
  void append(const HistoryRow& row);

  RowFile& file() { return file_; }

 private:
  std::string header(const HistoryRow& row) const;
  std::string line(const HistoryRow& row) const;

  RowFile file_;
  std::vector<std::string> exact_fields_;
  std::vector<std::string> systems_;
};

}  // namespace hodge::sim
