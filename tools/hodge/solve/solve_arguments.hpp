// What `hodge solve` is asked for, and the solver settings that it stands for.
#pragma once

#include <filesystem>
#include <string>

#include "linalg/settings/settings.hpp"
#include "tools/hodge/matrix/facts.hpp"

namespace hodge::tools {

struct SolveArguments {
  std::filesystem::path matrix, right_side;  // an empty right side: A times a known vector
  std::string device = "auto";
  std::string method, preconditioner;  // empty: chosen from the matrix
  linalg::OptionValues options;        // of the method and the preconditioner
  double tolerance = 1e-8, absolute_tolerance = 0;
  int max_iterations = 5000;
  std::string null_space = "none";
  bool compare = false;
  std::filesystem::path output, history, csv;  // files to write; empty: none

  bool constant_null_space() const { return null_space == "constant"; }
  std::vector<std::filesystem::path> inputs() const;
};

// "--coarsest-cells"
std::string option_flag(std::string name);

// Errors: ConfigError for a setting that does not belong to the method or preconditioner, a value
// out of range, or options that exclude each other.
void check(const SolveArguments& arguments);

// What is taken where the user names none, and why.
struct Choice {
  std::string name, reason;
};
// cg for a symmetric matrix with a positive diagonal, bicgstab where the diagonal is complete, else
// gmres.
Choice chosen_method(const MatrixFacts& facts);
// The diagonal where it is complete; none for a direct method.
Choice chosen_preconditioner(const std::string& method, const MatrixFacts& facts);

// With the method and the preconditioner named in the arguments, else with the chosen ones.
linalg::SolverSettings solver_settings(const SolveArguments& arguments, const MatrixFacts& facts);

// "ssor_sai, form factored, order 2, omega 1.2": the name and the settings that matter to it.
std::string settings_text(const linalg::PreconditionerSettings& preconditioner);
// "gmres, restart 30"
std::string method_text(const linalg::SolverSettings& settings);

}  // namespace hodge::tools
