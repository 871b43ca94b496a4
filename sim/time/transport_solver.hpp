// Solves transport equations for a velocity component or a scalar, one after the other with one
// linear solver.
#pragma once

#include <string>
#include <utility>

#include "linalg/solve.hpp"
#include "sim/assembly/transfer.hpp"
#include "sim/assembly/transport.hpp"
#include "sim/time/lap_timer.hpp"
#include "sim/time/solve_observer.hpp"
#include "sim/time/step_report.hpp"
#include "sim/time/workspace.hpp"

namespace hodge::sim {

template <int Dim, class Space>
class TransportSolver {
 public:
  // settings.absolute_tolerance: root mean square of an error in q, [q], that may remain.
  TransportSolver(const linalg::SolverSettings& settings, const DeviceGrid<Dim, Space>& grid,
                  int max_rows)
      : tolerance_(settings.absolute_tolerance),
        volume_norm_(grid.volume_norm()),
        solver_(settings, max_rows) {}

  // Shown every system before it is solved; null: none.
  void observe(SolveObserver<Space>* observer, SystemKind kind) {
    observer_ = observer;
    kind_ = kind;
  }

  // q, ghosts not filled. False where the solve failed; the report's last summary says how.
  // `changed`: what the preconditioner has to follow since the last call.
  bool solve(const std::string& name, const TransportEquation<Dim>& equation,
             const Unknowns<Dim>& unknowns, linalg::CsrMatrix<Space>& matrix,
             linalg::Changed changed, const Field<Dim, Space>& guess, Field<Dim, Space>& q,
             Workspace<Space>& work, StepReport& report) {
    LapTimer<Space> timer;
    work.resize(matrix.rows());
    assemble_transport(equation, unknowns, matrix, work.right_side);
    gather(unknowns, guess, 1.0, work.solution);
    report.assembly_seconds += timer.lap();

    linalg::SolveOptions options;
    options.changed = changed;
    options.absolute_tolerance = tolerance_ * volume_norm_ * equation.weights.a0 / equation.dt;
    if (observer_) {
      observer_->before_solve(
          {name, kind_, matrix, work.right_side, work.solution, options, false});
      report.comparison_seconds += timer.lap();
    }
    linalg::SolveReport solve = solver_.solve(matrix, work.right_side, work.solution, options);
    scatter(unknowns, work.solution, q);
    const double seconds = timer.lap();
    report.transport_seconds += seconds;
    report.solves.push_back({name, solve.iterations, seconds, std::move(solve)});
    return report.solves.back().report.converged();
  }

 private:
  double tolerance_, volume_norm_;
  linalg::LinearSolver<Space> solver_;
  SolveObserver<Space>* observer_ = nullptr;
  SystemKind kind_ = SystemKind::transport;
};

}  // namespace hodge::sim
