#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "linalg/errors.hpp"
#include "sim/config/schema.hpp"
#include "sim/config/text.hpp"
#include "tools/hodge/commands.hpp"
#include "tools/hodge/options.hpp"
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools {
namespace {

struct ValidateArguments {
  std::vector<std::string> names;
  ValidateOptions options;
  std::string output;
};

std::string check_name(const std::string& name) {
  if (find_validation(name) != nullptr) return "";
  const std::vector<std::string> known = sim::names_of(validation_table());
  return fmt::format("unknown validation {}, {}known: {}", sim::quote(name),
                     sim::suggestion(name, known), sim::join(known));
}

int validate_command(const ValidateArguments& arguments) {
  std::vector<std::string> names = arguments.names;
  if (names.empty()) names = sim::names_of(validation_table());
  std::vector<std::string> failed;
  for (const std::string& name : names) {
    const Validation& validation = *find_validation(name);
    std::cout << fmt::format("{}: {}", validation.name, validation.description) << std::endl;
    Report report;
    validation.run(arguments.options, report);
    if (!arguments.output.empty()) report.write(std::filesystem::path(arguments.output) / name);
    std::cout << fmt::format("{}: {}", name, report.passed() ? "passed" : "FAILED") << std::endl;
    if (!report.passed()) failed.push_back(name);
  }
  if (failed.empty()) return 0;
  throw NumericalError(fmt::format("outside the bounds: {}", fmt::join(failed, ", ")));
}

}  // namespace

void add_validate_command(CLI::App& app, std::function<int()>& action) {
  auto arguments = std::make_shared<ValidateArguments>();
  CLI::App* command = app.add_subcommand(
      "validate", "Run cases and compare them with published data and exact solutions");
  command->add_option("NAME", arguments->names, "Which ones; all without a name")
      ->check(CLI::Validator(check_name, "", "name"));
  command->add_flag("--quick", arguments->options.quick,
                    "Smaller grids: about a minute on two CPU cores");
  add_device_option(*command, arguments->options.device, "auto, cpu, cuda or cuda:N");
  add_output_option(*command, arguments->output,
                    "Write every compared value to DIR/NAME/comparisons.csv and checks.csv");
  command->callback(
      [&action, arguments] { action = [arguments] { return validate_command(*arguments); }; });
}

}  // namespace hodge::tools
