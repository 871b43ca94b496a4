// What the starting guess saves: the configured solver starts from each kind of guess that can be
// made of the solutions before (time/starting_guess.hpp), and from the one that the run takes.
//
// Records the solution of every step; memory: starting_guess.hpp, and one vector.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/lap_timer.hpp"
#include "sim/compare/compared_system.hpp"
#include "sim/compare/measure.hpp"
#include "sim/time/solve_observer.hpp"

namespace hodge::sim {

template <class Space>
class GuessComparison {
 public:
  using Vector = linalg::Vector<Space>;

  // x of a system that has been solved.
  void record(const ObservedSystem<Space>& system) {
    if (system.moment) sequence(system).record(system.matrix, system.x, *system.moment);
  }

  // `measured` has the system's rules; x is scratch.
  std::vector<ComparedGuess> compare(const ObservedSystem<Space>& system,
                                     const MeasuredSystem<Space>& measured,
                                     const SystemSettings& settings, Vector& x) {
    std::vector<ComparedGuess> guesses;
    if (!system.moment) return guesses;
    guess_.resize(system.matrix.rows());
    linalg::LinearSolver<Space> solver(settings, system.matrix.rows());
    for (const GuessEntry& entry : guess_table()) {
      const bool of_the_run = entry.name == settings.guess;
      if (entry.kind == GuessKind::scheme && !of_the_run) continue;
      ComparedGuess guess;
      guess.guess = entry.name;
      guess.configured = of_the_run;
      LapTimer<Space> timer;
      if (of_the_run)
        guess_ = system.x;
      else
        sequence(system).make(entry.kind, system.matrix, system.right_side, *system.moment, guess_);
      if (!of_the_run) guess.make_seconds = timer.lap();
      guess.report =
          measure_solve<Space>(solver, measured, x, [&](Vector& start) { start = guess_; }).report;
      guess.seconds = guess.report.solve_seconds;
      guesses.push_back(std::move(guess));
    }
    return guesses;
  }

 private:
  StartingGuess<Space>& sequence(const ObservedSystem<Space>& system) {
    auto& sequence = sequences_[system.name];
    const GuessPlan plan{
        {GuessKind::zero, GuessKind::previous, GuessKind::extrapolated, GuessKind::projected},
        system.matrix_is_constant ? Projection::energy : Projection::residual};
    if (!sequence) sequence = std::make_unique<StartingGuess<Space>>(plan, system.matrix.rows());
    return *sequence;
  }

  std::map<std::string, std::unique_ptr<StartingGuess<Space>>> sequences_;
  Vector guess_;
};

// What rebuilding the preconditioner is worth: the configured solver with the preconditioner of the
// first compared step. Only for matrices that change.
template <class Space>
class RefreshComparison {
 public:
  KeptPreconditioner compare(const ObservedSystem<Space>& system, MeasuredSystem<Space> measured,
                             SystemSettings settings, long step, linalg::Vector<Space>& x) {
    Kept& kept = solvers_[system.name];
    const bool first = kept.solver == nullptr;
    if (first) {
      settings.refresh = "never";
      settings.fallback.clear();
      kept.solver = std::make_unique<linalg::LinearSolver<Space>>(settings, system.matrix.rows());
      kept.made_in_step = step;
    }
    measured.options.changed = first ? linalg::Changed::pattern : linalg::Changed::values;
    measured.again = linalg::Changed::values;
    KeptPreconditioner outcome;
    outcome.made_in_step = kept.made_in_step;
    outcome.report = measure_solve<Space>(*kept.solver, measured, x, [&](auto& start) {
                       start = system.x;
                     }).report;
    outcome.seconds = first ? total_seconds(outcome.report) : outcome.report.solve_seconds;
    return outcome;
  }

 private:
  struct Kept {
    std::unique_ptr<linalg::LinearSolver<Space>> solver;
    long made_in_step = 0;
  };
  std::map<std::string, Kept> solvers_;
};

}  // namespace hodge::sim
