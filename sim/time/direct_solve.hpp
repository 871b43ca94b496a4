// A solve by the transforms of linalg/direct/direct_solver.hpp as the report of a step tells it:
// one iteration of no guess. The residual is that of rounding and is not computed.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "linalg/direct/direct_solver.hpp"
#include "sim/time/sequence_solver.hpp"

namespace hodge::sim {

// What a solve is called, and what its tolerances would promise.
struct DirectTask {
  const std::string& name;
  double tolerance;           // of |b|
  double absolute_tolerance;  // of |b - A x|
  double maximum_target = 0;  // stop: divergence
};

// Solves for work.solution. tell(event) shows the system to an observer before and after, finish()
// follows in any case. The seconds are added to report.*seconds_of. False where b is not finite.
template <class Space, class Tell, class Finish>
bool solve_directly(linalg::DirectSolver<Space>& solver, const DirectTask& task,
                    Workspace<Space>& work, LapTimer<Space>& timer, double StepReport::*seconds_of,
                    StepReport& report, const Tell& tell, const Finish& finish) {
  tell(&SolveObserver<Space>::before_solve);
  linalg::SolveReport solve;
  solve.method = "direct";
  solve.preconditioner = "none";
  solve.rhs_norm = norm(work.right_side).to_host();
  solve.target = std::max(task.tolerance * solve.rhs_norm, task.absolute_tolerance);
  solve.maximum_target = task.maximum_target;
  solve.true_residual = std::numeric_limits<double>::quiet_NaN();
  const bool finite = std::isfinite(solve.rhs_norm);
  solve.status = finite ? linalg::SolveStatus::converged : linalg::SolveStatus::breakdown;
  solve.breakdown = finite ? linalg::Breakdown::none : linalg::Breakdown::not_finite;
  solve.iterations = finite ? 1 : 0;
  solve.attempts.push_back({solve.method, solve.status, solve.breakdown, solve.iterations, 0});
  if (finite) solver.solve(work.right_side, work.solution);
  const double seconds = timer.lap();
  if (finite) tell(&SolveObserver<Space>::after_solve);
  finish();
  solve.solve_seconds = seconds;
  report.*seconds_of += seconds + timer.lap();
  report.solves.push_back({task.name, solve.iterations, seconds, std::move(solve)});
  return finite;
}

}  // namespace hodge::sim
