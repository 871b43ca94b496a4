// What a run has done so far and where its time went.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sim/time/step_report.hpp"

namespace hodge::sim {

// Seconds of wall time. `other` is the rest of the total.
struct TimeBudget {
  double assembly = 0;
  double transport = 0;
  double pressure = 0;
  double reactions = 0;
  double comparison = 0;  // of solvers (sim/compare)
  double diagnostics = 0;
  double checkpoints = 0;
  double output = 0;  // copying fields, waiting for the frame writer, writing rows
  double total = 0;

  double other() const {
    return total - assembly - transport - pressure - reactions - comparison - diagnostics -
           checkpoints - output;
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

// Where the rule for entering fluid (discrete/boundaries/entering.hpp) acted most on an open side.
struct LimitedEntering {
  std::string side;
  double share = 0;  // the largest value of entering_limited_<side>
  double time = 0;
};

struct RunStatistics {
  long steps = 0;
  long long cells = 0;
  TimeBudget seconds;
  std::vector<IterationStatistics> systems;   // in the order of solving
  std::vector<FallbackStatistics> fallbacks;  // in the order of their first use
  std::vector<LimitedEntering> limited;       // sides where it is worth a word

  void add(const StepReport& report) {
    ++steps;
    seconds.assembly += report.assembly_seconds;
    seconds.transport += report.transport_seconds;
    seconds.pressure += report.pressure_seconds;
    seconds.reactions += report.reaction_seconds;
    seconds.comparison += report.comparison_seconds;
    for (const SolveSummary& solve : report.solves) {
      auto found = std::find_if(systems.begin(), systems.end(),
                                [&](const auto& known) { return known.system == solve.system; });
      if (found == systems.end()) found = systems.insert(found, {.system = solve.system});
      ++found->solves;
      found->iterations += solve.iterations;
      found->largest = std::max(found->largest, solve.iterations);
    }
  }

  // Of a step that failed too.
  void add_fallbacks(const StepReport& report) {
    for (const SolveSummary& solve : report.solves) {
      const std::vector<linalg::SolveAttempt>& attempts = solve.report.attempts;
      for (std::size_t i = 1; i < attempts.size(); ++i) {
        auto found = std::find_if(fallbacks.begin(), fallbacks.end(), [&](const auto& known) {
          return known.system == solve.system && known.method == attempts[i].method;
        });
        if (found == fallbacks.end())
          found = fallbacks.insert(found, {.system = solve.system, .method = attempts[i].method});
        ++found->uses;
        if (attempts[i].status != linalg::SolveStatus::converged) ++found->failures;
      }
    }
  }

  // 0 before any time has passed.
  double cell_steps_per_second() const {
    if (!(seconds.total > 0)) return 0;
    return static_cast<double>(cells) * static_cast<double>(steps) / seconds.total;
  }
};

}  // namespace hodge::sim
