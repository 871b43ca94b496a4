// A plot, by one of the scripts of tools/: plot_bench.py, plot_validation.py.
#pragma once

#include <filesystem>
#include <string>

namespace hodge::tools {

// Runs the script on the data, which makes a picture beside them, where python3 with matplotlib is
// there; otherwise prints the command that would. Never fails: the numbers are written.
void plot(const std::string& script, const std::filesystem::path& data);

}  // namespace hodge::tools
