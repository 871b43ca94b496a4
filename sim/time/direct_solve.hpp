// A solve by the transforms of linalg/direct/direct_solver.hpp as the report of a step tells it:
// one iteration of no guess. The residual is that of rounding and is not computed.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "sim/time/sequence_solver.hpp"

namespace hodge::sim {

// What a solve is called, and what its tolerances would promise.
struct DirectTask {
  const std::string& name;
  double tolerance;           // of |b|
  double absolute_tolerance;  // of |b - A x|
  double maximum_target = 0;  // stop: divergence
};

// `rhs_norm`: |b|, which tells whether numbers are finite; none: not looked at.
inline linalg::SolveReport report_of_direct(const DirectTask& task,
                                            const std::optional<double>& rhs_norm) {
  linalg::SolveReport solve;
  solve.method = "direct";
  solve.preconditioner = "none";
  solve.rhs_norm = rhs_norm.value_or(std::numeric_limits<double>::quiet_NaN());
  solve.target = std::max(task.tolerance * solve.rhs_norm, task.absolute_tolerance);
  solve.maximum_target = task.maximum_target;
  solve.true_residual = std::numeric_limits<double>::quiet_NaN();
  const bool finite = !rhs_norm || std::isfinite(*rhs_norm);
  solve.status = finite ? linalg::SolveStatus::converged : linalg::SolveStatus::breakdown;
  solve.breakdown = finite ? linalg::Breakdown::none : linalg::Breakdown::not_finite;
  solve.iterations = finite ? 1 : 0;
  solve.attempts.push_back({solve.method, solve.status, solve.breakdown, solve.iterations, 0});
  return solve;
}

// Solves for work.solution by solve(b, x). tell(event) shows the system to an observer before and
// after, finish() follows in any case. The seconds are added to report.*seconds_of. False where b
// is not finite.
template <class Space, class Solve, class Tell, class Finish>
bool solve_directly(const Solve& solve_for, const DirectTask& task, Workspace<Space>& work,
                    LapTimer<Space>& timer, double StepReport::*seconds_of, StepReport& report,
                    const Tell& tell, const Finish& finish) {
  tell(&SolveObserver<Space>::before_solve);
  linalg::SolveReport solve = report_of_direct(task, norm(work.right_side).to_host());
  const bool finite = solve.converged();
  if (finite) solve_for(work.right_side, work.solution);
  const double seconds = timer.lap();
  if (finite) tell(&SolveObserver<Space>::after_solve);
  finish();
  solve.solve_seconds = seconds;
  report.*seconds_of += seconds + timer.lap();
  report.solves.push_back({task.name, solve.iterations, seconds, std::move(solve)});
  return finite;
}

}  // namespace hodge::sim
