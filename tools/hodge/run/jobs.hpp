// The jobs of one call of `hodge run`: every file is read before the first one runs.
#pragma once

#include <string>
#include <vector>

#include "tools/hodge/program/job.hpp"

namespace hodge::tools {

struct RunArguments {
  std::vector<std::string> files, overrides;
  std::string device, output, restart;
  bool overwrite = false, dry_run = false, quiet = false, verbose = false, json = false;
};

struct NamedJob {
  std::string file;
  Job job;
};

// With several files --output DIR means DIR/<name of the file>. Every wrong file gets a line on
// stderr and a summary in JSON in `failures`; the result is then empty, and nothing was written.
// Errors: ConfigError where two jobs write to the same directory.
std::vector<NamedJob> load_jobs(const RunArguments& arguments, std::vector<std::string>& failures);

// Runs the jobs in turn. A run that fails gets its line on stderr, and the next one goes on; a
// signal ends all of them. Returns the exit code of the program: of a signal its own, otherwise the
// largest of the runs. With arguments.json a list of all summaries is the only thing on stdout.
int run_jobs(const RunArguments& arguments);

}  // namespace hodge::tools
