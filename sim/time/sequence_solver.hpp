// One linear solver for systems that come again in every step: a sequence in time for each of them,
// with its starting guesses (starting_guess.hpp), and an observer that sees every solve. What the
// solvers of the pressure and of transport have in common.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "linalg/solve/solve.hpp"
#include "linalg/vectors/vector.hpp"
#include "sim/base/lap_timer.hpp"
#include "sim/base/state_visitor.hpp"
#include "sim/time/solve_observer.hpp"
#include "sim/time/starting_guess.hpp"
#include "sim/time/step_report.hpp"

namespace hodge::sim {

// Right side and solution of whichever system is being solved; all systems of a simulation share
// them.
template <class Space>
struct Workspace {
  linalg::Vector<Space> right_side, solution;

  // No allocation once `rows` has been as large before.
  void resize(int rows) {
    right_side.resize(rows);
    solution.resize(rows);
  }
};

template <class Space>
class SequenceSolver {
 public:
  // To be followed by add_sequence() for each. `state_of` is added to what the solver's state is
  // known by. `choices`: linalg/solve/solve.hpp.
  SequenceSolver(const SystemSettings& settings, Projection projection, int most_rows,
                 std::size_t sequences, linalg::Choices choices, const std::string& state_of = "")
      : guess_(guess_kind(settings.guess)),
        plan_{{guess_}, projection, settings.guess_vectors},
        identity_(identity(settings) + state_of +
                  (linalg::kept_values(settings, choices).of_choice ? " choices" : "")),
        solver_(settings, most_rows, static_cast<int>(sequences), choices) {}

  void add_sequence(int rows) { guesses_.emplace_back(plan_, rows); }

  bool takes_guess_of_scheme() const { return guess_ == GuessKind::scheme; }
  const linalg::Vector<Space>& last_residual() const { return solver_.last_residual(); }

  // Shown every system before it is solved; null: none. Without one there is no cost.
  void observe(SolveObserver<Space>* observer) { observer_ = observer; }

  // Solves a system whose right side and solution are those of `work`, from what is in the solution
  // where the scheme makes the guess or the system belongs to no sequence. refine() follows a solve
  // that has converged, finish() every solve. The observer's seconds are kept apart from the
  // solver's, which are added to report.*seconds_of. False where the solve failed; the report's
  // last summary says how.
  template <class Refine, class Finish>
  bool solve(const ObservedSystem<Space>& system, Workspace<Space>& work, LapTimer<Space>& timer,
             double StepReport::*seconds_of, StepReport& report, const Refine& refine,
             const Finish& finish) {
    const linalg::SharingRows sums(system.matrix.shared_rows());
    const bool in_sequence = system.moment && !takes_guess_of_scheme();
    StartingGuess<Space>& guess = guesses_[static_cast<std::size_t>(system.options.system)];
    if (in_sequence)
      guess.make(guess_, system.matrix, work.right_side, *system.moment, work.solution);
    double seconds = 0;
    const auto tell = [&](auto event) {
      if (observer_ == nullptr) return;
      seconds += timer.lap();
      (observer_->*event)(system);
      report.comparison_seconds += timer.lap();
    };
    tell(&SolveObserver<Space>::before_solve);
    linalg::SolveReport solve = solver_.solve(system.matrix, work.right_side, work.solution,
                                              system.options, system.maximum);
    if (solve.converged()) {
      refine();
      tell(&SolveObserver<Space>::after_solve);
      if (in_sequence) guess.record(system.matrix, work.solution, *system.moment);
    }
    finish();
    seconds += timer.lap();
    report.*seconds_of += seconds;
    report.solves.push_back({system.name, solve.iterations, seconds, std::move(solve)});
    return report.solves.back().report.converged();
  }

  void visit_state(StateVisitor& visitor, const std::string& name) {
    visit_solver(visitor, name, identity_, *this);
  }
  // What solves leave to those after them (starting_guess.hpp, linalg/solve/solve.hpp). The guesses
  // of the pressure, the one system whose matrix is constant, have no number.
  template <class Visitor>
  void for_each_state(Visitor&& visit) {
    solver_.for_each_state(visit);
    for (std::size_t i = 0; i < guesses_.size(); ++i)
      guesses_[i].for_each_state([&](const std::string& name, auto& value, auto... bounds) {
        const bool numbered = plan_.projection == Projection::residual;
        visit("guess_" + (numbered ? std::to_string(i) + "_" : "") + name, value, bounds...);
      });
  }

 private:
  GuessKind guess_;
  GuessPlan plan_;
  std::string identity_;
  linalg::LinearSolver<Space> solver_;
  std::vector<StartingGuess<Space>> guesses_;
  SolveObserver<Space>* observer_ = nullptr;
};

}  // namespace hodge::sim
