// The command line of a command, and options that several commands have.
#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hodge::sim {
class FlowLeader;
}

namespace hodge::tools {

// What a command does, by all processes that the leader leads; null: by this one.
using Action = std::function<int(sim::FlowLeader*)>;

// A command and what its options fill. Where it is the chosen one, `action` becomes run(arguments).
//
//   auto [command, arguments] = add_command(app, action, "check", "Check files", check_command);
template <class Arguments>
struct Command {
  CLI::App& app;
  Arguments& arguments;
};
// Leader: of a command that makes flows sim::FlowLeader*, else nothing.
template <class Arguments, class... Leader>
Command<Arguments> add_command(CLI::App& app, Action& action, const char* name,
                               const char* description, int (*run)(const Arguments&, Leader...)) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *app.add_subcommand(name, description);
  command.callback([&action, arguments, run] {
    action = [=](sim::FlowLeader* leader) {
      if constexpr (sizeof...(Leader) > 0)
        return run(*arguments, leader);
      else
        return run(*arguments);
    };
  });
  return {command, *arguments};
}

// For options that name a file or a folder: an empty name is refused. `offers`: what a shell offers
// there, words and patterns of file names, "latest *.h5"; without them all files.
CLI::Validator not_empty(const std::string& offers = "");

// FILE, required: one or several.
template <class Files>
CLI::Option* add_files_option(CLI::App& command, Files& files, const std::string& description,
                              const std::string& offers = "") {
  return command.add_option("FILE", files, description)->required()->check(not_empty(offers));
}
// The same of configurations.
template <class Files>
CLI::Option* add_configurations_option(CLI::App& command, Files& files,
                                       const std::string& description) {
  return add_files_option(command, files, description, "*.yaml *.yml");
}
bool takes_configurations(CLI::Option& option);

// --device; without a description that of a command that reads a configuration.
void add_device_option(
    CLI::App& command, std::string& device,
    const std::string& description = "auto, cpu, cuda or cuda:N, in place of the file's");

// An option that names a file, of another type a folder.
template <class File>
CLI::Option* add_file_option(CLI::App& command, const char* name, File& file,
                             const char* description, const char* type = "FILE",
                             const char* offers = "") {
  return command.add_option(name, file, description)->type_name(type)->check(not_empty(offers));
}
// --output DIR
template <class Folder>
void add_output_option(CLI::App& command, Folder& folder, const char* description) {
  add_file_option(command, "--output", folder, description, "DIR");
}

// --set KEY=VALUE, once or more; each takes exactly one value.
void add_set_option(CLI::App& command, std::vector<std::string>& overrides);

// --give-up TIMES or `never`; where it is given, `give_up` is set: to nothing by `never`.
void add_give_up_option(CLI::App& command,
                        const std::function<void(std::optional<double>)>& give_up);

// The exit codes, for the end of --help.
std::string exit_codes_text();

// For options that take one of a few names; the error has the nearest one.
CLI::Validator one_of(const std::string& what, std::vector<std::string> names);
// What a shell offers: the names that one_of() or --device allows, what not_empty() says; empty for
// any other option.
std::vector<std::string> offers_of(CLI::Option& option);
// An option that takes one of a few names.
CLI::Option* add_name_option(CLI::App& command, const char* name, std::string& value,
                             const char* description, const std::string& what,
                             std::vector<std::string> names);

// The description of NAME where it takes names of a table: a line for each entry.
template <class Table>
std::string which_ones(const Table& table) {
  std::string text = "Which ones; all without a name:";
  for (const auto& entry : table) text += std::string("\n") + entry.name + ": " + entry.description;
  return text;
}

}  // namespace hodge::tools
