// Watches one pass of an iterative method: convergence, breakdowns, the residual history.
//
// The tests run in the space (space/monitor_state.hpp); the host sees their results a few
// iterations later in shared memory. running() waits only so that at most Space::queue_depth
// iterations are queued ahead; the guard makes iterations after the end leave everything as it was.
// Iteration counts and results do not depend on the depth, except when the time runs out: then the
// host, by its own clock, queues no more.
//
// Processes that share the rows have to queue the same number of iterations, as each of them sends
// messages, and their hosts do not see the end at the same time. They all go on until the end lies
// before the iterations that may still be unfinished: what a process sees earlier is not used. The
// guard does not hold messages back, so iterations beyond the end cost time there: queued ahead are
// as many as the pass before took, and from then on one for each iterations_for_one_ahead that this
// pass has taken.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "linalg/processes/agree.hpp"
#include "linalg/vectors/vector.hpp"

namespace hodge::linalg {

// Mean factors by which the residual falls per iteration; 0 without iterations.
struct ConvergenceRates {
  double mean = 0;  // over the whole history
  double last = 0;  // over its last ten iterations
};

inline ConvergenceRates convergence_rates(std::span<const double> history) {
  const auto rate = [&](std::size_t iterations) {
    if (iterations == 0) return 0.0;
    const double before = history[history.size() - 1 - iterations];
    const double ratio = before > 0.0 ? history.back() / before : 0.0;
    return std::pow(ratio, 1.0 / static_cast<double>(iterations));
  };
  if (history.empty()) return {};
  const std::size_t all = history.size() - 1;
  return {rate(all), rate(std::min<std::size_t>(all, 10))};
}

template <class Space>
class Monitor {
 public:
  static constexpr int iterations_for_one_ahead = 16;

  explicit Monitor(int max_iterations)
      : state_(1), history_(static_cast<std::size_t>(max_iterations) + 1) {}

  // Starts a pass at residual norm `residual` after `iterations` of the solve, and sets the guard.
  void start(double residual, double target, int iterations, int max_iterations,
             const MaximumWatch& watch = {}) {
    watch_ = watch;
    target_ = target;
    max_iterations_ = max_iterations;
    start_stage(residual, target, iterations);
  }
  // For a method that corrects its residual during a pass: goes on from another residual norm, and
  // halts as converged at max(target(), stage_target).
  void resume(double residual, double stage_target) {
    start_stage(residual, std::max(target_, stage_target), iterations());
  }
  double target() const { return target_; }  // of the pass

  // Limits the time of all passes from now on; nothing: to no time.
  void end_after(std::optional<double> seconds) {
    end_.reset();
    if (seconds) end_within(*seconds);
  }
  // The same where that is earlier than the end so far.
  void end_within(double seconds) {
    const EndOfTime end = Clock::now() + std::chrono::duration<double>(seconds);
    end_ = end_ ? std::min(*end_, end) : end;
  }
  // By the clock of process 0, where processes share the rows.
  bool is_out_of_time() const {
    return end_ && of_first_process(shared_rows(), Clock::now() >= *end_);
  }

  // Waits until at most `ahead` queued iterations are unfinished; true if another is needed.
  bool running(int ahead = Space::queue_depth) {
    const bool is_shared = shared_rows().is_shared();
    if (is_shared) ahead = std::min(ahead, ahead_of_processes(queued_ - first_of_stage_));
    // A test behind the end of an iteration may still halt: with nothing ahead all is waited for.
    if (is_shared && ahead == 0)
      Space::synchronize();
    else
      Space::wait_for_progress(&mirror_->iterations, queued_ - ahead, &mirror_->halted);
    const bool halted = has_halted(ahead);
    if (halted) expected_ = mirror_->halted_at - first_of_stage_;
    return !halted && !is_out_of_time();
  }
  // For iterations that were queued without iteration(): replayed ones, or many in one kernel.
  void count_queued(int iterations = 1) { queued_ += iterations; }
  int iterations() const { return mirror_->iterations; }  // that are finished
  // For kernels that run the monitor's tests themselves.
  MonitorState* state_in_space() { return state_.data(); }
  bool watches_maximum() const { return watch_.limit > 0; }
  const MaximumWatch& watch() const { return watch_; }

  // Ends an iteration with a new residual; `residual_squared` is its norm squared.
  template <class T>
  void iteration(const Scalar<Space>& residual_squared, const Vector<Space, T>& residual) {
    iteration(residual_squared);
    if (watches_maximum())
      Space::monitor_maximum(state_.data(), residual.size(), residual.data(), watch_);
  }
  // `residual` in some rows, with the weights of these; it is 0 in the others.
  template <class T>
  void iteration(const Scalar<Space>& residual_squared, const Vector<Space, T>& residual,
                 const Vector<Space, double>& weights) {
    iteration(residual_squared);
    if (!watches_maximum()) return;
    MaximumWatch watch = watch_;
    watch.weights = weights.data();
    Space::monitor_maximum(state_.data(), residual.size(), residual.data(), watch);
  }
  void iteration(const Scalar<Space>& residual_squared) {
    Space::run({.kind = Kind::iteration, .in = {residual_squared.data()}}, state_.data());
    ++queued_;
  }
  // Ends an iteration of gmres: appends `column` to the least-squares problem, which gives the norm
  // of the new residual.
  void iteration(const LeastSquares& system, int column) {
    Space::extend_least_squares(system, column, state_.data());
    ++queued_;
  }

  // The dot product `value` = x . y must be positive, and not negligible beside sqrt(a b), with
  // a = x . x and b = y . y.
  void require_positive(const Scalar<Space>& value, const Scalar<Space>& a, const Scalar<Space>& b,
                        Breakdown otherwise) {
    require(value, a, b, otherwise, true);
  }
  // The same for |value|.
  void require_not_negligible(const Scalar<Space>& value, const Scalar<Space>& a,
                              const Scalar<Space>& b, Breakdown otherwise) {
    require(value, a, b, otherwise, false);
  }
  // (t.s) / (t.t), or 0 where ||s|| already meets the target.
  Scalar<Space> minimal_residual_step(const Scalar<Space>& ts, const Scalar<Space>& tt,
                                      const Scalar<Space>& ss) {
    Scalar<Space> omega;
    Space::run(
        {.kind = Kind::step_length, .in = {ts.data(), tt.data(), ss.data()}, .out = omega.data()},
        state_.data());
    return omega;
  }

  // Ends the pass: removes the guard, so that later work is done again.
  void stop() { Space::set_guard(nullptr); }

  MonitorState state() const {
    MonitorState host{};
    Space::download(state_.data(), &host, sizeof host);
    return host;
  }
  std::vector<double> history(int iterations) const {
    std::vector<double> host(static_cast<std::size_t>(iterations) + 1);
    Space::download(history_.data(), host.data(), sizeof(double) * host.size());
    return host;
  }

 private:
  using Kind = ScalarOperation::Kind;

  int ahead_of_processes(int taken) const {
    return std::max(expected_ - taken, taken / iterations_for_one_ahead);
  }
  // As far as all processes know of which at most `ahead` iterations are unfinished.
  bool has_halted(int ahead) const {
    if (mirror_->halted == 0) return false;
    return ahead == 0 || !shared_rows().is_shared() || mirror_->halted_at < queued_ - ahead;
  }
  void start_stage(double residual, double target, int iterations) {
    mirror_->halted = 0;
    mirror_->iterations = iterations;
    queued_ = first_of_stage_ = iterations;
    MonitorState state{};
    state.iterations = iterations;
    state.max_iterations = max_iterations_;
    state.target = target;
    state.residual = residual;
    state.history = history_.data();
    state.mirror = mirror_.get();
    Space::start_monitor(state_.data(), state);
    Space::set_guard(&state_.data()->halted);
  }
  void require(const Scalar<Space>& value, const Scalar<Space>& a, const Scalar<Space>& b,
               Breakdown otherwise, bool positive) {
    Space::run({.kind = Kind::require,
                .otherwise = otherwise,
                .positive = positive,
                .in = {value.data(), a.data(), b.data()}},
               state_.data());
  }

  using Clock = std::chrono::steady_clock;
  // In floating point: the clock's own whole nanoseconds overflow after 292 years.
  using EndOfTime = std::chrono::time_point<Clock, std::chrono::duration<double, std::nano>>;

  Buffer<MonitorState, Space> state_;
  Buffer<double, Space> history_;
  Shared<MonitorMirror, Space> mirror_;
  int queued_ = 0, first_of_stage_ = 0, max_iterations_ = 0;
  int expected_ = 0;  // iterations of a stage: those of the last one
  double target_ = 0;
  MaximumWatch watch_;
  std::optional<EndOfTime> end_;
};

}  // namespace hodge::linalg
