// history.csv: a header, then one row a step.
//
// Columns: step, t, dt, cfl, kinetic_energy, max_divergence, velocity_error_l2 and
// velocity_error_max where the case has an exact solution (empty in rows whose errors were not
// asked for), <system>_iterations and <system>_seconds of each linear system, step_seconds. Numbers
// have the digits that give back the same double. A row goes to the system in one piece as soon as
// its step is done, so that a kill loses no more than the row in hand. Errors: IoError; the file
// then ends with its last whole row.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "linalg/files/file_descriptor.hpp"

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
  std::optional<Errors> velocity_error;
  std::vector<Solve> solves;  // a system that is solved more than once a step gets one sum
  double step_seconds = 0;
};

class HistoryWriter {
 public:
  HistoryWriter(const std::filesystem::path& path, bool has_exact_solution);

  // The first row fixes the systems that have columns.
  void append(const HistoryRow& row);

 private:
  std::string header() const;
  std::string line(const HistoryRow& row) const;

  FileDescriptor file_;
  bool has_exact_solution_;
  std::optional<std::vector<std::string>> systems_;
};

}  // namespace hodge::sim
