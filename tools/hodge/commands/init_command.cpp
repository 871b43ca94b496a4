#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "sim/app/config/schema.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/init/starter_file.hpp"
#include "tools/hodge/program/job.hpp"
#include "tools/hodge/program/options.hpp"

namespace hodge::tools {
namespace {

struct InitArguments {
  std::string name, file;
  bool overwrite = false;
};

std::string starter_of(const std::string& name, const std::string& file) {
  const std::vector<sim::CaseSchema> schemas = case_schemas();
  const cases::Case& entry = *cases::find_case(name);
  const auto schema =
      std::find_if(schemas.begin(), schemas.end(),
                   [&](const sim::CaseSchema& candidate) { return candidate.name == name; });
  const sim::ValueShape shape = sim::file_shape(*schema, schema->dimensions.front(), schemas);
  return starter_text(entry, shape, file);
}

int init_command(const InitArguments& arguments) {
  const std::string file = arguments.file.empty() ? arguments.name + ".yaml" : arguments.file;
  if (file == "-") {
    std::cout << starter_of(arguments.name, arguments.name + ".yaml");
    return 0;
  }
  if (!arguments.overwrite && std::filesystem::exists(file))
    throw ConfigError(fmt::format(
        "{} is there already: give another name, as in hodge init {} my_{}.yaml, or --overwrite",
        file, arguments.name, arguments.name));
  write_file_atomically(file, starter_of(arguments.name, file));
  std::cout << fmt::format("{}: edit it, then: hodge run {}\n", file, file);
  return 0;
}

}  // namespace

void add_init_command(CLI::App& app, std::function<int()>& action) {
  auto arguments = std::make_shared<InitArguments>();
  CLI::App* command =
      app.add_subcommand("init", "Write a commented configuration of a case to begin with");
  command->add_option("CASE", arguments->name, "A name of `hodge cases`")
      ->required()
      ->check(one_of("case", sim::names_of(cases::case_table())));
  command->add_option("FILE", arguments->file, "Where to write it: CASE.yaml; - is the output")
      ->check(not_empty());
  command->add_flag("--overwrite", arguments->overwrite, "Replace the file");
  command->callback(
      [&action, arguments] { action = [arguments] { return init_command(*arguments); }; });
}

}  // namespace hodge::tools
