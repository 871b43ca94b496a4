// The first and the last lines of a run.
#pragma once

#include <string>

#include "sim/app/run/run.hpp"
#include "sim/app/run/statistics.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

// Version, case, device, grid, unknowns, memory, where the output goes.
std::string opening_text(const Settings& settings, const Problem& problem, const Flow& flow,
                         const std::string& version);

// "reached t = 40", "steady at t = 12.5 ...", ...
std::string ending_text(const RunResult& result, const Settings& settings);

// Steps, wall time, where the time went, iterations of each system.
std::string statistics_text(const RunStatistics& statistics);

// Errors against the exact solution, and what to open in ParaView.
std::string results_text(const RunResult& result);

}  // namespace hodge::sim
