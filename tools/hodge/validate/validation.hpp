// Validations: runs whose results are compared with published data or exact solutions.
//
// To add one: a file tools/hodge/validations/NAME.cpp with a function describe() in the namespace
// hodge::tools::validations::NAME; the build finds the file. It says what is compared, with which
// source, and where each bound comes from. case_runs.hpp runs cases, cell_field.hpp and profile.hpp
// read lines and published columns, report.hpp and orders.hpp make rows and curves; all of them
// come with this header. tools/hodge/validations/poiseuille.cpp is an example.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/cell_field.hpp"
#include "tools/hodge/validate/orders.hpp"
#include "tools/hodge/validate/profile.hpp"
#include "tools/hodge/validate/report.hpp"

namespace hodge::tools {

struct Validation {
  const char* description;
  // Each prints the progress of its runs and adds its rows. Errors: NumericalError where a run
  // fails.
  std::vector<void (*)(Report& report)> parts;
  bool has_quick = true;       // without: --quick runs it only where it is asked for by name
  const char* name = nullptr;  // that of its file unless said
};
using Validations = std::vector<Validation>;  // of one file, in most of them one

namespace validations {  // one for each file
using sim::Flow, sim::Point, sim::Problem, sim::Settings;
using FlowPointer = std::unique_ptr<Flow>;
}  // namespace validations

std::span<const Validation> validation_table();
const Validation* find_validation(std::string_view name);  // null where there is none

struct ValidateArguments {
  std::vector<std::string> names;  // none: all
  ValidateOptions options;
  std::filesystem::path output;    // a folder a validation; empty: nothing is written
  std::filesystem::path markdown;  // the tables as one Markdown file; empty: none
  bool overwrite = false;
};

// A run that fails counts as a failed validation; the others still run. Errors: NumericalError
// where one did not pass, IoError.
void run_validations(const ValidateArguments& arguments);

}  // namespace hodge::tools
