#include "tools/hodge/solve/solve_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linalg/base/errors.hpp"
#include "linalg/solve/solve.hpp"
#include "sim/base/text.hpp"

namespace hodge::tools {
namespace {

std::string with_options(const std::string& name, const std::vector<linalg::Option>& options) {
  const std::string text = options_text(options);
  return text.empty() ? name : name + ", " + text;
}

// An option that the chosen method or preconditioner does not use is refused. A comparison that
// names none tries them all, the owner of the option among them.
template <class Settings>
void check_used(const SolveArguments& a, const std::vector<linalg::OptionOfTable>& table,
                const std::string& chosen, const std::string& chooser) {
  for (const auto& [option, owners] : table) {
    if (!a.options.contains(option.name)) continue;
    const std::string by = a.compare && chosen.empty() ? owners.front() : chosen;
    std::string belongs = owners.front() + ", which is not asked for";
    std::string fix = chooser + " " + owners.front();
    if (!by.empty()) {
      const auto unused = linalg::unused_option(Settings{by, a.options}, option.name);
      if (!unused) continue;
      const bool is_value = unused->owner.find(' ') != std::string::npos;  // "form truncated"
      belongs = unused->owner + (is_value ? "" : ", not of " + sim::join(unused->chosen));
      fix = (is_value ? "--" : chooser + " ") + unused->owner;
    }
    throw ConfigError(fmt::format("hodge solve: {0} is a setting of {1}; add {2} or leave {0} out",
                                  option_flag(option.name), belongs, fix));
  }
}

void check_options(const SolveArguments& a) {
  check_used<linalg::PreconditionerSettings>(a, linalg::preconditioner_options(), a.preconditioner,
                                             "--preconditioner");
  check_used<linalg::SolverSettings>(a, linalg::solver_options(), a.method, "--method");
  const bool direct = !a.method.empty() && linalg::find_solver(a.method).direct;
  if (direct && !a.preconditioner.empty() && a.preconditioner != "none") {
    throw ConfigError(
        fmt::format("hodge solve: --preconditioner belongs to iterative methods, and {} is a "
                    "direct one; leave it out",
                    a.method));
  }
}

void check_comparison(const SolveArguments& a) {
  if (!a.compare && !a.csv.empty()) {
    throw ConfigError("hodge solve: --csv takes the table of --compare; add --compare");
  }
  const bool writes_one = !a.output.empty() || !a.history.empty();
  if (a.compare && writes_one) {
    throw ConfigError(
        fmt::format("hodge solve: {} belongs to a single solve; leave it or --compare out",
                    a.output.empty() ? "--history" : "--output"));
  }
}

}  // namespace

std::string option_flag(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

std::vector<std::filesystem::path> SolveArguments::inputs() const {
  std::vector<std::filesystem::path> files{matrix};
  if (!right_side.empty()) files.push_back(right_side);
  return files;
}

void check(const SolveArguments& arguments) {
  check_options(arguments);
  check_comparison(arguments);
  linalg::check(solver_settings(arguments, {}));
}

Choice chosen_method(const MatrixFacts& facts) {
  if (facts.symmetric() && facts.diagonal_positive == facts.rows) {
    return {"cg", "the matrix is symmetric with a positive diagonal"};
  }
  if (facts.symmetric()) return {"gmres", "the matrix is symmetric, but not positive definite"};
  if (facts.full_diagonal()) return {"bicgstab", "the matrix is not symmetric"};
  return {"gmres", "the matrix is not symmetric and has zeros on the diagonal"};
}

Choice chosen_preconditioner(const std::string& method, const MatrixFacts& facts) {
  if (linalg::find_solver(method).direct) return {"none", "the method is a direct one"};
  if (facts.full_diagonal()) return {"jacobi", "the diagonal has no zeros"};
  return {"none", "the diagonal has zeros"};
}

linalg::SolverSettings solver_settings(const SolveArguments& a, const MatrixFacts& facts) {
  linalg::SolverSettings s;
  s.method = a.method.empty() ? chosen_method(facts).name : a.method;
  s.preconditioner.kind =
      a.preconditioner.empty() ? chosen_preconditioner(s.method, facts).name : a.preconditioner;
  s.options = s.preconditioner.options = a.options;  // each takes those that it has
  s.tolerance = a.tolerance;
  s.absolute_tolerance = a.absolute_tolerance;
  s.max_iterations = a.max_iterations;
  return s;
}

std::string settings_text(const linalg::PreconditionerSettings& preconditioner) {
  return with_options(preconditioner.kind, linalg::options_of(preconditioner));
}

std::string method_text(const linalg::SolverSettings& settings) {
  return with_options(settings.method, linalg::options_of(settings));
}

}  // namespace hodge::tools
