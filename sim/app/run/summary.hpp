// The first and the last lines of a run, and its summary.json: what the run was and how it ended,
// for scripts. The keys are in OUTPUT.md.
//
// summary.json is written whenever a run ends, in whatever way. While a run goes on the file does
// not exist, so a run that was killed has none either.
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

// Errors against the exact solution, coefficients of forces, and what to open in ParaView.
std::string results_text(const RunResult& result);

// What every summary needs, however the run ended.
struct RunFacts {
  const Settings& settings;
  const Problem& problem;
  const Flow& flow;
  const RunOptions& options;
  const RunStatistics& statistics;
  double started;  // seconds_since_1970()
};

const char* name_of(RunEnd end);  // in summary.json

double seconds_since_1970();  // UTC

// JSON, one key per line; a number that is not finite is null.
std::string summary_json(const RunFacts& facts, const RunResult& result);
std::string summary_json(const RunFacts& facts, const std::exception& failure);

// Of a run that failed before it had a flow or a directory.
std::string summary_json(const RunOptions& options, const std::exception& failure);

// The exit code of the program: that of an Error, 4 for any other exception.
int exit_code_of(const std::exception& failure);

}  // namespace hodge::sim
