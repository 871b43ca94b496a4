// A solve by the transforms of linalg/direct/direct_solver.hpp as the report of a step tells it:
// one iteration of no guess. The residual is that of rounding and is not computed.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "linalg/space/marks.hpp"
#include "sim/time/sequence_solver.hpp"

namespace hodge::sim {

// What a solve is called, and what its tolerances would promise.
struct DirectTask {
  const std::string& name;
  double tolerance;           // of |b|
  double absolute_tolerance;  // of |b - A x|
  double maximum_target = 0;  // stop: divergence
  // Whether |b| is looked at, which tells whether all numbers are finite: one that is none makes
  // all of the solution such numbers, so one such solve of a step is enough to find it.
  bool is_checked = true;
};

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

template <class Space>
class DirectSolve {
 public:
  // transform() solves for the right side of `work`, and leaves the solution where it belongs. The
  // host waits for |b| alone, while the space transforms; `norm`: |b|, where it is there already.
  // system() is what an observer sees; null: none. The seconds are added to report.*seconds_of
  // when timers settle. False where b is not finite.
  template <class System, class Transform>
  bool solve(const DirectTask& task, Workspace<Space>& work, LapTimer<Space>& timer,
             double StepReport::*seconds_of, StepReport& report,
             std::optional<linalg::Scalar<Space>> norm, SolveObserver<Space>* observer,
             const System& system, const Transform& transform) {
    const auto tell = [&](auto event) {
      if (observer == nullptr) return;
      (observer->*event)(system());
      timer.count([&report](double seconds) { report.comparison_seconds += seconds; });
    };
    if (observer != nullptr) work.solution.fill(0.0);
    tell(&SolveObserver<Space>::before_solve);
    if (task.is_checked && !norm) norm.emplace(linalg::norm(work.right_side));
    const int norm_is_here = task.is_checked ? bring(*norm) : -1;
    transform();
    const std::size_t entry = report.solves.size();
    timer.count([&report, entry, seconds_of](double seconds) {
      report.*seconds_of += seconds;
      report.solves[entry].seconds = report.solves[entry].report.solve_seconds = seconds;
    });
    if (task.is_checked) linalg::Marks<Space>::wait(norm_is_here);
    linalg::SolveReport solve =
        report_of_direct(task, task.is_checked ? std::optional(*norm_.get()) : std::nullopt);
    const bool solved = solve.converged();
    report.solves.push_back({task.name, solve.iterations, 0, std::move(solve)});
    if (solved) tell(&SolveObserver<Space>::after_solve);
    return solved;
  }

 private:
  // Returns the mark behind which the norm is in *norm_.
  int bring(const linalg::Scalar<Space>& norm) {
    linalg::Marks<Space>::bring(norm.data(), norm_.get());
    return linalg::Marks<Space>::set();
  }

  linalg::Shared<double, Space> norm_;
};

}  // namespace hodge::sim
