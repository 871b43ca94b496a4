#include "linalg/solve/solve_report.hpp"

#include <cmath>
#include <cstdio>

namespace hodge::linalg {

namespace {

template <class Kind>
struct Named {
  Kind kind;
  const char* name;
};

constexpr Named<SolveStatus> statuses[] = {{SolveStatus::running, "running"},
                                           {SolveStatus::converged, "converged"},
                                           {SolveStatus::max_iterations, "max_iterations"},
                                           {SolveStatus::breakdown, "breakdown"},
                                           {SolveStatus::stagnated, "stagnated"},
                                           {SolveStatus::diverged, "diverged"},
                                           {SolveStatus::max_seconds, "max_seconds"}};

constexpr Named<Breakdown> breakdowns[] = {
    {Breakdown::none, "none"},
    {Breakdown::not_finite, "the residual is not finite"},
    {Breakdown::not_symmetric, "the method needs a symmetric operator and this one is not"},
    {Breakdown::not_separable,
     "the method needs a separable system: a matrix that says that it is one"},
    {Breakdown::no_box,
     "transforms of a box need a matrix that names the box that its rows lie in"},
    {Breakdown::indefinite_operator, "p.Ap <= 0: the operator is not positive definite"},
    {Breakdown::indefinite_preconditioner, "r.z <= 0: the preconditioner is not positive definite"},
    {Breakdown::rho_zero, "rho = 0: the residual is orthogonal to the shadow residual"},
    {Breakdown::alpha_infinite,
     "r*.v = 0: the search direction is orthogonal to the shadow residual"},
    {Breakdown::omega_zero, "omega = 0: A M^-1 s is orthogonal to s"},
    {Breakdown::singular_krylov,
     "the Krylov space is invariant and holds no solution: the operator is singular"},
    {Breakdown::bad_diagonal, "a diagonal entry is missing, zero or not finite"},
    {Breakdown::shadow_step_zero, "p*.Ap = 0: A p is orthogonal to the shadow direction"},
    {Breakdown::singular_matrix, "the matrix is singular"},
    {Breakdown::singular_preconditioner, "the preconditioner is singular on this system"},
    {Breakdown::beyond_range,
     "entries of the solution are too large or too small for floating-point numbers"}};

template <class Kind, std::size_t N>
const char* name_of(const Named<Kind> (&table)[N], Kind kind) {
  for (const Named<Kind>& entry : table)
    if (entry.kind == kind) return entry.name;
  return "unknown";
}

}  // namespace

const char* to_string(SolveStatus status) {
  return name_of(statuses, status);
}

const char* to_string(Breakdown breakdown) {
  return name_of(breakdowns, breakdown);
}

std::string outcome_text(const SolveReport& report) {
  std::string text = to_string(report.status);
  if (report.converged() && report.rounding > 0) text += " (the residual is rounding)";
  if (report.breakdown == Breakdown::none) return text;
  text += std::string(": ") + to_string(report.breakdown);
  if (report.bad_row >= 0) text += " (row " + std::to_string(report.bad_row + 1) + ")";
  return text;
}

std::string describe(const SolveReport& report) {
  std::string text;
  for (const SolveAttempt& attempt : report.attempts) {
    text += (text.empty() ? "" : ", then ") + attempt.method + " + " + report.preconditioner + ": ";
    SolveReport of_attempt;
    of_attempt.status = attempt.status;
    of_attempt.breakdown = attempt.breakdown;
    of_attempt.rounding = report.rounding;
    if (attempt.breakdown == Breakdown::bad_diagonal) of_attempt.bad_row = report.bad_row;
    text += outcome_text(of_attempt);
  }
  if (!report.advice.empty()) text += "; " + report.advice;
  char numbers[160];
  if (std::isnan(report.true_residual))
    std::snprintf(numbers, sizeof numbers, "%d iterations, no residual computed, right side %.3e",
                  report.iterations, report.rhs_norm);
  else
    std::snprintf(numbers, sizeof numbers,
                  "%d iterations, residual %.3e, target %.3e, right side %.3e", report.iterations,
                  report.true_residual, report.target, report.rhs_norm);
  return text + "; " + numbers;
}

}  // namespace hodge::linalg
