// summary.json: what a run was and how it ended, for scripts. Its keys are in OUTPUT.md.
//
// Written when a run ends, whatever the end is; while a run goes on there is none, so that a run
// that was killed has none either.
#pragma once

#include <exception>
#include <string>

#include "sim/app/run/run.hpp"
#include "sim/app/run/statistics.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

// What there is to say, whatever the end.
struct RunFacts {
  const Settings& settings;
  const Problem& problem;
  const Flow& flow;
  const RunOptions& options;
  const RunStatistics& statistics;
  double started;  // seconds since 1970 (UTC)
};

// JSON, a key a line; a number that is not finite is null.
std::string summary_json(const RunFacts& facts, const RunResult& result);
std::string summary_json(const RunFacts& facts, const std::exception& failure);

// Of a run that failed before it had a flow or a directory.
std::string summary_json(const RunOptions& options, const std::exception& failure);

// What the program exits with because of it: that of an Error, 4 for any other.
int exit_code_of(const std::exception& failure);

}  // namespace hodge::sim
