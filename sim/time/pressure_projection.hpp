// Makes a velocity divergence-free: solves for phi with div(u - grad(phi) / factor) = 0, where
// factor = rho a0 / dt.
//
// The matrix (assembly/pressure.hpp) does not depend on the step and is built once; the factor sits
// in the right side. Without open sides phi is determined up to a constant: in one region of fluid
// the constant null space is projected out, of several regions each has one value pinned, and so
// has a region that solids cut off from the open sides.
#pragma once

#include <utility>
#include <vector>

#include "linalg/solve.hpp"
#include "sim/assembly/divergence_of_residual.hpp"
#include "sim/assembly/pressure.hpp"
#include "sim/assembly/transfer.hpp"
#include "sim/boundaries/ghosts.hpp"
#include "sim/time/lap_timer.hpp"
#include "sim/time/solve_observer.hpp"
#include "sim/time/step_report.hpp"
#include "sim/time/workspace.hpp"

namespace hodge::sim {

struct ProjectionRequest {
  double factor;                // rho a0 / dt
  double guess_scale;           // phi's initial guess is this times the phi passed in
  double divergence_tolerance;  // root mean square of div u that need not be reduced further, 1/T
};

template <int Dim, class Space>
class PressureProjection {
 public:
  // `pinned`: rows, of regions where phi has no level of its own; none for a single region.
  PressureProjection(const linalg::SolverSettings& settings, const DeviceGrid<Dim, Space>& grid,
                     const SideKinds<Dim>& sides, const Unknowns<Dim>& unknowns,
                     const std::vector<int>& pinned)
      : grid_(grid.view()),
        volume_norm_(grid.volume_norm()),
        sides_(sides),
        unknowns_(unknowns),
        null_space_(has_open_side(sides) || !pinned.empty() ? linalg::NullSpace::none
                                                            : linalg::NullSpace::constant),
        matrix_(build_pattern<Dim, Space>(unknowns_), linalg::Symmetry::symmetric),
        solver_(settings, matrix_.rows()) {
    assemble_pressure<Dim, Space>({grid_, unknowns_, sides_}, matrix_);
    if (!pinned.empty()) pin(linalg::Buffer<int, Space>(std::span<const int>(pinned)), matrix_);
  }

  int rows() const { return matrix_.rows(); }
  bool determines_level() const { return null_space_ == linalg::NullSpace::none; }
  const std::shared_ptr<const linalg::CsrPattern<Space>>& pattern() const {
    return matrix_.shared_pattern();
  }

  // Shown every system before it is solved; null: none.
  void observe(SolveObserver<Space>* observer) {
    observer_ = observer;
    if (observer && largest_.size() == 0) largest_ = linalg::Buffer<double, Space>(1);
  }

  // phi, ghosts filled. False where the solve failed; the report's last summary says how.
  bool solve(const VelocityField<Dim, Space>& velocity, const ProjectionRequest& request,
             Field<Dim, Space>& phi, Workspace<Space>& work, StepReport& report) {
    LapTimer<Space> timer;
    work.resize(matrix_.rows());
    assemble_pressure_source(grid_, unknowns_, velocity.view(), request.factor, work.right_side);
    gather(unknowns_, phi, request.guess_scale, work.solution);
    report.assembly_seconds += timer.lap();

    // The residual is factor * net outflow of the corrected velocity, cell by cell.
    const linalg::SolveOptions options{
        .null_space = null_space_,
        .changed = matrix_seen_ ? linalg::Changed::nothing : linalg::Changed::pattern,
        .absolute_tolerance = request.factor * request.divergence_tolerance * volume_norm_};
    if (observer_) {
      show(work, options, request.factor);
      report.comparison_seconds += timer.lap();
    }
    linalg::SolveReport solve = solver_.solve(matrix_, work.right_side, work.solution, options);
    matrix_seen_ = true;
    scatter(unknowns_, work.solution, phi);
    fill_pressure_ghosts(phi, sides_);
    const double seconds = timer.lap();
    report.pressure_seconds += seconds;
    report.solves.push_back({"pressure", solve.iterations, seconds, std::move(solve)});
    return report.solves.back().report.converged();
  }

 private:
  void show(const Workspace<Space>& work, const linalg::SolveOptions& options, double factor) {
    static const std::string name = "pressure";
    observer_->before_solve({name, SystemKind::pressure, matrix_, work.right_side, work.solution,
                             options, true, [this, factor](const linalg::Vector<Space>& residual) {
                               return divergence_of_residual(grid_, unknowns_, factor, residual,
                                                             largest_);
                             }});
  }

  GridView<Dim> grid_;
  double volume_norm_;
  SideKinds<Dim> sides_;
  Unknowns<Dim> unknowns_;
  linalg::NullSpace null_space_;
  linalg::CsrMatrix<Space> matrix_;
  linalg::LinearSolver<Space> solver_;
  bool matrix_seen_ = false;  // by the solver's preconditioner
  SolveObserver<Space>* observer_ = nullptr;
  linalg::Buffer<double, Space> largest_;  // scratch of the observer's measure
};

}  // namespace hodge::sim
