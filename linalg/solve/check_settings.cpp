// What LinearSolver refuses, and the memory that it takes.
#include <initializer_list>
#include <string>

#include "linalg/solve/refresh_policy.hpp"
#include "linalg/solve/solve.hpp"

namespace hodge::linalg {

namespace {

void require(bool good, const std::string& what, double value, const char* expected) {
  if (!good) throw ConfigError(what + " is " + std::to_string(value) + ", expected " + expected);
}

void require_name(const std::string& name, const char* what,
                  std::initializer_list<const char*> known) {
  std::string names;
  for (const char* one : known) {
    if (name == one) return;
    names += (names.empty() ? "" : ", ") + std::string(one);
  }
  throw ConfigError(std::string(what) + " is '" + name + "', expected one of: " + names);
}

void check(const PreconditionerSettings& p) {
  (void)find_preconditioner(p.kind);
  if (p.form != "factored" && p.form != "truncated") {
    throw ConfigError("form is '" + p.form + "', expected factored or truncated");
  }
  require(p.alpha > 0 && p.alpha <= 1, "alpha", p.alpha, "0 < alpha <= 1");
  require(p.degree >= 0 && p.degree <= 20, "degree", p.degree, "an integer from 0 to 20");
  require(p.order == 1 || p.order == 2, "order", p.order, "1 or 2");
  require(p.omega > 0 && p.omega < 2, "omega", p.omega, "0 < omega < 2");
  require_name(p.smoother, "smoother", {"ssor_sai", "jacobi", "chebyshev"});
  require_name(p.cycle, "cycle", {"v", "w", "f"});
  require_name(p.precision, "precision", {"single", "double"});
  require(p.smoothings >= 1 && p.smoothings <= 10, "smoothings", p.smoothings,
          "an integer from 1 to 10");
  require(p.coarsest_cells >= 1 && p.coarsest_cells <= 512, "coarsest_cells", p.coarsest_cells,
          "an integer from 1 to 512");
}

// A method that asks for a symmetric A asks for a symmetric M too.
void check_together(const std::string& method, const PreconditionerSettings& p) {
  if (find_solver(method).needs_symmetric && p.kind == "multigrid" && p.cycle == "f")
    throw ConfigError("cycle is 'f' with " + method +
                      ", which needs a symmetric preconditioner; use v or w, or another method");
}

}  // namespace

void check(const SolverSettings& s) {
  check_together(s.method, s.preconditioner);
  for (const std::string& name : s.fallback) check_together(name, s.preconditioner);
  if (s.stop != "divergence")  // where it is a number of 1/T
    require(s.tolerance >= 0 && s.tolerance < 1, "tolerance", s.tolerance, "0 <= tolerance < 1");
  require(s.absolute_tolerance >= 0, "absolute_tolerance", s.absolute_tolerance, "a number >= 0");
  require(s.max_iterations > 0, "max_iterations", s.max_iterations, "an integer > 0");
  require(s.restart > 0, "restart", s.restart, "an integer > 0");
  if (s.max_seconds) require(*s.max_seconds > 0, "max_seconds", *s.max_seconds, "a number > 0");
  (void)refresh_of(s.refresh);
  check(s.preconditioner);
}

std::size_t solver_memory(const SolverSettings& s, const SystemSize& size, int systems) {
  const bool shared = s.refresh == "every";
  const std::size_t preconditioner =
      find_preconditioner(s.preconditioner.kind).memory(s.preconditioner, size) +
      (shared ? 0 : size.nonzeros * size.value_size);
  return find_solver(s.method).memory(s, size) +
         static_cast<std::size_t>(shared ? 1 : systems) * preconditioner + size.vectors(2) +
         sizeof(double) * (static_cast<std::size_t>(s.max_iterations) + 1);
}

}  // namespace hodge::linalg
