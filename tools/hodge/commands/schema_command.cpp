#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "linalg/files/atomic_file.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/job.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/schema/json_schema.hpp"

namespace hodge::tools {
namespace {

int schema_command(const std::string& file) {
  const std::string text = json_schema(case_schemas()).dump(1) + "\n";
  if (file.empty()) {
    std::cout << text;
  } else {
    write_file_atomically(file, text);
  }
  return 0;
}

}  // namespace

void add_schema_command(CLI::App& app, std::function<int()>& action) {
  auto file = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "schema", "Write the JSON schema of configurations, which editors complete and check by");
  command->add_option("FILE", *file, "Where to write it; without it the standard output")
      ->check(not_empty());
  command->callback([&action, file] { action = [file] { return schema_command(*file); }; });
}

}  // namespace hodge::tools
