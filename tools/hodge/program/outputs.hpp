// The files that commands write which are no runs (those have sim/app/output/run_directory.hpp).
//
// One rule for all of them: a file that exists is not replaced without --overwrite, and one that
// the same command reads, or writes for something else, never, by whatever path or link. It is
// checked before any work starts. `-` and /dev/stdout are the standard output, which replaces
// nothing; nor do pipes and devices.
#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace hodge::tools {

using Files = std::vector<std::filesystem::path>;

// Such an option, of type FILE; `-` becomes /dev/stdout.
CLI::Option* add_output_file_option(CLI::App& command, const char* name,
                                    std::filesystem::path& file, const char* description);

// --overwrite
void add_overwrite_option(CLI::App& command, bool& overwrite);

// Empty paths are no outputs. Errors: ConfigError where the rule forbids an output, or it is a
// folder or lies in none.
void check_outputs(const Files& outputs, const Files& inputs, bool overwrite);

// The same for what a command writes into a folder: the files there whose names `writes`. An empty
// path is no folder.
void check_output_folder(const std::filesystem::path& folder,
                         const std::function<bool(const std::string&)>& writes, const Files& inputs,
                         bool overwrite);

}  // namespace hodge::tools
