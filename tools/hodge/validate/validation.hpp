// The validations by name: runs whose results are compared with published data or exact solutions.
//
// To add one: one file, one declaration and one line in the table of validation.cpp. The file says
// what is compared, with which source, and where each bound comes from; case_runs.hpp and
// steady_state.hpp run cases, cell_field.hpp and profile.hpp read lines, compare_profile.hpp and
// orders.hpp make the rows and curves of a report.hpp. taylor_green.cpp is an example.
#pragma once

#include <span>
#include <string_view>

#include "tools/hodge/validate/report.hpp"

namespace hodge::tools {

struct ValidateOptions {
  bool quick = false;           // smaller grids, 5 to 10 s each on two CPU cores
  bool large = false;           // adds runs that take a GPU minutes each
  std::string device = "auto";  // as in a configuration
};

struct Validation {
  const char* name;
  const char* description;
  // Tells how its runs go on and adds its rows. Errors: NumericalError where a run fails.
  void (*run)(const ValidateOptions& options, Report& report);
  // Where not, --quick leaves it out unless it is asked for by name.
  bool has_quick = true;
};

std::span<const Validation> validation_table();
const Validation* find_validation(std::string_view name);  // null where there is none

extern const Validation backward_facing_step_validation;
extern const Validation brusselator_validation;
extern const Validation circular_cylinder_validation;
extern const Validation duct_validation;
extern const Validation ethier_steinman_validation;
extern const Validation heated_cavity_validation;
extern const Validation kovasznay_validation;
extern const Validation lid_driven_cavity_3d_validation;
extern const Validation lid_driven_cavity_high_re_validation;
extern const Validation lid_driven_cavity_validation;
extern const Validation manufactured_scalar_validation;
extern const Validation oscillating_flow_validation;
extern const Validation outflow_validation;
extern const Validation poiseuille_validation;
extern const Validation rayleigh_benard_validation;
extern const Validation robertson_validation;
extern const Validation rotating_cone_validation;
extern const Validation smith_hutton_validation;
extern const Validation square_cylinder_validation;
extern const Validation taylor_green_3d_validation;
extern const Validation taylor_green_validation;

}  // namespace hodge::tools
