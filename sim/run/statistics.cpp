#include "sim/run/statistics.hpp"

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

double RunStatistics::cell_steps_per_second() const {
  if (!(seconds.total > 0)) return 0;
  return static_cast<double>(cells) * static_cast<double>(steps) / seconds.total;
}

}  // namespace hodge::sim
