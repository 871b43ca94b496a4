// `hodge validate`: the chosen validations one after the other, their tables, and the summary.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools {

struct ValidateArguments {
  std::vector<std::string> names;  // none: all
  ValidateOptions options;
  std::filesystem::path output;    // a folder a validation; empty: nothing is written
  std::filesystem::path markdown;  // the tables as one Markdown file; empty: none
};

// A run that fails counts as a failed validation; the others still run. Errors: NumericalError
// where one did not pass, IoError.
void run_validations(const ValidateArguments& arguments);

}  // namespace hodge::tools
