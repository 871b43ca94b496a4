// Runs the jobs of one call in turn.
#pragma once

#include "tools/hodge/run/jobs.hpp"

namespace hodge::tools {

// A run that fails gets its line on stderr, and the next one goes on; a signal ends all of them.
// Returns the exit code of the program: of a signal its own, otherwise the largest of the runs.
// With arguments.json a list of all summaries is the only thing on stdout.
int run_jobs(const RunArguments& arguments);

}  // namespace hodge::tools
