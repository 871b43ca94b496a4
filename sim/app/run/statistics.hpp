// What a run has done so far and where its time went.
#pragma once

#include <string>
#include <vector>

#include "sim/time/step_report.hpp"

namespace hodge::sim {

// Seconds of wall time. `other` is the rest of the total.
struct TimeBudget {
  double assembly = 0;
  double transport = 0;
  double pressure = 0;
  double comparison = 0;  // of solvers (sim/compare)
  double diagnostics = 0;
  double output = 0;  // copying fields, waiting for the frame writer, writing rows
  double total = 0;

  double other() const {
    return total - assembly - transport - pressure - comparison - diagnostics - output;
  }
};

struct IterationStatistics {
  std::string system;
  long solves = 0;
  long iterations = 0;
  int largest = 0;

  double mean() const { return static_cast<double>(iterations) / static_cast<double>(solves); }
};

// A method of a fallback chain that had to step in.
struct FallbackStatistics {
  std::string system, method;
  long uses = 0;
  long failures = 0;  // of these
};

struct RunStatistics {
  long steps = 0;
  long long cells = 0;
  TimeBudget seconds;
  std::vector<IterationStatistics> systems;   // in the order of solving
  std::vector<FallbackStatistics> fallbacks;  // in the order of their first use

  void add(const StepReport& report);
  void add_fallbacks(const StepReport& report);  // of a step that failed too
  double cell_steps_per_second() const;          // 0 before any time has passed
};

}  // namespace hodge::sim
