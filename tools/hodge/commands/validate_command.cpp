#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "sim/app/config/schema.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools {

void add_validate_command(CLI::App& app, std::function<int()>& action) {
  auto arguments = std::make_shared<ValidateArguments>();
  std::string names = "Which ones; all without a name:";
  for (const Validation& validation : validation_table())
    names += fmt::format("\n{}: {}", validation.name, validation.description);
  CLI::App* command = app.add_subcommand(
      "validate", "Run cases and compare them with published data and exact solutions");
  command->add_option("NAME", arguments->names, names)
      ->check(one_of("validation", sim::names_of(validation_table())));
  command->add_flag("--quick", arguments->options.quick,
                    "Smaller grids: 5 to 10 seconds each on two CPU cores");
  command
      ->add_flag("--large", arguments->options.large,
                 "Add the runs on the finest grids: minutes each on a GPU")
      ->excludes("--quick");
  add_device_option(*command, arguments->options.device, "auto, cpu, cuda or cuda:N");
  command
      ->add_option("--output", arguments->output,
                   "Write the table, every compared value, the curves and their plot into DIR/NAME")
      ->type_name("DIR")
      ->check(not_empty());
  add_file_option(*command, "--markdown", arguments->markdown,
                  "Write the tables into FILE as Markdown");
  set_action(*command, action, arguments, [](const ValidateArguments& given) {
    run_validations(given);
    return 0;
  });
}

}  // namespace hodge::tools
