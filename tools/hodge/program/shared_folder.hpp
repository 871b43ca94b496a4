// Data and scripts that the program reads: beside an installed program, else in the sources.
#pragma once

#include <filesystem>
#include <string>

namespace hodge::tools {

// share/hodge/NAME where hodge is installed, else its place in the checkout. NAME is `reference`
// (published data), `matrices` (small Matrix Market files) or `tools` (Python scripts).
std::filesystem::path shared_folder(const std::string& name);

}  // namespace hodge::tools
