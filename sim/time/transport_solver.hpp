// Solves transport equations for velocity components or scalars, one after the other with one
// linear solver: A delta = b - A q^n for the increment, then q = q^n + delta. So the tolerance is
// one on what a step changes, and starting guesses are guesses of the increment.
//
// The sum of all rows, the balance of q over the box, holds to rounding for scalars (balance.hpp),
// else to the solver's tolerance. Systems with the same rows, those of all scalars or of the
// components in a periodic box, have one matrix in turn.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/discrete/assembly/balance.hpp"
#include "sim/discrete/assembly/transfer.hpp"
#include "sim/discrete/assembly/transport.hpp"
#include "sim/time/deferred_convection.hpp"
#include "sim/time/sequence_solver.hpp"

namespace hodge::sim {

// Which of the solver's systems is solved, and for what moment.
struct TransportSolve {
  std::string name;  // for the report
  int system;        // its number: a component, or a scalar
  double time;       // of the new level
};

// The systems of a TransportSolver.
template <int Dim, class Space>
struct TransportSystems {
  SystemKind kind;
  std::vector<Unknowns<Dim>> rows;  // of each
  linalg::Symmetry symmetry;
  // The pattern of `cells`, for those systems that have their rows.
  Unknowns<Dim> cells{};
  std::shared_ptr<const linalg::CsrPattern<Space>> cell_pattern{};
  bool keeps_bounds = false;  // by iterating a deferred part of convection closely
};

template <int Dim, class Space>
class TransportSolver {
 public:
  // settings.absolute_tolerance: root mean square of an error in q, [q], that may remain.
  TransportSolver(const SystemSettings& settings, const DeviceGrid<Dim, Space>& grid,
                  const TransportSystems<Dim, Space>& systems)
      : kind_(systems.kind),
        keeps_bounds_(systems.keeps_bounds),
        rows_(systems.rows),
        tolerance_(settings.absolute_tolerance),
        volume_norm_(grid.volume_norm()),
        // Earlier versions kept guesses of q itself.
        solver_(settings, Projection::residual,
                std::ranges::max(rows_, {}, &Unknowns<Dim>::rows).rows, rows_.size(),
                " increments"),
        seen_(rows_.size(), false) {
    for (const Unknowns<Dim>& unknowns : rows_) {
      solver_.add_sequence(unknowns.rows);
      add_matrix(unknowns, systems);
    }
  }

  void observe(SolveObserver<Space>* observer) { solver_.observe(observer); }

  const Unknowns<Dim>& unknowns(int system) const {
    return rows_[static_cast<std::size_t>(system)];
  }
  // When the iteration over the deferred part of convection has converged.
  DeferredRule deferred_rule(int system) const {
    return {keeps_bounds_, tolerance_, unknowns(system).rows};
  }
  linalg::CsrMatrix<Space>& matrix(int system) { return matrix_of(system).matrix; }

  // q, ghosts not filled. False where the solve failed; the report's last summary says how.
  // `scheme_guess`: the q that the time scheme would start from.
  bool solve(const TransportSolve& what, const TransportEquation<Dim>& equation,
             const Field<Dim, Space>& scheme_guess, Field<Dim, Space>& q, Workspace<Space>& work,
             StepReport& report) {
    LapTimer<Space> timer;
    const auto system = static_cast<std::size_t>(what.system);
    const Unknowns<Dim>& unknowns = rows_[system];
    SharedMatrix& shared = matrix_of(what.system);
    linalg::CsrMatrix<Space>& matrix = shared.matrix;
    work.resize(matrix.rows());
    GatheredGuess<Dim> gathered;
    if (solver_.takes_guess_of_scheme()) gathered = {scheme_guess.view(), work.solution.data()};
    const std::optional<MatrixContent> content = constant_matrix(equation);
    const bool keeps = equation.keeps_matrix || (content && shared.content == content);
    shared.content = content;
    const MatrixValues values = keeps ? MatrixValues::keep : MatrixValues::refresh;
    assemble_transport(equation, unknowns, matrix, work.right_side, gathered, values);
    report.assembly_seconds += timer.lap();

    // delta / dt is smooth, and is that of the middle of the step.
    const Moment at{what.time - 0.5 * equation.dt, equation.dt};
    linalg::SolveOptions options;
    options.changed = equation.keeps_matrix ? linalg::Changed::nothing
                      : seen_[system]       ? linalg::Changed::values
                                            : linalg::Changed::pattern;
    options.absolute_tolerance = tolerance_ * volume_norm_ * equation.weights.a0 / equation.dt;
    options.system = what.system;
    seen_[system] = true;
    const ObservedSystem<Space> observed{
        what.name, kind_, matrix, work.right_side, work.solution, options, nullptr, at, false};
    return solver_.solve(
        observed, work, timer, &StepReport::transport_seconds, report,
        [&] {
          if (kind_ == SystemKind::scalars) balance(matrix, solver_.last_residual(), work.solution);
        },
        [&] { scatter_increment(unknowns, equation.old_level, work.solution, q); });
  }

  void visit_state(StateVisitor& visitor, const std::string& name) {
    solver_.visit_state(visitor, name);
  }

 private:
  struct SharedMatrix {
    linalg::CsrMatrix<Space> matrix;
    // What it has been assembled of; none where it is another in every step.
    std::optional<MatrixContent> content;
  };

  // The matrix of the next system: that of one before it with the same rows, else a new one.
  void add_matrix(const Unknowns<Dim>& unknowns, const TransportSystems<Dim, Space>& systems) {
    for (std::size_t before = 0; before < matrix_numbers_.size(); ++before)
      if (same_rows(unknowns, rows_[before]))
        return matrix_numbers_.push_back(matrix_numbers_[before]);
    matrix_numbers_.push_back(matrices_.size());
    const bool like_cells = systems.cell_pattern && same_rows(unknowns, systems.cells);
    linalg::CsrMatrix<Space> matrix(
        like_cells ? systems.cell_pattern : build_pattern<Dim, Space>(unknowns), systems.symmetry);
    matrices_.push_back({std::move(matrix), {}});
  }
  SharedMatrix& matrix_of(int system) {
    return matrices_[matrix_numbers_[static_cast<std::size_t>(system)]];
  }

  SystemKind kind_;
  bool keeps_bounds_;
  std::vector<Unknowns<Dim>> rows_;
  double tolerance_, volume_norm_;
  SequenceSolver<Space> solver_;
  std::vector<bool> seen_;  // each system, by the solver
  std::vector<SharedMatrix> matrices_;
  std::vector<std::size_t> matrix_numbers_;  // of each system, in matrices_
};

}  // namespace hodge::sim
