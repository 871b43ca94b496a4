#include <CLI/CLI.hpp>
#include <memory>

#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/run/jobs.hpp"

namespace hodge::tools {
namespace {

void add_flags(CLI::App& command, RunArguments& arguments) {
  command.add_flag("--overwrite", arguments.overwrite,
                   "Remove an earlier run from the run directory first");
  command.add_flag("--dry-run", arguments.dry_run,
                   "Say what would run: cells, unknowns, nonzeros, memory, size of the output; "
                   "nothing is written");
  CLI::Option* quiet = command.add_flag("--quiet,-q", arguments.quiet,
                                        "Say nothing but errors; log.txt has all lines");
  command
      .add_flag("--verbose,-v", arguments.verbose,
                "A line a step, with iterations, residual and seconds of every solve")
      ->excludes(quiet);
  command.add_flag("--json", arguments.json,
                   "At the end a JSON list of the runs' summaries, and nothing else on stdout");
}

}  // namespace

void add_run_command(CLI::App& app, std::function<int()>& action) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "Run simulations, one after the other");
  add_files_option(*command, arguments->files, "Configurations, YAML files");
  add_device_option(*command, arguments->device);
  add_set_option(*command, arguments->overrides);
  add_output_option(*command, arguments->output,
                    "The run directory, in place of the file's; of several files the folder of "
                    "their run directories, DIR/<name of the file>");
  command
      ->add_option("--restart", arguments->restart,
                   "Go on from a checkpoint: a file, or latest for the newest of the run directory")
      ->type_name("FILE|latest")
      ->check(not_empty());
  add_flags(*command, *arguments);
  command->footer(exit_codes_text());
  set_action(*command, action, arguments, run_jobs);
}

}  // namespace hodge::tools
