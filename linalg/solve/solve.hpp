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
//
// One solver may serve several sequences of systems in turn (the components of a velocity): each
// has a number, SolveOptions::system. They share one preconditioner that is made anew at every
// change; where it is kept longer (SolverSettings::refresh) each has its own. A preconditioner that
// is older than A's values when a method fails is made anew, and the method tried once more.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "linalg/matrices/transpose.hpp"
#include "linalg/settings/settings.hpp"
#include "linalg/solve/kept_preconditioner.hpp"
#include "linalg/solve/registry.hpp"
#include "linalg/solve/solve_report.hpp"
#include "linalg/solvers/solver.hpp"

namespace hodge::linalg {

// Another stopping rule: max_i |weight_i r_i| <= limit, r = b - A x. It needs no ||r||_2; who wants
// it alone sets `tolerance` 0. A limit of 0 has the maximum reported and never met.
template <class Space>
struct MaximumRule {
  const Vector<Space, double>* weights = nullptr;  // > 0
  double least_weight = 0;                         // min_i weight_i
  double limit = 0;
};

struct SolveOptions {
  NullSpace null_space = NullSpace::none;
  Changed changed = Changed::pattern;          // since the last solve of this `system`
  std::optional<double> absolute_tolerance{};  // instead of the settings'
  int system = 0;                              // the number of its sequence
};

template <class Space, class T = double>
class LinearSolver {
 public:
  // Throws ConfigError for unknown names and values out of range, before anything is allocated.
  LinearSolver(const SolverSettings& settings, int max_rows, int systems = 1);

  SolveReport solve(const LinearOperator<Space, T>& a, const Vector<Space, T>& b,
                    Vector<Space, T>& x, const SolveOptions& options = {},
                    const MaximumRule<Space>* maximum = nullptr);

  // b - A x of the last solve and its x, without its mean with NullSpace::constant.
  const Vector<Space, T>& last_residual() const { return r_; }

  // What solves leave to those after them: visit(name, Vector<Space, T>&), which may resize it,
  // visit(name, long&), visit(name, double&). Nothing with refresh every.
  template <class Visitor>
  void for_each_state(Visitor&& visit) {
    if (settings_.refresh == "every") return;
    for (std::size_t i = 0; i < preconditioners_.size(); ++i)
      preconditioners_[i].for_each_state([&](const std::string& name, auto& value) {
        visit("preconditioner_" + std::to_string(i) + "_" + name, value);
      });
  }

 private:
  // What has changed in A since a part of the solver last saw it.
  class Staleness {
   public:
    void add(Changed changed) { state_ = std::min(state_, changed); }
    Changed take() { return std::exchange(state_, Changed::nothing); }

   private:
    Changed state_ = Changed::pattern;
  };

  // One solve: what it is asked for, and how it stands.
  struct Task {
    LinearSystem<Space, T> system;
    Vector<Space, T>& x;
    const SolveOptions& options;
    const MaximumRule<Space>* maximum;
    SolveReport& report;
    bool is_solved() const;  // by the true residual
  };

  Solver<Space, T>& method(std::size_t link, int rows);
  void resize(int rows);
  KeptPreconditioner<Space, T>& preconditioner(int system);
  void note_change(const LinearOperator<Space, T>& a, const SolveOptions& options);
  bool is_made(const PreconditionerFailure& failure, Preconditioner<Space, T>& preconditioner,
               SolveReport& report) const;
  void measure(const Task& task);
  const LinearOperator<Space, T>* transpose(const LinearOperator<Space, T>& a);
  void start(Task& task);
  void run_chain(Task& task, KeptPreconditioner<Space, T>& preconditioner);
  SolveAttempt attempt(Task& task, std::size_t link);
  void iterate(Task& task, Solver<Space, T>& solver, SolveAttempt& attempt);
  MonitorState pass(Task& task, Solver<Space, T>& solver, const SolveAttempt& attempt);

  SolverSettings settings_;
  std::vector<std::string> chain_;  // the method, then its fallbacks
  std::vector<std::unique_ptr<Solver<Space, T>>>
      methods_;  // a fallback is made when it is first needed
  std::vector<KeptPreconditioner<Space, T>> preconditioners_;  // one, or one a system
  const void* seen_pattern_ = nullptr;                         // of the last solve
  int last_system_ = 0;
  std::vector<Staleness> stale_methods_;
  std::unique_ptr<TransposedCsr<Space, T>> transposed_;  // made when a method asks for it
  Staleness stale_transpose_, stale_preconditioner_;     // the latter of a preconditioner for all
  Monitor<Space> monitor_;
  Vector<Space, T> r_;
  Vector<Space, T> good_x_;  // the start of an attempt, for one that makes x worse
};

// Throws ConfigError for a name or a value that LinearSolver would refuse.
void check(const SolverSettings& settings);

// Bytes that a LinearSolver holds for `systems` sequences of this size, without fallbacks.
std::size_t solver_memory(const SolverSettings& settings, const SystemSize& size, int systems = 1);

}  // namespace hodge::linalg
