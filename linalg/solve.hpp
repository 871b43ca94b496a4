// Solves A x = b with a configured method, preconditioner and fallback chain.
//
//   LinearSolver<Cuda> solver(settings, rows);          // allocates
//   SolveReport report = solver.solve(A, b, x);         // x: starting guess in, solution out
//
// Stopping: ||b - A x||_2 <= max(tolerance ||b||_2, absolute_tolerance), judged by the true
// residual, which is computed after every pass of a method. A method whose recurrence says
// `converged` while the true residual does not agree is restarted from it; passes that gain nothing
// end as `stagnated`. A method that fails hands its x to the next of the chain, if x is better than
// what it started from. A failure is a report, never an exception.
//
// NullSpace::constant is for a singular A with A 1 = 0 and 1^T A = 0 (all-Neumann or periodic
// problems): the mean is taken out of b and of the solution, so that b need not be exactly
// compatible.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "linalg/matrices/transpose.hpp"
#include "linalg/registry.hpp"
#include "linalg/settings.hpp"
#include "linalg/solve_report.hpp"
#include "linalg/solvers/solver.hpp"

namespace hodge::linalg {

struct SolveOptions {
  NullSpace null_space = NullSpace::none;
  Changed changed = Changed::pattern;
  std::optional<double> absolute_tolerance;  // instead of the settings'
};

template <class Space, class T = double>
class LinearSolver {
 public:
  // Throws ConfigError for unknown names and values out of range, before anything is allocated.
  LinearSolver(const SolverSettings& settings, int max_rows);

  SolveReport solve(const LinearOperator<Space, T>& a, const Vector<Space, T>& b,
                    Vector<Space, T>& x, const SolveOptions& options = {});

 private:
  // What has changed in A since a part of the solver last saw it.
  class Staleness {
   public:
    void add(Changed changed) { state_ = std::min(state_, changed); }
    Changed take() { return std::exchange(state_, Changed::nothing); }

   private:
    Changed state_ = Changed::pattern;
  };

  Solver<Space, T>& method(std::size_t link, int rows);
  void resize(int rows);
  bool update_preconditioner(const LinearOperator<Space, T>& a, Changed changed,
                             SolveReport& report);
  double true_residual(const LinearOperator<Space, T>& a, const Vector<Space, T>& b,
                       const Vector<Space, T>& x, NullSpace null_space);
  const LinearOperator<Space, T>* transpose(const LinearOperator<Space, T>& a);
  SolveAttempt attempt(LinearSystem<Space, T>& system, std::size_t link, Vector<Space, T>& x,
                       const SolveOptions& options, SolveReport& report);

  SolverSettings settings_;
  std::vector<std::string> chain_;  // the method, then its fallbacks
  std::vector<std::unique_ptr<Solver<Space, T>>>
      methods_;  // a fallback is made when it is first needed
  std::unique_ptr<Preconditioner<Space, T>> preconditioner_;
  std::vector<Staleness> stale_methods_;
  std::unique_ptr<TransposedCsr<Space, T>> transposed_;  // made when a method asks for it
  Staleness stale_transpose_;
  Monitor<Space> monitor_;
  Vector<Space, T> r_;
  Vector<Space, T> good_x_;  // the start of an attempt, for one that makes x worse
};

// Throws ConfigError for a name or a value that LinearSolver would refuse.
void check(const SolverSettings& settings);

// Bytes that a LinearSolver holds for systems of this size, without fallbacks.
std::size_t solver_memory(const SolverSettings& settings, const SystemSize& size);

}  // namespace hodge::linalg
