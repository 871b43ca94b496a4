#include "linalg/solve.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

#include "linalg/instantiate.hpp"
#include "linalg/matrices/symmetry.hpp"

namespace hodge::linalg {

namespace {

// The recurrence aims a little lower, so that the true residual, which differs in the last digits,
// agrees.
constexpr double recurrence_margin = 0.99;
// A pass that leaves more than this of the residual has gained nothing; two of them end an attempt.
constexpr double least_gain = 0.999;
constexpr int useless_passes = 2;

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

template <class Space, class T>
void remove_mean(Vector<Space, T>& v) {
  const auto total = sum(v);
  v = v - total / v.size();
}

bool belongs_to_krylov_space(Breakdown breakdown) {
  return breakdown == Breakdown::rho_zero || breakdown == Breakdown::alpha_infinite ||
         breakdown == Breakdown::omega_zero || breakdown == Breakdown::shadow_step_zero ||
         breakdown == Breakdown::singular_krylov;
}

void require(bool good, const std::string& what, double value, const char* expected) {
  if (!good) throw ConfigError(what + " is " + std::to_string(value) + ", expected " + expected);
}

}  // namespace

void check(const SolverSettings& s) {
  (void)find_solver(s.method);
  (void)find_preconditioner(s.preconditioner.kind);
  for (const std::string& name : s.fallback) (void)find_solver(name);
  require(s.tolerance >= 0 && s.tolerance < 1, "tolerance", s.tolerance, "0 <= tolerance < 1");
  require(s.absolute_tolerance >= 0, "absolute_tolerance", s.absolute_tolerance, "a number >= 0");
  require(s.max_iterations > 0, "max_iterations", s.max_iterations, "an integer > 0");
  require(s.restart > 0, "restart", s.restart, "an integer > 0");
  const PreconditionerSettings& p = s.preconditioner;
  if (p.form != "factored" && p.form != "truncated") {
    throw ConfigError("form is '" + p.form + "', expected factored or truncated");
  }
  require(p.alpha > 0 && p.alpha <= 1, "alpha", p.alpha, "0 < alpha <= 1");
  require(p.degree >= 0 && p.degree <= 20, "degree", p.degree, "an integer from 0 to 20");
  require(s.preconditioner.order == 1 || s.preconditioner.order == 2, "order",
          s.preconditioner.order, "1 or 2");
  require(s.preconditioner.omega > 0 && s.preconditioner.omega < 2, "omega", s.preconditioner.omega,
          "0 < omega < 2");
}

std::size_t solver_memory(const SolverSettings& s, const SystemSize& size) {
  return find_solver(s.method).memory(s, size) +
         find_preconditioner(s.preconditioner.kind).memory(s.preconditioner, size) +
         size.vectors(2) + sizeof(double) * (static_cast<std::size_t>(s.max_iterations) + 1);
}

template <class Space, class T>
LinearSolver<Space, T>::LinearSolver(const SolverSettings& settings, int max_rows)
    : settings_((check(settings), settings)),
      chain_{settings.method},
      monitor_(settings.max_iterations) {
  chain_.insert(chain_.end(), settings.fallback.begin(), settings.fallback.end());
  methods_.resize(chain_.size());
  stale_methods_.resize(chain_.size());
  const auto& entry = find_preconditioner(settings_.preconditioner.kind);
  preconditioner_ = std::get<PreconditionerMaker<Space, T>>(entry.make)(settings_.preconditioner);
  resize(max_rows);
  (void)method(0, max_rows);
}

template <class Space, class T>
Solver<Space, T>& LinearSolver<Space, T>::method(std::size_t link, int rows) {
  auto& solver = methods_[link];
  if (!solver) solver = std::get<SolverMaker<Space, T>>(find_solver(chain_[link]).make)(settings_);
  solver->resize(rows);
  return *solver;
}

template <class Space, class T>
void LinearSolver<Space, T>::resize(int rows) {
  r_.resize(rows);
  good_x_.resize(rows);
}

// False where M cannot be made of A; the report then says why.
template <class Space, class T>
bool LinearSolver<Space, T>::update_preconditioner(const LinearOperator<Space, T>& a,
                                                   Changed changed, SolveReport& report) {
  if (changed == Changed::pattern) preconditioner_->setup(a);
  if (changed == Changed::values) preconditioner_->refresh(a);
  if (changed == Changed::nothing) return true;
  const PreconditionerFailure failure = preconditioner_->failure();
  if (failure.reason == Breakdown::none) return true;
  report.status = SolveStatus::breakdown;
  report.breakdown = failure.reason;
  report.bad_row = failure.row;
  report.advice = preconditioner_->advice(failure.reason);
  report.attempts.push_back({chain_[0], report.status, report.breakdown, 0, 0});
  return false;
}

// r = b - A x without its part in the null space; its norm.
template <class Space, class T>
double LinearSolver<Space, T>::true_residual(const LinearOperator<Space, T>& a,
                                             const Vector<Space, T>& b, const Vector<Space, T>& x,
                                             NullSpace null_space) {
  residual(a, x, b, r_);
  if (null_space == NullSpace::constant) remove_mean(r_);
  return norm(r_).to_host();
}

template <class Space, class T>
SolveReport LinearSolver<Space, T>::solve(const LinearOperator<Space, T>& a,
                                          const Vector<Space, T>& b, Vector<Space, T>& x,
                                          const SolveOptions& options) {
  if (a.rows() != a.cols() || b.size() != a.rows() || x.size() != a.cols()) {
    throw ShapeError("solve: A is " + std::to_string(a.rows()) + " x " + std::to_string(a.cols()) +
                     ", b has " + std::to_string(b.size()) + " entries, x " +
                     std::to_string(x.size()));
  }
  SolveReport report;
  report.method = chain_[0];
  report.preconditioner = settings_.preconditioner.kind;
  report.preconditioner_settings = preconditioner_->settings_text();
  for (Staleness& method : stale_methods_) method.add(options.changed);
  stale_transpose_.add(options.changed);
  Space::synchronize();
  const Stopwatch total_time;
  resize(a.rows());
  if (!update_preconditioner(a, options.changed, report)) return report;
  report.setup_seconds = total_time.seconds();

  r_ = b;
  if (options.null_space == NullSpace::constant) remove_mean(r_);
  report.rhs_norm = norm(r_).to_host();
  report.target = std::max(settings_.tolerance * report.rhs_norm,
                           options.absolute_tolerance.value_or(settings_.absolute_tolerance));
  if (report.rhs_norm == 0.0) x.fill(T(0));  // the solution, whatever the guess was
  report.initial_residual = true_residual(a, b, x, options.null_space);
  report.true_residual = report.recurrence_residual = report.initial_residual;

  LinearSystem<Space, T> system{a, nullptr, *preconditioner_, b};
  for (std::size_t link = 0; link < chain_.size() && !report.converged(); ++link) {
    report.attempts.push_back(attempt(system, link, x, options, report));
    report.method = chain_[link];
    report.status = report.attempts.back().status;
    report.breakdown = report.attempts.back().breakdown;
    report.iterations += report.attempts.back().iterations;
  }
  if (options.null_space == NullSpace::constant) remove_mean(x);
  Space::synchronize();
  report.solve_seconds = total_time.seconds() - report.setup_seconds;
  return report;
}

// A^T: A itself where it is symmetric, else a copy that is brought up to date.
template <class Space, class T>
const LinearOperator<Space, T>* LinearSolver<Space, T>::transpose(
    const LinearOperator<Space, T>& a) {
  if (a.symmetry() == Symmetry::symmetric) return &a;
  if (a.csr() == nullptr) throw ShapeError("a method needs A^T, and this operator has no entries");
  const Changed changed = stale_transpose_.take();
  if (!transposed_) transposed_ = std::make_unique<TransposedCsr<Space, T>>();
  if (changed == Changed::pattern) transposed_->setup(*a.csr());
  if (changed == Changed::values) transposed_->refresh(*a.csr());
  return &transposed_->matrix();
}

template <class Space, class T>
SolveAttempt LinearSolver<Space, T>::attempt(LinearSystem<Space, T>& system, std::size_t link,
                                             Vector<Space, T>& x, const SolveOptions& options,
                                             SolveReport& report) {
  SolveAttempt attempt{chain_[link], SolveStatus::running, Breakdown::none, 0, 0};
  const double start = report.true_residual;
  report.history.assign(1, start);
  const auto end_as = [&attempt](SolveStatus status, Breakdown breakdown = Breakdown::none) {
    attempt.status = status;
    attempt.breakdown = breakdown;
    return attempt;
  };
  if (!std::isfinite(start)) return end_as(SolveStatus::breakdown, Breakdown::not_finite);
  if (start <= report.target) return end_as(SolveStatus::converged);
  if (find_solver(chain_[link]).needs_symmetric && !is_symmetric(system.A)) {
    return end_as(SolveStatus::breakdown, Breakdown::not_symmetric);
  }
  const bool last = link + 1 == chain_.size();
  good_x_ = x;

  Solver<Space, T>& solver = method(link, system.A.rows());
  const Stopwatch preparation;
  solver.setup(system.A, stale_methods_[link].take(), options.null_space);
  if (find_solver(chain_[link]).needs_transpose) {
    system.A_transposed = transpose(system.A);
    preconditioner_->use_transpose(*system.A_transposed);
  }
  Space::synchronize();
  report.setup_seconds += preparation.seconds();
  for (int useless = 0; useless < useless_passes; ++attempt.restarts) {
    const double before = report.true_residual;
    monitor_.start(before, recurrence_margin * report.target, attempt.iterations,
                   settings_.max_iterations);
    solver.improve(system, x, r_, monitor_);
    monitor_.stop();
    const MonitorState state = monitor_.state();
    attempt.iterations = state.iterations;
    report.recurrence_residual = state.residual;
    report.true_residual = true_residual(system.A, system.b, x, options.null_space);
    useless = report.true_residual <= least_gain * before ? 0 : useless + 1;
    attempt.status = state.status;
    attempt.breakdown = state.breakdown;
    if (report.true_residual <= report.target) {
      (void)end_as(SolveStatus::converged);
      break;
    }
    // A breakdown after progress is a matter of the Krylov space: a new one from the true residual
    // is worth a try.
    const bool renewable = belongs_to_krylov_space(state.breakdown) && useless == 0;
    const bool failed =
        state.status != SolveStatus::running && state.status != SolveStatus::converged;
    if (failed && !renewable) break;
    if (useless == useless_passes) (void)end_as(SolveStatus::stagnated);
  }
  report.history = monitor_.history(attempt.iterations);
  report.advice = solver.remark();
  if (report.advice.empty()) report.advice = preconditioner_->advice(attempt.breakdown);
  // What has run out of iterations is left as it is; what has failed must not spoil x.
  const bool cut_short = last && attempt.status == SolveStatus::max_iterations;
  if (attempt.status != SolveStatus::converged && !cut_short && !(report.true_residual <= start)) {
    x = good_x_;
    report.true_residual = true_residual(system.A, system.b, x, options.null_space);
  }
  return attempt;
}

#define HODGE_LINEAR_SOLVER(Space, T) template class LinearSolver<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_LINEAR_SOLVER)

}  // namespace hodge::linalg
