// Options that several commands have.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace hodge::tools {

void add_device_option(CLI::App& command, std::string& device, const std::string& description);

// --output DIR
void add_output_option(CLI::App& command, std::string& directory, const std::string& description);

// --set KEY=VALUE, once or more, one value each: what follows is not swallowed.
void add_set_option(CLI::App& command, std::vector<std::string>& overrides);

// What the program exits with, for the end of --help.
std::string exit_codes_text();

// For options that take one of a few names; the error has the nearest one.
CLI::Validator one_of(const std::string& what, std::vector<std::string> names);

// For options that name a file or a folder: an empty name is refused.
CLI::Validator not_empty();

}  // namespace hodge::tools
