#include "tools/hodge/solve/solve_arguments.hpp"

#include <fmt/format.h>

#include "linalg/base/errors.hpp"
#include "linalg/solve/solve.hpp"

namespace hodge::tools {
namespace {

// An option that only one method or preconditioner knows is refused beside another: it would do
// nothing. A comparison that names none tries them all, the owner among them.
void check_owner(const SolveArguments& a, bool given, const char* option, const char* owner,
                 const char* owner_option) {
  const std::string& chosen = owner_option == std::string("--method") ? a.method : a.preconditioner;
  if (!given || chosen == owner || (a.compare && chosen.empty())) return;
  throw ConfigError(fmt::format(
      "hodge solve: {} is a setting of {}, {}; add {} {} or leave {} out", option, owner,
      chosen.empty() ? "which is not asked for" : "not of " + chosen, owner_option, owner, option));
}

void check_owners(const SolveArguments& a) {
  const char* kind = "--preconditioner";
  check_owner(a, a.order.has_value(), "--order", "ssor_sai", kind);
  check_owner(a, a.omega.has_value(), "--omega", "ssor_sai", kind);
  check_owner(a, !a.form.empty(), "--form", "ssor_sai", kind);
  check_owner(a, a.alpha.has_value(), "--alpha", "ssor_sai", kind);
  check_owner(a, a.degree.has_value(), "--degree", "neumann", kind);
  check_owner(a, a.restart.has_value(), "--restart", "gmres", "--method");
  const bool direct = !a.method.empty() && linalg::find_solver(a.method).direct;
  if (direct && !a.preconditioner.empty() && a.preconditioner != "none") {
    throw ConfigError(
        fmt::format("hodge solve: --preconditioner belongs to iterative methods, and {} is a "
                    "direct one; leave it out",
                    a.method));
  }
  if (a.alpha && a.form != "truncated") {
    throw ConfigError(
        "hodge solve: --alpha is a setting of the truncated form; add --form truncated or leave "
        "--alpha out");
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

std::vector<std::filesystem::path> SolveArguments::inputs() const {
  std::vector<std::filesystem::path> files{matrix};
  if (!right_side.empty()) files.push_back(right_side);
  return files;
}

void check(const SolveArguments& arguments) {
  check_owners(arguments);
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
  s.preconditioner.order = a.order.value_or(s.preconditioner.order);
  s.preconditioner.omega = a.omega.value_or(s.preconditioner.omega);
  s.preconditioner.alpha = a.alpha.value_or(s.preconditioner.alpha);
  s.preconditioner.degree = a.degree.value_or(s.preconditioner.degree);
  if (!a.form.empty()) s.preconditioner.form = a.form;
  s.restart = a.restart.value_or(s.restart);
  s.tolerance = a.tolerance;
  s.absolute_tolerance = a.absolute_tolerance;
  s.max_iterations = a.max_iterations;
  return s;
}

std::string settings_text(const linalg::PreconditionerSettings& p) {
  using Maker = linalg::PreconditionerMaker<linalg::Host, double>;
  const auto& entry = linalg::find_preconditioner(p.kind);
  const std::string text = std::get<Maker>(entry.make)(p)->settings_text();
  return text.empty() ? p.kind : p.kind + ", " + text;
}

std::string method_text(const linalg::SolverSettings& settings) {
  return settings.method == "gmres" ? fmt::format("gmres, restart {}", settings.restart)
                                    : settings.method;
}

}  // namespace hodge::tools
