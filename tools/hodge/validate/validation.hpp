// The validations by name: runs whose results are compared with published data or exact solutions.
//
// To add one: one file with its function, one declaration here and one line in the table of
// validation.cpp. The file says what is compared, with which source, and where each bound comes
// from. case_runs.hpp runs cases, cell_field.hpp and profile.hpp read lines, report.hpp and
// orders.hpp make rows and curves. poiseuille.cpp is an example.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/hodge/validate/report.hpp"

namespace hodge::tools {

struct Validation {
  const char* name;
  const char* description;
  // Prints the progress of its runs and adds its rows. Errors: NumericalError where a run fails.
  void (*run)(Report& report);
  bool has_quick = true;  // without: --quick runs it only where it is asked for by name
};

std::span<const Validation> validation_table();
const Validation* find_validation(std::string_view name);  // null where there is none

struct ValidateArguments {
  std::vector<std::string> names;  // none: all
  ValidateOptions options;
  std::filesystem::path output;    // a folder a validation; empty: nothing is written
  std::filesystem::path markdown;  // the tables as one Markdown file; empty: none
};

// A run that fails counts as a failed validation; the others still run. Errors: NumericalError
// where one did not pass, IoError.
void run_validations(const ValidateArguments& arguments);

void validate_backward_facing_step(Report& report);
void validate_brusselator(Report& report);
void validate_circular_cylinder(Report& report);
void validate_duct(Report& report);
void validate_ethier_steinman(Report& report);
void validate_heated_cavity(Report& report);
void validate_kovasznay(Report& report);
void validate_lid_driven_cavity(Report& report);
void validate_lid_driven_cavity_3d(Report& report);
void validate_lid_driven_cavity_high_re(Report& report);
void validate_manufactured_scalar(Report& report);
void validate_oscillating_flow(Report& report);
void validate_outflow(Report& report);
void validate_poiseuille(Report& report);
void validate_rayleigh_benard(Report& report);
void validate_robertson(Report& report);
void validate_rotating_cone(Report& report);
void validate_smith_hutton(Report& report);
void validate_square_cylinder(Report& report);
void validate_taylor_green(Report& report);
void validate_taylor_green_3d(Report& report);

}  // namespace hodge::tools
