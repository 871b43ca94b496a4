// Solves transport equations for velocity components or scalars, one after the other with one
// linear solver: A delta = b - A q^n for the increment, then q = q^n + delta. So the tolerance is
// one on what a step changes, and starting guesses are guesses of the increment.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "linalg/solve/solve.hpp"
#include "sim/base/lap_timer.hpp"
#include "sim/discrete/assembly/balance.hpp"
#include "sim/discrete/assembly/transfer.hpp"
#include "sim/discrete/assembly/transport.hpp"
#include "sim/time/solve_observer.hpp"
#include "sim/time/starting_guess.hpp"
#include "sim/time/step_report.hpp"
#include "sim/time/workspace.hpp"

namespace hodge::sim {

// Which of the solver's systems is solved, and for what moment.
struct TransportSolve {
  std::string name;  // for the report
  int system;        // its number: a component, or a scalar
  double time;       // of the new level
};

// Whether the sum of all rows, the balance of q over the box, holds to rounding (balance.hpp) or to
// the solver's tolerance.
enum class SumOfRows { exact, within_tolerance };

template <int Dim, class Space>
class TransportSolver {
 public:
  // settings.absolute_tolerance: root mean square of an error in q, [q], that may remain.
  // `rows` has an entry a system.
  TransportSolver(const SystemSettings& settings, const DeviceGrid<Dim, Space>& grid,
                  const std::vector<int>& rows, SumOfRows sum_of_rows = SumOfRows::within_tolerance)
      : sum_of_rows_(sum_of_rows),
        tolerance_(settings.absolute_tolerance),
        volume_norm_(grid.volume_norm()),
        guess_(guess_kind(settings.guess)),
        solver_(settings, *std::max_element(rows.begin(), rows.end()),
                static_cast<int>(rows.size())),
        seen_(rows.size(), false) {
    assembled_.reserve(rows.size());
    const GuessPlan plan{{guess_}, Projection::residual, settings.guess_vectors};
    for (const int n : rows) guesses_.emplace_back(plan, n);
  }

  // Shown every system before it is solved; null: none.
  void observe(SolveObserver<Space>* observer, SystemKind kind) {
    hook_.set(observer);
    kind_ = kind;
  }

  // q, ghosts not filled. False where the solve failed; the report's last summary says how.
  // `scheme_guess`: the q that the time scheme would start from.
  bool solve(const TransportSolve& what, const TransportEquation<Dim>& equation,
             const Unknowns<Dim>& unknowns, linalg::CsrMatrix<Space>& matrix,
             const Field<Dim, Space>& scheme_guess, Field<Dim, Space>& q, Workspace<Space>& work,
             StepReport& report) {
    LapTimer<Space> timer;
    work.resize(matrix.rows());
    GatheredGuess<Dim> gathered;
    if (guess_ == GuessKind::scheme) gathered = {scheme_guess.view(), work.solution.data()};
    const bool keeps = equation.keeps_matrix || has_values_of(matrix, constant_matrix(equation));
    const MatrixValues values = keeps ? MatrixValues::keep : MatrixValues::refresh;
    assemble_transport(equation, unknowns, matrix, work.right_side, gathered, values);
    report.assembly_seconds += timer.lap();

    const auto system = static_cast<std::size_t>(what.system);
    // delta / dt is smooth, and is that of the middle of the step.
    const Moment at{what.time - 0.5 * equation.dt, equation.dt};
    if (guess_ != GuessKind::scheme)
      guesses_[system].make(guess_, matrix, work.right_side, at, work.solution);
    linalg::SolveOptions options;
    options.changed = equation.keeps_matrix ? linalg::Changed::nothing
                      : seen_[system]       ? linalg::Changed::values
                                            : linalg::Changed::pattern;
    options.absolute_tolerance = tolerance_ * volume_norm_ * equation.weights.a0 / equation.dt;
    options.system = what.system;
    seen_[system] = true;
    const auto observed = [&] {
      return ObservedSystem<Space>{
          what.name, kind_, matrix, work.right_side, work.solution, options, nullptr, at, false};
    };
    double seconds = 0;
    hook_.before(observed, timer, seconds, report);
    linalg::SolveReport solve = solver_.solve(matrix, work.right_side, work.solution, options);
    if (solve.converged() && sum_of_rows_ == SumOfRows::exact)
      balance(matrix, solver_.last_residual(), work.solution);
    if (solve.converged()) hook_.after(observed, timer, seconds, report);
    if (solve.converged()) guesses_[system].record(matrix, work.solution, at);
    scatter_increment(unknowns, equation.old_level, work.solution, q);
    seconds += timer.lap();
    report.transport_seconds += seconds;
    report.solves.push_back({what.name, solve.iterations, seconds, std::move(solve)});
    return report.solves.back().report.converged();
  }

  // What solves leave to those after them (starting_guess.hpp, linalg/solve/solve.hpp).
  template <class Visitor>
  void for_each_state(Visitor&& visit) {
    solver_.for_each_state(visit);
    for (std::size_t i = 0; i < guesses_.size(); ++i)
      guesses_[i].for_each_state([&](const std::string& name, auto& value) {
        visit("guess_" + std::to_string(i) + "_" + name, value);
      });
  }

 private:
  // What a matrix has been assembled of; none where it is another in every step.
  struct Assembled {
    const linalg::CsrMatrix<Space>* matrix;
    std::optional<MatrixContent> content;
  };

  // Whether the matrix has these values already; it is going to have them.
  bool has_values_of(const linalg::CsrMatrix<Space>& matrix,
                     const std::optional<MatrixContent>& content) {
    for (Assembled& known : assembled_)
      if (known.matrix == &matrix) {
        const bool same = content && known.content == content;
        known.content = content;
        return same;
      }
    assembled_.push_back({&matrix, content});
    return false;
  }

  SumOfRows sum_of_rows_;
  double tolerance_, volume_norm_;
  GuessKind guess_;
  linalg::LinearSolver<Space> solver_;
  std::vector<bool> seen_;  // each system, by the solver
  std::vector<Assembled> assembled_;
  std::vector<StartingGuess<Space>> guesses_;
  ObserverHook<Space> hook_;
  SystemKind kind_ = SystemKind::transport;
};

}  // namespace hodge::sim
