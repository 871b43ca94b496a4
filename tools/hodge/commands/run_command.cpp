#include <CLI/CLI.hpp>

#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/run/jobs.hpp"

namespace hodge::tools {

void add_run_command(CLI::App& app, Action& action) {
  auto [command, arguments] =
      add_command(app, action, "run", "Run simulations, one after the other", run_jobs);
  add_configurations_option(command, arguments.files,
                            "Configurations, YAML files. All are read before the first run "
                            "starts; if one fails, the next one still starts");
  add_device_option(command, arguments.device);
  add_set_option(command, arguments.overrides);
  add_output_option(command, arguments.output,
                    "The run directory, in place of the file's; of several files the folder of "
                    "their run directories, DIR/<name of the file>");
  add_file_option(command, "--restart", arguments.restart,
                  "Go on from a checkpoint: a file, or latest for the newest of the run directory",
                  "FILE|latest", "latest *.h5");
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
  command.footer(exit_codes_text());
}

}  // namespace hodge::tools
