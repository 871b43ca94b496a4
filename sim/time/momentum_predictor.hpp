// Solves the transport equation of each velocity component for u*, one after the other with one
// solver.
//
// Memory: a CSR matrix a component. The initial guess is the convecting velocity, which is u* to
// the scheme's order.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "linalg/solve.hpp"
#include "sim/assembly/transfer.hpp"
#include "sim/assembly/transport.hpp"
#include "sim/time/lap_timer.hpp"
#include "sim/time/step_report.hpp"
#include "sim/time/workspace.hpp"

namespace hodge::sim {

template <int Dim, class Space>
class MomentumPredictor {
 public:
  // settings.absolute_tolerance: root mean square of an error in u*, L/T, that may remain.
  MomentumPredictor(const linalg::SolverSettings& settings, const DeviceGrid<Dim, Space>& grid,
                    const BoundaryView<Dim>& boundaries)
      : velocity_tolerance_(settings.absolute_tolerance), volume_norm_(grid.volume_norm()) {
    for (int d = 0; d < Dim; ++d) {
      unknowns_[d] = velocity_unknowns(d, grid.layout(), boundaries);
      matrices_.emplace_back(build_pattern<Dim, Space>(unknowns_[d]),
                             linalg::Symmetry::nonsymmetric);
    }
    solver_ = std::make_unique<linalg::LinearSolver<Space>>(settings, largest_rows());
  }

  const Unknowns<Dim>& unknowns(int d) const { return unknowns_[d]; }
  int largest_rows() const {
    int rows = 0;
    for (const auto& matrix : matrices_) rows = std::max(rows, matrix.rows());
    return rows;
  }

  // u*_d, ghosts not filled. False where the solve failed; the report's last summary says how.
  bool solve(const TransportEquation<Dim>& equation, int d, const Field<Dim, Space>& guess,
             Field<Dim, Space>& u_star, Workspace<Space>& work, StepReport& report) {
    LapTimer<Space> timer;
    linalg::CsrMatrix<Space>& matrix = matrices_[d];
    work.resize(matrix.rows());
    assemble_transport(equation, unknowns_[d], d, matrix, work.right_side);
    gather(unknowns_[d], guess, 1.0, work.solution);
    report.assembly_seconds += timer.lap();

    // The components share the solver, so each finds its preconditioner made for another's pattern.
    linalg::SolveOptions options;
    options.changed = linalg::Changed::pattern;
    options.absolute_tolerance =
        velocity_tolerance_ * volume_norm_ * equation.weights.a0 / equation.dt;
    linalg::SolveReport solve = solver_->solve(matrix, work.right_side, work.solution, options);
    scatter(unknowns_[d], work.solution, u_star);
    const double seconds = timer.lap();
    report.transport_seconds += seconds;
    report.solves.push_back({velocity_names[d], solve.iterations, seconds, std::move(solve)});
    return report.solves.back().report.converged();
  }

 private:
  double velocity_tolerance_, volume_norm_;
  std::array<Unknowns<Dim>, Dim> unknowns_;
  std::vector<linalg::CsrMatrix<Space>> matrices_;
  std::unique_ptr<linalg::LinearSolver<Space>> solver_;
};

}  // namespace hodge::sim
