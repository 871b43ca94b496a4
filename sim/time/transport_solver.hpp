// Solves transport equations for velocity components or scalars, one after the other with one
// linear solver: A delta = b - A q^n for the increment, then q = q^n + delta. So the tolerance is
// one on what a step changes, and starting guesses are guesses of the increment.
//
// The sum of all rows, the balance of q over the box, holds to rounding for scalars (balance.hpp),
// else to the solver's tolerance. Systems with the same rows, those of all scalars or of the
// components in a periodic box, have one matrix in turn.
//
// With the method `direct`, of steps whose systems are separable
// (assembly/separable_transport.hpp), the transforms of linalg/direct/direct_solver.hpp solve them
// to rounding. A matrix is then built only where an observer compares solvers.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "linalg/direct/direct_solver.hpp"
#include "sim/discrete/assembly/balance.hpp"
#include "sim/discrete/assembly/transfer.hpp"
#include "sim/discrete/assembly/transport.hpp"
#include "sim/time/deferred_convection.hpp"
#include "sim/time/direct_solve.hpp"
#include "sim/time/sequence_solver.hpp"

namespace hodge::sim {

// Which of the solver's systems is solved, and for what moment.
struct TransportSolve {
  std::string name;     // for the report
  int system;           // its number: a component, or a scalar
  double time;          // of the new level
  double rounding = 0;  // norm of the right side that is rounding (rounding.hpp)
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
  bool keeps_bounds = false;  // a deferred part of convection is iterated closely
  // Each as a separable system, whose shift and factor come with the step; empty: none is one.
  std::vector<linalg::SeparableSystem> separable{};
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
        relative_tolerance_(settings.tolerance),
        symmetry_(systems.symmetry),
        cells_(systems.cells),
        cell_pattern_(systems.cell_pattern),
        keeps_diagonal_(linalg::find_preconditioner(settings.preconditioner.kind).by_elements) {
    for (const linalg::SeparableSystem& system : systems.separable)
      separable_.push_back(std::make_shared<linalg::SeparableSystem>(system));
    if (settings.method == "direct") {
      for (std::size_t system = 0; system < separable_.size(); ++system) add_direct(system);
      return;
    }
    // Earlier versions kept guesses of q itself.
    int most_rows = 0;
    for (const Unknowns<Dim>& unknowns : rows_)
      most_rows = std::max(most_rows, rows_of_system(unknowns).rows);
    solver_.emplace(settings, Projection::residual, most_rows, rows_.size(), choices(),
                    " increments");
    for (const Unknowns<Dim>& unknowns : rows_)
      solver_->add_sequence(rows_of_system(unknowns).rows);
    add_matrices();
  }

  bool is_direct() const { return !solver_; }
  bool keeps_bounds() const { return keeps_bounds_; }

  void observe(SolveObserver<Space>* observer) {
    observer_ = observer;
    if (solver_) solver_->observe(observer);
    if (observer != nullptr && matrices_.empty()) add_matrices();
  }

  const Unknowns<Dim>& unknowns(int system) const {
    return rows_[static_cast<std::size_t>(system)];
  }
  // When the iteration over the deferred part of convection has converged.
  DeferredRule deferred_rule(const TransportSolve& what,
                             const TransportEquation<Dim>& equation) const {
    const double error =
        least_residual(what, equation) * equation.dt / (volume_norm_ * equation.weights.a0);
    return {keeps_bounds_, error, total_rows(unknowns(what.system))};
  }
  linalg::CsrMatrix<Space>& matrix(int system) { return matrix_of(system).matrix; }

  // q, ghosts not filled. False where the solve failed; the report's last summary says how.
  // `scheme_guess`: the q that the time scheme would start from.
  bool solve(const TransportSolve& what, const TransportEquation<Dim>& equation,
             const Field<Dim, Space>& scheme_guess, Field<Dim, Space>& q, Workspace<Space>& work,
             StepReport& report) {
    LapTimer<Space> timer;
    const Unknowns<Dim>& points = unknowns(what.system);
    work.resize(rows_of_system(points).rows);
    const MatrixValues values = values_of_step(what.system, equation);
    write_rows(points, work.at_points, work.right_side, [&](Vector& b) {
      const auto assemble = [&](const GatheredGuess<Dim>& guess) {
        assemble_transport(equation, points, matrix(what.system), b, guess, values);
      };
      if (!takes_guess_of_scheme()) return assemble({});
      write_rows(points, work.guess_at_points, work.solution, [&](Vector& x) {
        assemble({scheme_guess.view(), x.data()});
      });
    });
    report.assembly_seconds += timer.lap();
    return solve_assembled(what, equation, q, work, timer, report);
  }

  // The same of an equation without implicit convection, whose right side at the own points is in
  // `work` already (assembly/right_sides.hpp).
  bool solve_for_right_side(const TransportSolve& what, const TransportEquation<Dim>& equation,
                            const ExtrapolatedGuess<Dim>& scheme_guess, Field<Dim, Space>& q,
                            Workspace<Space>& work, StepReport& report) {
    LapTimer<Space> timer;
    const Unknowns<Dim>& points = unknowns(what.system);
    Workspace<Space>& of_rows = points.moved != nullptr ? moved_ : work;
    if (points.moved != nullptr) {
      moved_.resize(rows_of_system(points).rows);
      moves_of<Dim, Space>(points).to_rows(work.right_side.data(), moved_.right_side.data());
    }
    if (takes_guess_of_scheme())
      write_rows(points, of_rows.at_points, of_rows.solution,
                 [&](Vector& x) { gather_change(points, scheme_guess, x); });
    if (!matrices_.empty()) refresh_matrix(what.system, equation);
    report.assembly_seconds += timer.lap();
    return solve_assembled(what, equation, q, of_rows, timer, report);
  }

  void visit_state(StateVisitor& visitor, const std::string& name) {
    if (solver_) solver_->visit_state(visitor, name);
  }

 private:
  using Vector = linalg::Vector<Space>;

  bool takes_guess_of_scheme() const { return solver_ && solver_->takes_guess_of_scheme(); }

  // What a solve need not reduce.
  double least_residual(const TransportSolve& what, const TransportEquation<Dim>& equation) const {
    const double asked = tolerance_ * volume_norm_ * equation.weights.a0 / equation.dt;
    return std::max(asked, keeps_bounds_ ? least_for_bounds(what.rounding) : what.rounding);
  }

  bool solve_assembled(const TransportSolve& what, const TransportEquation<Dim>& equation,
                       Field<Dim, Space>& q, Workspace<Space>& work, LapTimer<Space>& timer,
                       StepReport& report) {
    const Unknowns<Dim>& unknowns = rows_[static_cast<std::size_t>(what.system)];
    linalg::SolveOptions options;
    if (!matrices_.empty()) options.changed = change_of(matrix_of(what.system), equation);
    options.absolute_tolerance = least_residual(what, equation);
    options.system = what.system;
    const auto finish = [&] {
      read_rows(unknowns, work.solution, work.at_points,
                [&](const Vector& x) { scatter_increment(unknowns, equation.old_level, x, q); });
    };
    if (!solver_) return solve_by_transforms(what, equation, options, work, timer, report, finish);
    return solver_->solve(
        observed(what, equation, options, work), work, timer, &StepReport::transport_seconds,
        report,
        [&] {
          if (kind_ == SystemKind::scalars)
            balance(rows_of_system(unknowns), matrix(what.system), solver_->last_residual(),
                    work.solution);
        },
        finish);
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

  // A step whose first matrix is not the last one of the step before makes its preconditioners
  // anew.
  linalg::Choices choices() const {
    const bool shares = !rows_.empty() && same_rows(rows_.front(), rows_.back());
    return shares ? linalg::Choices::kept : linalg::Choices::forgotten;
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
  // Systems that are alike have one solver in turn; one without unknowns has none.
  void add_direct(std::size_t system) {
    direct_numbers_.push_back(direct_.size());
    if (separable_[system]->axes.empty()) return;
    for (std::size_t before = 0; before < system; ++before)
      if (separable_[before]->axes == separable_[system]->axes &&
          shared_alike(rows_[before], rows_[system])) {
        direct_numbers_.back() = direct_numbers_[before];
        return;
      }
    direct_.emplace_back(*separable_[system], shared_points(rows_[system]));
  }
  // Whether each process has the same rows of two systems that are alike.
  static bool shared_alike(const Unknowns<Dim>& a, const Unknowns<Dim>& b) {
    return a.among_processes == nullptr ||
           a.among_processes->blocks.has_the_rows_of(b.among_processes->blocks);
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
  static double diffusion_of_step(const TransportEquation<Dim>& equation) {
    return equation.implicit_diffusion * equation.transport.diffusivity;
  }

  // delta / dt is smooth, and is that of the middle of the step.
  ObservedSystem<Space> observed(const TransportSolve& what, const TransportEquation<Dim>& equation,
                                 const linalg::SolveOptions& options,
                                 const Workspace<Space>& work) {
    const Moment at{what.time - 0.5 * equation.dt, equation.dt};
    return {what.name, kind_, matrix(what.system), work.right_side, work.solution, options, nullptr,
            at,        false};
  }

  template <class Finish>
  bool solve_by_transforms(const TransportSolve& what, const TransportEquation<Dim>& equation,
                           const linalg::SolveOptions& options, Workspace<Space>& work,
                           LapTimer<Space>& timer, StepReport& report, const Finish& finish) {
    const auto tell = [&](auto event) {
      if (observer_ == nullptr) return;
      (observer_->*event)(observed(what, equation, options, work));
      report.comparison_seconds += timer.lap();
    };
    if (observer_ != nullptr) work.solution.fill(0.0);
    auto& solver = direct_[direct_numbers_[static_cast<std::size_t>(what.system)]];
    solver.set_shift(equation.weights.a0 / equation.dt, diffusion_of_step(equation));
    const auto solve = [&](const linalg::Vector<Space>& b, linalg::Vector<Space>& x) {
      solver.solve(b, x);
    };
    const linalg::SharingRows sums(shared_rows(unknowns(what.system)));
    return solve_directly(solve, {what.name, relative_tolerance_, *options.absolute_tolerance},
                          work, timer, &StepReport::transport_seconds, report, tell, finish);
  }

  SharedMatrix& matrix_of(int system) {
    return matrices_[matrix_numbers_[static_cast<std::size_t>(system)]];
  }

  SystemKind kind_;
  bool keeps_bounds_;
  std::vector<Unknowns<Dim>> rows_;
  double tolerance_, volume_norm_, relative_tolerance_;
  linalg::Symmetry symmetry_;
  Unknowns<Dim> cells_;
  std::shared_ptr<const linalg::CsrPattern<Space>> cell_pattern_;
  bool keeps_diagonal_;  // for a preconditioner that divides by it
  std::vector<std::shared_ptr<linalg::SeparableSystem>> separable_;  // of each system, or none
  std::optional<SequenceSolver<Space>> solver_;                      // this one, or
  std::vector<linalg::DirectSolver<Space>> direct_;                  // these
  std::vector<std::size_t> direct_numbers_;                          // of each system, in direct_
  std::vector<SharedMatrix> matrices_;                               // built when first asked for
  std::vector<std::size_t> matrix_numbers_;                          // of each system, in matrices_
  Workspace<Space> moved_;  // of systems whose right side is there before the solve
  SolveObserver<Space>* observer_ = nullptr;
};

}  // namespace hodge::sim
