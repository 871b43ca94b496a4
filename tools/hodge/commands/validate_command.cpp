#include <CLI/CLI.hpp>

#include "sim/app/config/schema.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/program/outputs.hpp"
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools {
namespace {

int validate_command(const ValidateArguments& given, sim::FlowLeader* leader) {
  ValidateArguments arguments = given;
  arguments.options.leader = leader;
  run_validations(arguments);
  return 0;
}

}  // namespace

void add_validate_command(CLI::App& app, Action& action) {
  auto [command, arguments] = add_command(
      app, action, "validate", "Run cases and compare them with published data and exact solutions",
      validate_command);
  command.add_option("NAME", arguments.names, which_ones(validation_table()))
      ->check(one_of("validation", sim::names_of(validation_table())));
  command.add_flag("--quick", arguments.options.quick,
                   "Smaller grids: 5 to 10 seconds each on two CPU cores");
  command
      .add_flag("--large", arguments.options.large,
                "Add the runs on the finest grids: minutes each on a GPU")
      ->excludes("--quick");
  add_device_option(command, arguments.options.device, "auto, cpu, cuda or cuda:N");
  add_output_option(
      command, arguments.output,
      "Write the table, every compared value, the curves and their plot into DIR/NAME");
  add_output_file_option(command, "--markdown", arguments.markdown,
                         "Write the tables into FILE as Markdown");
  add_overwrite_option(command, arguments.overwrite);
}

}  // namespace hodge::tools
