// Sees every linear system of a step just before and just after it is solved: A, b, the starting
// guess and the stopping rule. It must change none of them, so that a run goes on as without it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "linalg/matrices/csr.hpp"
#include "linalg/solve/solve.hpp"
#include "sim/base/lap_timer.hpp"
#include "sim/model/system_settings.hpp"
#include "sim/time/starting_guess.hpp"
#include "sim/time/step_report.hpp"

namespace hodge::sim {

template <class Space>
struct ObservedSystem {
  const std::string& name;  // u, v, w, pressure, a scalar
  SystemKind kind;
  const linalg::CsrMatrix<Space>& matrix;
  const linalg::Vector<Space>& right_side;
  const linalg::Vector<Space>& x;  // the starting guess before the solve, the solution after it
  const linalg::SolveOptions& options;
  const linalg::MaximumRule<Space>* maximum;  // null: none
  std::optional<Moment> moment;               // absent: the system belongs to no sequence in time
  bool matrix_is_constant;                    // the same in every step
  // max |div u|, 1/T, of the velocity that a solution with the residual b - A x leads to; of the
  // pressure alone, else empty.
  std::function<double(const linalg::Vector<Space>& residual)> max_divergence = {};
};

template <class Space>
class SolveObserver {
 public:
  virtual ~SolveObserver() = default;
  // The step that begins, from 1, and the time that it leads to.
  virtual void begin_step(long step, double time) = 0;
  virtual void before_solve(const ObservedSystem<Space>& system) = 0;
  virtual void after_solve(const ObservedSystem<Space>& system) = 0;  // that has converged
};

// The observer of a solver, whose seconds are kept apart from the solver's; without one there is no
// cost.
template <class Space>
class ObserverHook {
 public:
  void set(SolveObserver<Space>* observer) { observer_ = observer; }

  // The report of `solve`, which the observer sees the system before and, where it converged,
  // after. `describe` makes the ObservedSystem; `seconds` are the solver's so far.
  template <class Describe, class Solve>
  linalg::SolveReport watch(const Describe& describe, LapTimer<Space>& timer, double& seconds,
                            StepReport& report, const Solve& solve) {
    const auto call = [&](auto event) {
      if (observer_ == nullptr) return;
      seconds += timer.lap();
      (observer_->*event)(describe());
      report.comparison_seconds += timer.lap();
    };
    call(&SolveObserver<Space>::before_solve);
    linalg::SolveReport solved = solve();
    if (solved.converged()) call(&SolveObserver<Space>::after_solve);
    return solved;
  }

 private:
  SolveObserver<Space>* observer_ = nullptr;
};

}  // namespace hodge::sim
