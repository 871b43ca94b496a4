// The jobs of one call of `hodge run`.
#pragma once

#include "sim/app/run/preview.hpp"
#include "sim/app/run/run_plan.hpp"
#include "sim/app/simulation.hpp"
#include "sim/base/table.hpp"
#include "tools/hodge/program/job_text.hpp"

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

// `hodge run --dry-run`: what would run, and what it needs; nothing is written. Errors: those that
// the run has before its first step (sim/app/run/preview.hpp).
struct DryRun {
  sim::RunPlan plan;
  sim::Preview begin;
};
DryRun dry_run(const NamedJob& named, bool restarts);

// In lines as those of `hodge check`, then unknowns, nonzeros, memory and files.
std::string dry_run_text(const NamedJob& named, const DryRun& found);
// The same for scripts: file, cells, systems, steps, device, bytes.
sim::Json dry_run_json(const NamedJob& named, const DryRun& found);

// Reads every file, and then runs the jobs in turn. With several files --output DIR means DIR/<name
// of the file>. A wrong file gets a line on stderr, and nothing runs. A run that fails gets its
// line on stderr, and the next one goes on; a signal ends all of them. Returns the exit code of the
// program: of a signal its own, otherwise the largest of the runs. With arguments.json a list of
// all summaries is the only thing on stdout. Errors: ConfigError where two jobs write to the same
// directory.
int run_jobs(const RunArguments& arguments, sim::FlowLeader* leader);

}  // namespace hodge::tools
