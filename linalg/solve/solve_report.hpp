// The result of a solve: status, iterations, residuals, times.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "linalg/space/monitor_state.hpp"

namespace hodge::linalg {

// One method's part in a solve; a fallback chain has several.
struct SolveAttempt {
  std::string method;
  SolveStatus status = SolveStatus::running;
  Breakdown breakdown = Breakdown::none;
  int iterations = 0;
  int restarts = 0;  // from the true residual: gmres cycles, and restarts after breakdowns
};

struct [[nodiscard]] SolveReport {
  // Of the last attempt; converged only if true_residual agrees.
  SolveStatus status = SolveStatus::running;
  Breakdown breakdown = Breakdown::none;
  std::int64_t bad_row = -1;  // of Breakdown::bad_diagonal, in the whole system, counted from 0
  std::string method;         // of the last attempt
  std::string preconditioner;
  std::string preconditioner_settings;
  std::string made;     // of A by the preconditioner: "5 grids", "chosen omega 0.9"
  std::string advice;   // which setting to change, if that is known
  int iterations = 0;   // of all attempts
  double rhs_norm = 0;  // ||b||_2, without its part in the null space
  double target = 0;    // on ||b - A x||_2
  double rounding = 0;  // > 0: converged since ||b - A x||_2, above target, is below this
  // The residuals are NaN where a set-up failed before they were computed.
  double initial_residual = 0;     // ||b - A x||_2 at the start
  double recurrence_residual = 0;  // ||r||_2 by the recurrence of the last method
  double true_residual = 0;        // ||b - A x||_2, computed at the end
  double maximum = 0;              // max_i |weight_i r_i| at the end, with a MaximumRule
  double maximum_target = 0;       // on that maximum
  int preconditioner_age = 0;      // solves since the preconditioner was rebuilt
  std::vector<double> history;     // of the last attempt, entry 0 before its first iteration
  std::vector<SolveAttempt> attempts;
  double setup_seconds = 0;
  double solve_seconds = 0;

  bool converged() const { return status == SolveStatus::converged; }
};

const char* to_string(SolveStatus status);
// What happened, in words: "p.Ap <= 0: the operator is not positive definite".
const char* to_string(Breakdown breakdown);
// "breakdown: a diagonal entry is missing, zero or not finite (row 3)"; rows count from 1, as in
// files.
std::string outcome_text(const SolveReport& report);
// One sentence: method, preconditioner, status, iterations, residuals.
std::string describe(const SolveReport& report);

}  // namespace hodge::linalg
