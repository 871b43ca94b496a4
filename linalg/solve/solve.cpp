#include "linalg/solve/solve.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "linalg/base/timing.hpp"
#include "linalg/matrices/symmetry.hpp"
#include "linalg/solve/mean.hpp"
#include "linalg/solve/rounding.hpp"
#include "linalg/solve/together.hpp"
#include "linalg/space/instantiate.hpp"
#include "linalg/vectors/powers_of_two.hpp"

namespace hodge::linalg {

namespace {

// The target of the recurrence is a little lower, so that the true residual, which differs in the
// last digits, meets the target too.
constexpr double recurrence_margin = 0.99;
// A pass that leaves more than this fraction of the residual is useless; two end an attempt.
constexpr double least_gain = 0.999;
constexpr int useless_passes = 2;
// A guess whose residual is this many times b is replaced by zero, whose residual is b: rounding
// errors of the guess would hide b.
constexpr double worst_guess = 1e30;

// Whether a breakdown may disappear with a new Krylov space.
bool belongs_to_krylov_space(Breakdown breakdown) {
  return breakdown == Breakdown::rho_zero || breakdown == Breakdown::alpha_infinite ||
         breakdown == Breakdown::omega_zero || breakdown == Breakdown::shadow_step_zero ||
         breakdown == Breakdown::singular_krylov;
}

template <class Space, class T>
bool is_separable(const LinearOperator<Space, T>& a) {
  return a.csr() != nullptr && a.csr()->separable() != nullptr &&
         a.csr()->separable()->rows() == a.total_rows();
}

SolveAttempt& end_as(SolveAttempt& attempt, SolveStatus status,
                     Breakdown breakdown = Breakdown::none) {
  attempt.status = status;
  attempt.breakdown = breakdown;
  return attempt;
}

}  // namespace

template <class Space, class T>
LinearSolver<Space, T>::LinearSolver(const SolverSettings& settings, int max_rows, int systems,
                                     Choices choices)
    : settings_((check(settings), settings)),
      systems_(systems),
      choices_(choices),
      chain_{settings.method},
      monitor_(settings.max_iterations) {
  chain_.insert(chain_.end(), settings.fallback.begin(), settings.fallback.end());
  methods_.resize(chain_.size());
  stale_methods_.resize(chain_.size());
  const int kept = refresh_of(settings.refresh) == Refresh::every ? 1 : std::max(1, systems);
  for (int i = 0; i < kept; ++i) preconditioners_.emplace_back(settings_, choices);
  resize(max_rows);
  (void)method(0, max_rows);
}

// By methods that work on own rows.
template <class Space, class T>
bool LinearSolver<Space, T>::is_solved_together(const LinearOperator<Space, T>& a) {
  if (std::is_same_v<Space, Host>) return true;
  const bool any_direct =
      std::ranges::any_of(chain_, [](const std::string& name) { return find_solver(name).direct; });
  return a.csr() != nullptr && !any_direct && can_be_solved_together(a);
}

template <class Space, class T>
Solver<Space, T>& LinearSolver<Space, T>::method(std::size_t link, int rows) {
  auto& solver = methods_[link];
  try {
    if (!solver)
      solver = std::get<SolverMaker<Space, T>>(find_solver(chain_[link]).make)(settings_.options);
    solver->resize(rows);
  } catch (const MemoryError& error) {
    throw MemoryError((link > 0 ? "the fallback " : "the method ") + chain_[link] + " for " +
                      std::to_string(rows) + " unknowns: " + error.what());
  }
  return *solver;
}

template <class Space, class T>
void LinearSolver<Space, T>::resize(int rows) {
  r_.resize(rows);
  good_x_.resize(rows);
}

template <class Space, class T>
KeptPreconditioner<Space, T>& LinearSolver<Space, T>::preconditioner(int system) {
  if (preconditioners_.size() == 1) return preconditioners_[0];
  if (system >= 0 && system < static_cast<int>(preconditioners_.size()))
    return preconditioners_[static_cast<std::size_t>(system)];
  throw ShapeError("solve: system " + std::to_string(system) + " of a solver that was made for " +
                   std::to_string(preconditioners_.size()));
}

// Tells the methods, A^T and the preconditioner what has changed in A; the matrix of another system
// counts as new values.
template <class Space, class T>
void LinearSolver<Space, T>::note_change(const LinearOperator<Space, T>& a,
                                         const SolveOptions& options) {
  OperatorIdentity identity = identity_of(a);
  Changed changed = options.changed;
  if (options.system != last_system_) changed = std::min(changed, Changed::values);
  if (identity != seen_) changed = Changed::pattern;
  seen_ = std::move(identity);
  last_system_ = options.system;
  for (Staleness& method : stale_methods_) method.add(changed);
  stale_transpose_.add(changed);
  stale_preconditioner_.add(changed);
}

// False if M could not be made of A; the report then says why.
template <class Space, class T>
bool LinearSolver<Space, T>::is_made(const PreconditionerFailure& failure,
                                     Preconditioner<Space, T>& preconditioner,
                                     SolveReport& report) const {
  if (failure.reason == Breakdown::none) return true;
  report.status = SolveStatus::breakdown;
  report.breakdown = failure.reason;
  report.bad_row = failure.row;
  report.advice = preconditioner.advice(failure.reason);
  report.attempts.push_back({chain_[0], report.status, report.breakdown, 0, 0});
  return false;
}

template <class Space, class T>
bool LinearSolver<Space, T>::Task::is_solved() const {
  return report.true_residual <= std::max(report.target, report.rounding) ||
         (maximum != nullptr && report.maximum <= report.maximum_target);
}

// The norm of b comes with the pass over A that computes r_ = b - A x, unless means have to be
// removed.
template <class Space, class T>
typename LinearSolver<Space, T>::StartNorms LinearSolver<Space, T>::start_norms(
    const Arguments& arguments) {
  const auto& [a, b, x, options, maximum] = arguments;
  if (options.null_space != NullSpace::none) return {norm_without(options.null_space, b, r_)};
  const auto [br, bb, rr] = residual_and_dots(a, x, b, r_);
  return {std::sqrt(bb.to_host()), std::sqrt(rr.to_host())};
}

// Computes r = b - A x without its part in the null space, its norm, and its weighted maximum.
template <class Space, class T>
void LinearSolver<Space, T>::measure(const Task& task) {
  const auto& [a, transposed, m, b] = task.system;
  if (task.options.null_space == NullSpace::none) {
    const auto [br, bb, rr] = residual_and_dots(a, task.x, b, r_);
    task.report.true_residual = std::sqrt(rr.to_host());
  } else {
    residual(a, task.x, b, r_);
    remove_mean(r_);
    task.report.true_residual = norm(r_).to_host();
  }
  measure_maximum(task);
}

template <class Space, class T>
void LinearSolver<Space, T>::measure_maximum(const Task& task) {
  if (task.maximum == nullptr) return;
  Scalar<Space> largest;
  Space::weighted_maximum(r_.size(), r_.data(), task.maximum->weights->data(), largest.data());
  task.report.maximum = largest.to_host();
}

template <class Space, class T>
bool LinearSolver<Space, T>::is_solved_to_rounding(const Task& task) {
  const double level = norm_of_rounding(task.system.A, task.system.b, task.x, sizes_);
  if (!(task.report.true_residual <= level)) return false;
  task.report.rounding = level;
  return true;
}

template <class Space, class T>
SolveReport LinearSolver<Space, T>::solve_as_given(const Arguments& arguments,
                                                   const StartNorms& norms) {
  const auto& [a, b, x, options, maximum] = arguments;
  SolveReport report;
  KeptPreconditioner<Space, T>& kept = preconditioner(options.system);
  report.method = chain_[0];
  report.preconditioner = settings_.preconditioner.kind;
  report.preconditioner_settings = options_text(options_of(settings_.preconditioner));
  report.rhs_norm = norms.rhs;
  note_change(a, options);
  const Clock total_time;
  monitor_.end_after(settings_.max_seconds);
  const Changed changed =
      preconditioners_.size() == 1 ? stale_preconditioner_.take() : options.changed;
  if (!is_made(kept.update(a, changed), *kept, report)) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    report.initial_residual = report.recurrence_residual = report.true_residual = unknown;
    return report;
  }
  report.made = kept->made_text();
  if (!report.made.empty()) report.preconditioner_settings += ", " + report.made;
  report.preconditioner_age = kept.age();
  report.setup_seconds = total_time.seconds();

  Task task{{a, nullptr, *kept, b}, x, options, maximum, report};
  start(task, norms.residual);
  run_chain(task, kept);
  if (options.null_space == NullSpace::constant) remove_mean(x);
  Space::synchronize();
  report.solve_seconds = total_time.seconds() - report.setup_seconds;
  kept.solved(report.iterations, of_first_process(a.shared_rows(), report.solve_seconds));
  return report;
}

// `residual`: the norm of r_ = b - A x, where that has been computed.
template <class Space, class T>
void LinearSolver<Space, T>::start(Task& task, std::optional<double> residual) {
  SolveReport& report = task.report;
  const SolveOptions& options = task.options;
  report.target = std::max(settings_.tolerance * report.rhs_norm,
                           options.absolute_tolerance.value_or(settings_.absolute_tolerance));
  if (task.maximum != nullptr) report.maximum_target = task.maximum->limit;
  if (report.rhs_norm == 0.0) {
    task.x.fill(T(0));  // the solution, so the guess is not needed
    residual.reset();
  }
  if (residual) {
    report.true_residual = *residual;
    measure_maximum(task);
  } else {
    measure(task);
  }
  if (!(report.true_residual <= worst_guess * report.rhs_norm) && std::isfinite(report.rhs_norm) &&
      std::isfinite(largest_size<Space>(task.x.size(), task.x.data(), sizes_))) {
    task.x.fill(T(0));
    measure(task);
  }
  report.initial_residual = report.recurrence_residual = report.true_residual;
}

template <class Space, class T>
void LinearSolver<Space, T>::run_chain(Task& task, KeptPreconditioner<Space, T>& kept) {
  SolveReport& report = task.report;
  for (std::size_t link = 0; link < chain_.size() && !report.converged();) {
    report.attempts.push_back(attempt(task, link));
    report.method = chain_[link];
    report.status = report.attempts.back().status;
    report.breakdown = report.attempts.back().breakdown;
    report.iterations += report.attempts.back().iterations;
    if (report.status == SolveStatus::max_seconds) return;
    if (!report.converged() && kept.is_older()) {
      if (!is_made(kept.make_anew(task.system.A), *kept, report)) return;
    } else {
      ++link;
    }
  }
}

// A^T: A itself where it is symmetric, A read by columns, or a copy that is brought up to date.
template <class Space, class T>
const LinearOperator<Space, T>* LinearSolver<Space, T>::transpose(const LinearOperator<Space, T>& a,
                                                                  const std::string& method) {
  if (a.symmetry() == Symmetry::symmetric) return &a;
  if (a.csr() == nullptr) throw ShapeError("a method needs A^T, and this operator has no entries");
  if (!a.shared_rows().is_shared() && !stores_transpose(settings_, method, a.csr()->system_size()))
    return &implicit_transpose_.emplace(*a.csr());
  const Changed changed = stale_transpose_.take();
  if (!transposed_) transposed_ = std::make_unique<TransposedCsr<Space, T>>();
  if (changed == Changed::pattern) transposed_->setup(*a.csr());
  if (changed == Changed::values) transposed_->refresh(*a.csr());
  return &transposed_->matrix();
}

template <class Space, class T>
SolveAttempt LinearSolver<Space, T>::attempt(Task& task, std::size_t link) {
  SolveReport& report = task.report;
  SolveAttempt attempt{chain_[link], SolveStatus::running, Breakdown::none, 0, 0};
  const double start = report.true_residual;
  report.history.assign(1, start);
  if (!std::isfinite(start)) return end_as(attempt, SolveStatus::breakdown, Breakdown::not_finite);
  if (task.is_solved()) return end_as(attempt, SolveStatus::converged);
  if (find_solver(chain_[link]).needs_symmetric && !is_symmetric(task.system.A))
    return end_as(attempt, SolveStatus::breakdown, Breakdown::not_symmetric);
  if (find_solver(chain_[link]).needs_separable && !is_separable(task.system.A))
    return end_as(attempt, SolveStatus::breakdown, Breakdown::not_separable);
  const bool last = link + 1 == chain_.size();
  good_x_ = task.x;

  Solver<Space, T>& solver = method(link, task.system.A.rows());
  const Clock preparation;
  solver.setup(task.system.A, stale_methods_[link].take(), task.options.null_space);
  if (find_solver(chain_[link]).needs_transpose) {
    task.system.A_transposed = transpose(task.system.A, chain_[link]);
    task.system.M.use_transpose(*task.system.A_transposed);
  }
  Space::synchronize();
  report.setup_seconds += preparation.seconds();
  if (task.options.most_seconds) monitor_.end_within(*task.options.most_seconds);
  iterate(task, solver, attempt);
  report.history = monitor_.history(attempt.iterations);
  report.advice = solver.remark();
  if (report.advice.empty()) report.advice = task.system.M.advice(attempt.breakdown);
  // An attempt that ran out of iterations or time keeps its x; a failure must not make x worse.
  const bool cut_short = (last && attempt.status == SolveStatus::max_iterations) ||
                         attempt.status == SolveStatus::max_seconds;
  if (attempt.status != SolveStatus::converged && !cut_short && !(report.true_residual <= start)) {
    task.x = good_x_;
    measure(task);
    if (is_solved_to_rounding(task)) end_as(attempt, SolveStatus::converged);
  }
  return attempt;
}

// Passes of the method, each from the true residual, until it is small enough or they are useless.
template <class Space, class T>
void LinearSolver<Space, T>::iterate(Task& task, Solver<Space, T>& solver, SolveAttempt& attempt) {
  SolveReport& report = task.report;
  for (int useless = 0; useless < useless_passes; ++attempt.restarts) {
    const double before = report.true_residual;
    const MonitorState state = pass(task, solver, attempt);
    attempt.iterations = state.iterations;
    report.recurrence_residual = state.residual;
    measure(task);
    useless = report.true_residual <= least_gain * before ? 0 : useless + 1;
    end_as(attempt, state.status, state.breakdown);
    if (task.is_solved()) {
      end_as(attempt, SolveStatus::converged);
      break;
    }
    const bool goes_on = state.status == SolveStatus::running && useless == 0;
    if (!goes_on && is_solved_to_rounding(task)) {
      end_as(attempt, SolveStatus::converged);
      break;
    }
    // After progress, a new Krylov space from the true residual may not break down.
    const bool renewable = belongs_to_krylov_space(state.breakdown) && useless == 0;
    const bool failed =
        state.status != SolveStatus::running && state.status != SolveStatus::converged;
    if (failed && !renewable) break;
    // Also after a recurrence that has met its target with the last iteration.
    if (attempt.iterations >= settings_.max_iterations) {
      end_as(attempt, SolveStatus::max_iterations);
      break;
    }
    if (monitor_.is_out_of_time()) {
      end_as(attempt, SolveStatus::max_seconds);
      break;
    }
    if (useless == useless_passes) end_as(attempt, SolveStatus::stagnated);
  }
}

// One pass: as far as the method goes without the true residual. The target of a method that does
// not show r is the norm at which the maximum meets its limit, if both fall alike.
template <class Space, class T>
MonitorState LinearSolver<Space, T>::pass(Task& task, Solver<Space, T>& solver,
                                          const SolveAttempt& attempt) {
  const SolveReport& report = task.report;
  double target = report.target;
  MaximumWatch watch;
  if (task.maximum != nullptr && task.maximum->limit > 0) {
    watch.weights = task.maximum->weights->data();
    watch.limit = recurrence_margin * task.maximum->limit;
    watch.watch_from = watch.limit * std::sqrt(static_cast<double>(task.system.A.total_rows())) /
                       task.maximum->least_weight;
    if (!solver.shows_residual())
      target = std::max(target, report.true_residual * task.maximum->limit / report.maximum);
  }
  monitor_.start(report.true_residual, recurrence_margin * target, attempt.iterations,
                 settings_.max_iterations, watch);
  {
    const typename ScalarPool<Space>::Use of_the_solver(solver.scalars());
    solver.improve(task.system, task.x, r_, monitor_);
  }
  monitor_.stop();
  return monitor_.state();
}

#define HODGE_LINEAR_SOLVER(Space, T) template class LinearSolver<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_LINEAR_SOLVER)

}  // namespace hodge::linalg
