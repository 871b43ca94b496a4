#include "sim/app/run/statistics.hpp"

#include <algorithm>

namespace hodge::sim {

void RunStatistics::add(const StepReport& report) {
  ++steps;
  seconds.assembly += report.assembly_seconds;
  seconds.transport += report.transport_seconds;
  seconds.pressure += report.pressure_seconds;
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

void RunStatistics::add_fallbacks(const StepReport& report) {
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

double RunStatistics::cell_steps_per_second() const {
  if (!(seconds.total > 0)) return 0;
  return static_cast<double>(cells) * static_cast<double>(steps) / seconds.total;
}

}  // namespace hodge::sim
