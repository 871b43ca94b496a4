// Options that several commands have.
#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hodge::tools {

// For options that name a file or a folder: an empty name is refused.
CLI::Validator not_empty();

// FILE, required: one configuration or several.
template <class Files>
CLI::Option* add_files_option(CLI::App& command, Files& files, const std::string& description) {
  return command.add_option("FILE", files, description)->required()->check(not_empty());
}

// --device; without a description that of a command that reads a configuration.
void add_device_option(
    CLI::App& command, std::string& device,
    const std::string& description = "auto, cpu, cuda or cuda:N, in place of the file's");

// An option that names a file to write.
CLI::Option* add_file_option(CLI::App& command, const std::string& name,
                             std::filesystem::path& file, const std::string& description);

// Where the command is the chosen one, `action` becomes run(*arguments).
template <class Arguments, class Run>
void set_action(CLI::App& command, std::function<int()>& action,
                const std::shared_ptr<Arguments>& arguments, Run run) {
  command.callback([&action, arguments, run] { action = [=] { return run(*arguments); }; });
}

// --output DIR
void add_output_option(CLI::App& command, std::string& directory, const std::string& description);

// --set KEY=VALUE, once or more; each takes exactly one value.
void add_set_option(CLI::App& command, std::vector<std::string>& overrides);

// The exit codes, for the end of --help.
std::string exit_codes_text();

// For options that take one of a few names; the error has the nearest one.
CLI::Validator one_of(const std::string& what, std::vector<std::string> names);

}  // namespace hodge::tools
