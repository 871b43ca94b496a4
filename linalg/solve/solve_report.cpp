#include "linalg/solve/solve_report.hpp"

#include <cstdio>

namespace hodge::linalg {

const char* to_string(SolveStatus status) {
  switch (status) {
    case SolveStatus::running:
      return "running";
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::max_iterations:
      return "max_iterations";
    case SolveStatus::breakdown:
      return "breakdown";
    case SolveStatus::stagnated:
      return "stagnated";
    case SolveStatus::diverged:
      return "diverged";
    case SolveStatus::max_seconds:
      return "max_seconds";
  }
  return "unknown";
}

const char* to_string(Breakdown breakdown) {
  switch (breakdown) {
    case Breakdown::none:
      return "none";
    case Breakdown::not_finite:
      return "the residual is not finite";
    case Breakdown::not_symmetric:
      return "the method needs a symmetric operator and this one is not";
    case Breakdown::indefinite_operator:
      return "p.Ap <= 0: the operator is not positive definite";
    case Breakdown::indefinite_preconditioner:
      return "r.z <= 0: the preconditioner is not positive definite";
    case Breakdown::rho_zero:
      return "rho = 0: the residual is orthogonal to the shadow residual";
    case Breakdown::alpha_infinite:
      return "r*.v = 0: the search direction is orthogonal to the shadow residual";
    case Breakdown::omega_zero:
      return "omega = 0: A M^-1 s is orthogonal to s";
    case Breakdown::singular_krylov:
      return "the Krylov space is invariant and holds no solution: the operator is singular";
    case Breakdown::bad_diagonal:
      return "a diagonal entry is missing, zero or not finite";
    case Breakdown::shadow_step_zero:
      return "p*.Ap = 0: A p is orthogonal to the shadow direction";
    case Breakdown::singular_matrix:
      return "the matrix is singular";
    case Breakdown::singular_preconditioner:
      return "the preconditioner is singular on this system";
  }
  return "unknown";
}

std::string describe(const SolveReport& report) {
  char numbers[160];
  std::snprintf(numbers, sizeof numbers,
                "%d iterations, residual %.3e, target %.3e, right side %.3e", report.iterations,
                report.true_residual, report.target, report.rhs_norm);
  std::string text;
  for (const SolveAttempt& attempt : report.attempts) {
    text += (text.empty() ? "" : ", then ") + attempt.method + " + " + report.preconditioner +
            ": " + to_string(attempt.status);
    if (attempt.breakdown != Breakdown::none) {
      text += std::string(" (") + to_string(attempt.breakdown);
      if (attempt.breakdown == Breakdown::bad_diagonal)
        text += ", row " + std::to_string(report.bad_row);
      text += ")";
    }
  }
  if (!report.advice.empty()) text += "; " + report.advice;
  return text + "; " + numbers;
}

}  // namespace hodge::linalg
