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

// With several files --output DIR means DIR/<name of the file>. Every wrong file gets its line on
// stderr, and an entry in `failures`, a summary in JSON; the result is then empty, and nothing has
// been touched. Errors: ConfigError where two jobs write to the same directory.
std::vector<NamedJob> load_jobs(const RunArguments& arguments, std::vector<std::string>& failures);

}  // namespace hodge::tools
