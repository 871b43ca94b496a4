// Solves transport equations for velocity components or scalars, one after the other: A delta =
// b - A q^n for the increment, then q = q^n + delta. So the tolerance is one on what a step
// changes, and starting guesses are guesses of the increment. Two ways:
//
//   transport_by_transforms.hpp    to rounding, of steps whose systems are separable: `direct`
//   transport_by_iterations.hpp    to a tolerance: all others
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

#include "sim/discrete/assembly/transfer.hpp"
#include "sim/discrete/assembly/transport.hpp"
#include "sim/time/deferred_convection.hpp"
#include "sim/time/sequence_solver.hpp"

namespace hodge::sim {

// Which of the solver's systems is solved, and for what moment.
struct TransportTask {
  std::string name;     // for the report
  int system;           // its number: a component, or a scalar
  double time;          // of the new level
  double rounding = 0;  // norm of the right side that is rounding (rounding.hpp)
};

// The systems of a TransportSolve.
template <int Dim, class Space>
struct TransportSystems {
  SystemKind kind;
  std::vector<Unknowns<Dim>> rows;  // of each
  linalg::Symmetry symmetry;
  // The pattern of `cells`, for those systems that have their rows.
  Unknowns<Dim> cells{};
  std::shared_ptr<const linalg::CsrPattern<Space>> cell_pattern{};
  bool keeps_bounds = false;  // a deferred part of convection is iterated closely
  // Each as a separable system, whose shift and factor come with the step; empty: none is one.
  std::vector<linalg::SeparableSystem> separable{};
};

template <int Dim, class Space>
class TransportSolve {
 public:
  // settings.absolute_tolerance: root mean square of an error in q, [q], that may remain.
  TransportSolve(const SystemSettings& settings, const DeviceGrid<Dim, Space>& grid,
                 const TransportSystems<Dim, Space>& systems)
      : kind_(systems.kind),
        relative_tolerance_(settings.tolerance),
        rows_(systems.rows),
        keeps_bounds_(systems.keeps_bounds),
        tolerance_(settings.absolute_tolerance),
        volume_norm_(grid.volume_norm()),
        symmetry_(systems.symmetry),
        cells_(systems.cells),
        cell_pattern_(systems.cell_pattern),
        keeps_diagonal_(linalg::find_preconditioner(settings.preconditioner.kind).by_elements) {
    for (const linalg::SeparableSystem& system : systems.separable)
      separable_.push_back(std::make_shared<linalg::SeparableSystem>(system));
  }
  virtual ~TransportSolve() = default;
  TransportSolve(const TransportSolve&) = delete;
  TransportSolve& operator=(const TransportSolve&) = delete;

  bool keeps_bounds() const { return keeps_bounds_; }
  // Whether a solve reduces its residual to a tolerance, and not to rounding.
  virtual bool ends_by_tolerance() const = 0;
  virtual void observe(SolveObserver<Space>* observer) {
    if (observer != nullptr && matrices_.empty()) add_matrices();
  }
  virtual void visit_state(StateVisitor& visitor, const std::string& name) = 0;

  const Unknowns<Dim>& unknowns(int system) const {
    return rows_[static_cast<std::size_t>(system)];
  }
  // When the iteration over the deferred part of convection has converged.
  DeferredRule deferred_rule(const TransportTask& what,
                             const TransportEquation<Dim>& equation) const {
    const double error =
        least_residual(what, equation) * equation.dt / (volume_norm_ * equation.weights.a0);
    return {keeps_bounds_, error, total_rows(unknowns(what.system))};
  }
  linalg::CsrMatrix<Space>& matrix(int system) { return matrix_of(system).matrix; }

  // q, ghosts not filled. False where the solve failed; the report's last summary says how.
  // `scheme_guess`: the q that the time scheme would start from.
  bool solve(const TransportTask& what, const TransportEquation<Dim>& equation,
             const Field<Dim, Space>& scheme_guess, Field<Dim, Space>& q, Workspace<Space>& work,
             StepReport& report) {
    LapTimer<Space> timer;
    const Unknowns<Dim>& points = unknowns(what.system);
    work.resize(points.rows);
    GatheredGuess<Dim> guess{};
    if (takes_guess_of_scheme()) guess = {scheme_guess.view(), work.solution.data()};
    const MatrixValues values = values_of_step(what.system, equation);
    assemble_transport(equation, points, matrix(what.system), work.right_side, guess, values);
    report.assembly_seconds += timer.lap();
    return solve_system(what, equation, options_of(what, equation), q, work, report);
  }

  // The same of an equation without implicit convection, whose right side at the own points is in
  // `work` already (assembly/right_sides.hpp).
  bool solve_for_right_side(const TransportTask& what, const TransportEquation<Dim>& equation,
                            const ExtrapolatedGuess<Dim>& scheme_guess, Field<Dim, Space>& q,
                            Workspace<Space>& work, StepReport& report) {
    LapTimer<Space> timer;
    const Unknowns<Dim>& points = unknowns(what.system);
    if (takes_guess_of_scheme()) gather_change(points, scheme_guess, work.solution);
    if (!matrices_.empty()) refresh_matrix(what.system, equation);
    report.assembly_seconds += timer.lap();
    return solve_system(what, equation, options_of(what, equation), q, work, report);
  }

 protected:
  using Vector = linalg::Vector<Space>;

  // The last part of both: q of the right side and guess in `work`, with entry and seconds in the
  // report.
  virtual bool solve_system(const TransportTask& what, const TransportEquation<Dim>& equation,
                            const linalg::SolveOptions& options, Field<Dim, Space>& q,
                            Workspace<Space>& work, StepReport& report) = 0;
  virtual bool takes_guess_of_scheme() const = 0;

  // q of the solution.
  void finish(const TransportTask& what, const TransportEquation<Dim>& equation,
              Workspace<Space>& work, Field<Dim, Space>& q) const {
    scatter_increment(unknowns(what.system), equation.old_level, work.solution, q);
  }

  // delta / dt is smooth, and is that of the middle of the step.
  ObservedSystem<Space> observed(const TransportTask& what, const TransportEquation<Dim>& equation,
                                 const linalg::SolveOptions& options,
                                 const Workspace<Space>& work) {
    const Moment at{what.time - 0.5 * equation.dt, equation.dt};
    return {what.name, kind_, matrix(what.system), work.right_side, work.solution, options, nullptr,
            at,        false};
  }

  static double diffusion_of_step(const TransportEquation<Dim>& equation) {
    return equation.implicit_diffusion * equation.transport.diffusivity;
  }
  // The matrix of each system: that of one before it with the same rows, else a new one.
  void add_matrices() {
    for (std::size_t system = 0; system < rows_.size(); ++system) {
      std::size_t before = 0;
      while (!same_rows(rows_[system], rows_[before])) ++before;
      if (before < system) {
        matrix_numbers_.push_back(matrix_numbers_[before]);
        continue;
      }
      matrix_numbers_.push_back(matrices_.size());
      const bool like_cells = cell_pattern_ && same_rows(rows_[system], cells_);
      linalg::CsrMatrix<Space> matrix(
          like_cells ? cell_pattern_ : build_pattern<Dim, Space>(rows_[system]), symmetry_);
      if (keeps_diagonal_) matrix.keep_diagonal();
      matrices_.push_back({std::move(matrix), {}});
    }
  }

  SystemKind kind_;
  double relative_tolerance_;
  std::vector<Unknowns<Dim>> rows_;
  std::vector<std::shared_ptr<linalg::SeparableSystem>> separable_;  // of each system, or none

 private:
  // What a solve need not reduce.
  double least_residual(const TransportTask& what, const TransportEquation<Dim>& equation) const {
    const double asked = tolerance_ * volume_norm_ * equation.weights.a0 / equation.dt;
    return std::max(asked, keeps_bounds_ ? least_for_bounds(what.rounding) : what.rounding);
  }

  linalg::SolveOptions options_of(const TransportTask& what,
                                  const TransportEquation<Dim>& equation) {
    linalg::SolveOptions options;
    if (!matrices_.empty()) options.changed = change_of(matrix_of(what.system), equation);
    options.absolute_tolerance = least_residual(what, equation);
    options.system = what.system;
    return options;
  }

  struct SharedMatrix {
    linalg::CsrMatrix<Space> matrix;
    // What it has been assembled of; none where it is another in every step.
    std::optional<MatrixContent> content;
    bool seen = false;  // by the solver
  };

  // Since the solver has seen it.
  static linalg::Changed change_of(SharedMatrix& shared, const TransportEquation<Dim>& equation) {
    if (equation.keeps_matrix) return linalg::Changed::nothing;
    return std::exchange(shared.seen, true) ? linalg::Changed::values : linalg::Changed::pattern;
  }

  // Whether a step has to write the values of a matrix, which is told what they are made of.
  MatrixValues values_of_step(int system, const TransportEquation<Dim>& equation) {
    SharedMatrix& shared = matrix_of(system);
    const std::optional<MatrixContent> content = constant_matrix(equation);
    const bool keeps = equation.keeps_matrix || (content && shared.content == content);
    shared.content = content;
    return keeps ? MatrixValues::keep : MatrixValues::refresh;
  }
  void refresh_matrix(int system, const TransportEquation<Dim>& equation) {
    linalg::CsrMatrix<Space>& matrix = matrix_of(system).matrix;
    if (values_of_step(system, equation) == MatrixValues::refresh)
      assemble_transport_matrix(equation, unknowns(system), matrix);
    if (separable_.empty()) return;
    const auto& described = separable_[static_cast<std::size_t>(system)];
    described->shift = equation.weights.a0 / equation.dt;
    described->factor = diffusion_of_step(equation);
    matrix.describe_as(described);
  }
  SharedMatrix& matrix_of(int system) {
    return matrices_[matrix_numbers_[static_cast<std::size_t>(system)]];
  }

  bool keeps_bounds_;
  double tolerance_, volume_norm_;
  linalg::Symmetry symmetry_;
  Unknowns<Dim> cells_;
  std::shared_ptr<const linalg::CsrPattern<Space>> cell_pattern_;
  bool keeps_diagonal_;                      // for a preconditioner that divides by it
  std::vector<SharedMatrix> matrices_;       // built when first asked for
  std::vector<std::size_t> matrix_numbers_;  // of each system, in matrices_
};

}  // namespace hodge::sim
