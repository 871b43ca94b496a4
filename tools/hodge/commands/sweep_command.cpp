#include <CLI/CLI.hpp>

#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/sweep/sweep.hpp"

namespace hodge::tools {

void add_sweep_command(CLI::App& app, Action& action) {
  auto [command, arguments] =
      add_command(app, action, "sweep",
                  "Run a configuration for every combination of some values, and tabulate results",
                  sweep_command);
  add_configurations_option(command, arguments.file, "The configuration, a YAML file");
  command
      .add_option("--over", arguments.over,
                  "The values of a key, as parameters.reynolds=50,100 or "
                  "'grid.cells=[64, 64],[128, 128]': commas in brackets or quotes belong to a "
                  "value; repeated, all combinations are run")
      ->type_name("KEY=VALUE,...")
      ->required()
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      .add_option("--jobs,-j", arguments.jobs, "Runs at once, 1 by default; they share the cores")
      ->check(CLI::Range(1, 1024));
  command
      .add_option("--at-most", arguments.at_most,
                  "Refuse to run more combinations than this, 1000 by default")
      ->check(CLI::PositiveNumber);
  add_device_option(command, arguments.device);
  add_set_option(command, arguments.overrides);
  add_output_option(command, arguments.output,
                    "The folder of the run directories; by default that of the file with _sweep "
                    "added");
  command
      .add_option("--show", arguments.show,
                  "Columns of sweep.csv for the table on the terminal, after the values")
      ->type_name("NAME,...")
      ->delimiter(',');
  command.add_flag("--overwrite", arguments.overwrite,
                   "Begin every run anew; otherwise finished runs stay, and others go on from "
                   "their checkpoints");
  command.add_flag("--quiet,-q", arguments.quiet, "Say nothing but errors");
  command.footer(exit_codes_text());
}

}  // namespace hodge::tools
