// Python, where it is installed: plots and some yardsticks are scripts of tools/.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hodge::tools {

// A python3 that has these modules (python3 on PATH, else /usr/bin/python3); empty where there is
// none. Looks once for each list.
std::string find_python(const std::vector<std::string>& modules);

// tools/NAME of the sources, share/hodge/tools/NAME where hodge is installed.
std::string script_path(const std::string& name);

struct ScriptResult {
  int exit_code = -1;
  std::string output;  // stdout
};

// Runs the program with its arguments and waits; `environment` as NAME=VALUE.
ScriptResult run_script(const std::vector<std::string>& command,
                        const std::vector<std::string>& environment = {});

// The command as a shell would take it.
std::string shell_text(const std::vector<std::string>& command);

// Runs a plotting script (plot_bench.py, plot_validation.py) on the data, which makes a picture
// beside them (its place has been checked: program/outputs.hpp), where python3 with matplotlib is
// there; otherwise prints the command that would. Never fails: the numbers are written.
void plot(const std::string& script, const std::filesystem::path& data);

}  // namespace hodge::tools
