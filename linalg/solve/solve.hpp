// Solves A x = b with a configured method, preconditioner and fallback chain.
//
//   LinearSolver<Cuda> solver(settings, rows);          // allocates
//   SolveReport report = solver.solve(A, b, x);         // x: starting guess in, solution out
//
// Stopping rule: ||b - A x||_2 <= max(tolerance ||b||_2, absolute_tolerance), by the true residual,
// which is computed after every pass of a method. If the recurrence of a method converges but the
// true residual does not, the method is restarted from the true residual; passes that gain nothing
// end as `stagnated`. A residual that is rounding, though above the target, counts as converged
// (rounding.hpp); the report says so. After a failure the next method of the chain starts from the
// x of the failed one, or from that method's start if its x is worse. A failure is a report, never
// an exception.
//
// NullSpace::constant is for a singular A with A 1 = 0 and 1^T A = 0 (all-Neumann or periodic
// problems): the mean is subtracted from b, which need not be compatible, and from x.
//
// Norms square their entries. A system with ||b|| outside of 1e-60 .. 1e60 (float: 1e-15 .. 1e15)
// is therefore solved for b times a power of two, and one that fails with entries of A outside of
// 1e-30 .. 1e30 (float: 1e-12 .. 1e12) is solved again for A times a power of two (a copy of A, and
// a second LinearSolver for as long). No digit changes by that, and other systems are solved as
// given. `converged` is said of the x that is returned: if that x leaves the range of T, the report
// says so (Breakdown::beyond_range). A guess whose residual is above 1e30 ||b|| is replaced by
// zero.
//
// Rows that processes share (matrices/distribute.hpp): all processes call solve(), each with its
// own part of b and x, and have the same report, but for the times. Bits do not depend on the
// number of processes (processes/shared_rows.hpp), but on GPUs for `bicg` of a matrix that is not
// symmetric, which one GPU reads by rows and by columns in one pass. On a GPU they solve large
// systems together by cg, bicg, bicgstab and gmres (together.hpp); all others every process solves
// as a whole (whole_solve.hpp). What needs the whole matrix on each process is refused
// (refusal_of_sharing).
//
// One solver may serve several sequences of systems in turn (the components of a velocity); each
// has a number, SolveOptions::system. With refresh `every` they share one preconditioner, which is
// rebuilt at every change; otherwise (SolverSettings::refresh) each has its own. If a method fails
// with a preconditioner that is older than A's values, the preconditioner is rebuilt and the method
// tried once more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linalg/matrices/transpose.hpp"
#include "linalg/settings/settings.hpp"
#include "linalg/solve/kept_preconditioner.hpp"
#include "linalg/solve/registry.hpp"
#include "linalg/solve/solve_report.hpp"
#include "linalg/solve/whole_solve.hpp"
#include "linalg/solvers/solver.hpp"

namespace hodge::linalg {

// A second stopping rule: max_i |weight_i r_i| <= limit, r = b - A x. A solve ends when either rule
// is met; with `tolerance` 0 only this one counts. With a limit of 0 the maximum is only reported.
template <class Space>
struct MaximumRule {
  const Vector<Space, double>* weights = nullptr;  // > 0
  double least_weight = 0;                         // min_i weight_i, of all processes
  double limit = 0;
};

struct SolveOptions {
  NullSpace null_space = NullSpace::none;
  Changed changed = Changed::pattern;          // since the last solve of this `system`
  std::optional<double> absolute_tolerance{};  // replaces that of the settings
  int system = 0;                              // the number of the sequence
  // Of each method after its set-up: it then ends as max_seconds, as by the limit of the settings.
  std::optional<double> most_seconds{};
};

template <class Space, class T = double>
class LinearSolver {
 public:
  // Throws ConfigError for unknown names and values out of range, before anything is allocated.
  // With Choices::kept a continued sequence has the same bits where the values of A change, too;
  // all systems of the solver then have one pattern, or the first and the last system have.
  LinearSolver(const SolverSettings& settings, int max_rows, int systems = 1,
               Choices choices = Choices::forgotten);

  SolveReport solve(const LinearOperator<Space, T>& a, const Vector<Space, T>& b,
                    Vector<Space, T>& x, const SolveOptions& options = {},
                    const MaximumRule<Space>* maximum = nullptr);

  // b - A x of the last solve and its x; with NullSpace::constant without its mean.
  const Vector<Space, T>& last_residual() const { return r_; }

  // The state that later solves depend on, for checkpoints: visit(name, Vector<Space, T>&), which
  // may resize the vector, visit(name, number&, least, most). With refresh `every` only choices.
  template <class Visitor>
  void for_each_state(Visitor&& visit) {
    if (kept_values(settings_, choices_).count() == 0) return;
    if (whole_) whole_->hand_state_to(preconditioners_);
    for (std::size_t i = 0; i < preconditioners_.size(); ++i)
      preconditioners_[i].for_each_state([&](const std::string& name, auto& value, auto... bounds) {
        visit("preconditioner_" + std::to_string(i) + "_" + name, value, bounds...);
      });
  }
  // One, or one per system.
  std::span<KeptPreconditioner<Space, T>> kept_preconditioners() { return preconditioners_; }

 private:
  // What has changed in A since a part of the solver last saw it.
  class Staleness {
   public:
    void add(Changed changed) { state_ = std::min(state_, changed); }
    Changed take() { return std::exchange(state_, Changed::nothing); }

   private:
    Changed state_ = Changed::pattern;
  };

  // The arguments of one solve, and its report.
  struct Task {
    LinearSystem<Space, T> system;
    Vector<Space, T>& x;
    const SolveOptions& options;
    const MaximumRule<Space>* maximum;
    SolveReport& report;
    bool is_solved() const;  // by the true residual
  };

  // The arguments of solve().
  struct Arguments {
    const LinearOperator<Space, T>& a;
    const Vector<Space, T>& b;
    Vector<Space, T>& x;
    const SolveOptions& options;
    const MaximumRule<Space>* maximum;
  };
  // A 2^-matrix x' = b 2^-right_side, x = x' 2^(right_side - matrix).
  struct Powers {
    int matrix = 0, right_side = 0;
  };

  // scaled_solve.cpp
  int power_of_right_side(const Arguments& arguments, double rhs_norm);
  SolveReport solve_scaled(const Arguments& arguments, Powers powers);
  SolveReport solve_with_scaled_entries(const Arguments& arguments, Powers powers);
  void judge_unscaled(const Task& task, int power_of_x);

  // ||b|| and, where it comes with that, ||b - A x||, without what lies in the null space.
  struct StartNorms {
    double rhs;
    std::optional<double> residual{};
  };
  bool is_solved_together(const LinearOperator<Space, T>& a);
  StartNorms start_norms(const Arguments& arguments);
  SolveReport solve_as_given(const Arguments& arguments, const StartNorms& norms);
  Solver<Space, T>& method(std::size_t link, int rows);
  void resize(int rows);
  KeptPreconditioner<Space, T>& preconditioner(int system);
  void note_change(const LinearOperator<Space, T>& a, const SolveOptions& options);
  bool is_made(const PreconditionerFailure& failure, Preconditioner<Space, T>& preconditioner,
               SolveReport& report) const;
  void measure_maximum(const Task& task);
  void measure(const Task& task);
  bool is_solved_to_rounding(const Task& task);
  const LinearOperator<Space, T>* transpose(const LinearOperator<Space, T>& a,
                                            const std::string& method);
  void start(Task& task, std::optional<double> residual);
  void run_chain(Task& task, KeptPreconditioner<Space, T>& preconditioner);
  SolveAttempt attempt(Task& task, std::size_t link);
  void iterate(Task& task, Solver<Space, T>& solver, SolveAttempt& attempt);
  MonitorState pass(Task& task, Solver<Space, T>& solver, const SolveAttempt& attempt);

  SolverSettings settings_;
  int systems_;
  Choices choices_;
  std::vector<std::string> chain_;                          // the method, then its fallbacks
  std::vector<std::unique_ptr<Solver<Space, T>>> methods_;  // a fallback is made when first needed
  std::vector<KeptPreconditioner<Space, T>> preconditioners_;  // one, or one per system
  OperatorIdentity seen_;                                      // of the last solve
  int last_system_ = 0;
  std::vector<Staleness> stale_methods_;
  std::unique_ptr<TransposedCsr<Space, T>> transposed_;  // made when a method first needs A^T
  std::optional<TransposedDiagonals<Space, T>> implicit_transpose_;  // or this instead
  Staleness stale_transpose_, stale_preconditioner_;  // the latter if all systems share one
  Monitor<Space> monitor_;
  Vector<Space, T> r_;
  Vector<Space, T> scaled_b_;       // of a system whose norms would leave the range of double
  Buffer<double, Space> sizes_{2};  // scratch of largest_size
  std::unique_ptr<WholeSolve<Space, T>> whole_;  // of shared rows on a GPU
  Vector<Space, T> good_x_;  // x at the start of an attempt, restored if the attempt makes x worse
};

// Throws ConfigError for a name or a value that LinearSolver would refuse.
void check(const SolverSettings& settings);

// A dense factorisation of more unknowns takes minutes and gigabytes.
inline constexpr int largest_dense = 5000;

// Why processes that share so many rows cannot solve by these settings, and what to take instead:
// each of them would have to do the whole work. Empty: they can.
std::string refusal_of_sharing(const SolverSettings& settings, std::int64_t rows);

// Whether a LinearSolver keeps A^T as a second matrix for a method of its chain.
bool stores_transpose(const SolverSettings& settings, const std::string& method,
                      const SystemSize& size);

// Bytes that a LinearSolver holds for `systems` sequences of this size, without fallbacks and
// without the copies of a system that has to be scaled.
std::size_t solver_memory(const SolverSettings& settings, const SystemSize& size, int systems = 1,
                          Choices choices = Choices::forgotten);

}  // namespace hodge::linalg
