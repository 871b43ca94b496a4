#include "sim/compare/solver_comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linalg/processes/agree.hpp"
#include "linalg/processes/lists.hpp"
#include "linalg/solve/solve_bytes.hpp"
#include "linalg/space/instantiate.hpp"
#include "linalg/vectors/copy_bandwidth.hpp"
#include "sim/compare/guess_comparison.hpp"
#include "sim/compare/measure.hpp"
#include "sim/compare/reference_solution.hpp"

namespace hodge::sim {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Values of the copy that bandwidth is measured by: several times what a system of so many rows
// takes. A large copy would take longer than all solves of a small system.
int values_to_copy(long long rows) {
  return static_cast<int>(std::clamp(128 * rows, 1LL << 16, 1LL << 24));
}

using Solvers = std::vector<SystemSettings>;

void bound_seconds(const CompareSettings& rules, SystemSettings& solver) {
  if (!rules.max_seconds) return;
  solver.max_seconds =
      std::min(*rules.max_seconds, solver.max_seconds.value_or(*rules.max_seconds));
}

// The configured solver and the listed ones, with its stopping rule. With `stop: divergence` the
// tolerance is not one on the norm.
Solvers compared_solvers(SystemSettings configured, const Solvers& listed,
                         const CompareSettings& rules) {
  if (configured.stops_by_divergence()) configured.tolerance = 0;
  Solvers all{configured};
  for (const SystemSettings& entry : listed) {
    const auto same = [&](const auto& other) { return same_solver(other, entry); };
    if (std::find_if(all.begin(), all.end(), same) == all.end())
      all.push_back(with_stopping_rule_of(configured, entry));
  }
  for (SystemSettings& solver : all) bound_seconds(rules, solver);
  return all;
}

// A box without solids needs no preconditioner: direct solves it.
template <class Space>
bool can_serve(const SystemSettings& solver, const linalg::CsrMatrix<Space>& matrix) {
  const bool separable = matrix.separable() != nullptr;
  const linalg::SolverEntry& method = linalg::find_solver(solver.method);
  if (method.needs_separable) return separable;
  if (method.needs_symmetric && matrix.symmetry() == linalg::Symmetry::nonsymmetric) return false;
  const bool needs_box =
      method.needs_box || linalg::find_preconditioner(solver.preconditioner.kind).needs_box;
  return !needs_box || (matrix.box() != nullptr && !separable);
}

// Of the solves of a system so far.
struct Fastest {
  std::string solver;
  double seconds;
};

template <class Space>
class SolverComparison final : public SolveObserver<Space> {
 public:
  SolverComparison(const Settings& settings, ComparisonSink& sink)
      : rules_(*settings.compare),
        solvers_{compared_solvers(settings.pressure, rules_.pressure, rules_),
                 compared_solvers(settings.transport, rules_.transport, rules_),
                 compared_solvers(settings.scalars, rules_.scalars, rules_)},
        sink_(sink) {
    for (std::size_t kind = 0; kind < solvers_.size(); ++kind)
      is_compared_[kind] = solvers_[kind].size() > 1;
  }

  void begin_step(long step, double time) override {
    step_ = step;
    time_ = time;
  }

  void before_solve(const ObservedSystem<Space>& system) override {
    const auto kind = static_cast<std::size_t>(system.kind);
    if (!is_compared_[kind] || !rules_.at_step(step_)) return;
    for (Vector* vector : {&x_, &r_}) vector->resize(system.matrix.rows());
    ComparedSystem compared = describe(system);
    const Solvers solvers = that_can_serve(solvers_[kind], system.matrix);
    reference_.find(system, solvers, x_);
    compared.reference = reference_.solver();
    if (reference_.found()) compared.reference_residual = reference_.residual();
    compare(system, solvers, compared);
    for (const ComparedSolve& solve : compared.solves)
      if (!solve.given_up.empty())
        std::erase_if(solvers_[kind],
                      [&](const auto& solver) { return same_solver(solver, solve.settings); });
    // No guess helps an exact method.
    const linalg::SolverEntry& method = linalg::find_solver(solvers.front().method);
    if (rules_.guesses && (!method.direct || method.needs_box))
      compare_habits(system, solvers.front(), compared);
    sink_.add(std::move(compared));
  }

  void after_solve(const ObservedSystem<Space>& system) override {
    if (rules_.guesses) guesses_.record(system);
  }

 private:
  using Vector = linalg::Vector<Space>;

  // Over the processes that share the system.
  template <class Count>
  static Count of_all(Count own) {
    const linalg::SharedRows& shared = linalg::shared_rows();
    if (!shared.is_shared()) return own;
    Count sum = 0;
    for (const Count count : linalg::gather_one(*shared.processes, own)) sum += count;
    return sum;
  }

  ComparedSystem describe(const ObservedSystem<Space>& system) {
    ComparedSystem compared;
    compared.step = step_;
    compared.time = time_;
    compared.name = system.name;
    compared.kind = system.kind;
    compared.rows = of_all(system.matrix.rows());
    compared.nonzeros = of_all(static_cast<long long>(system.matrix.pattern().nonzeros()));
    compared.rhs_norm = norm(system.right_side).to_host();
    if (system.options.null_space == linalg::NullSpace::constant)
      compared.rhs_mean = sum(system.right_side).to_host() / std::max(1, compared.rows);
    static const double bandwidth =
        linalg::copy_bandwidth<Space>(values_to_copy(system.matrix.rows()));
    compared.copy_bandwidth = bandwidth;
    return compared;
  }

  // A new solver is told that everything changed, a repeated solve only what changes in the run.
  MeasuredSystem<Space> rules_of(const ObservedSystem<Space>& system) const {
    MeasuredSystem<Space> rules{system.matrix, system.right_side, system.options};
    rules.options.system = 0;
    rules.options.changed = linalg::Changed::pattern;
    rules.again = system.matrix_is_constant ? linalg::Changed::nothing : linalg::Changed::values;
    rules.maximum = system.maximum;
    return rules;
  }

  // The configured solver is first.
  Solvers that_can_serve(const Solvers& solvers, const linalg::CsrMatrix<Space>& matrix) const {
    Solvers able{solvers.front()};
    for (const SystemSettings& solver : std::span(solvers).subspan(1))
      if (!rules_.by_default || can_serve(solver, matrix)) able.push_back(solver);
    return able;
  }

  // What the solvers need for a system. Of the seconds of solves those of process 0 count.
  void compare(const ObservedSystem<Space>& system, const Solvers& solvers,
               ComparedSystem& compared) {
    std::optional<Fastest> fastest;
    for (const SystemSettings& solver : solvers) {
      const bool is_configured = compared.solves.empty();
      const std::optional<Fastest> none;
      ComparedSolve& solve = compared.solves.emplace_back(
          compare(system, solver, rules_.give_up && !is_configured ? fastest : none));
      solve.configured = is_configured;
      const double seconds = linalg::of_first_process(linalg::shared_rows(), solve.seconds);
      if (solve.solved() && (!fastest || seconds < fastest->seconds))
        fastest = {solver_text(solver), seconds};
    }
  }

  // Leaves the solution in x_. Errors: MemoryError.
  MeasuredSolve measure(const ObservedSystem<Space>& system, const SystemSettings& settings,
                        std::optional<double> most_seconds) {
    check_memory<Space>(settings, system.matrix.system_size());
    linalg::LinearSolver<Space> solver(settings, system.matrix.rows());
    MeasuredSystem<Space> rules = rules_of(system);
    rules.most_seconds = most_seconds;
    return measure_solve<Space>(solver, rules, x_, [&](Vector& x) { x = system.x; });
  }

  // Starting guesses and kept preconditioners. What does not fit into memory is left out.
  void compare_habits(const ObservedSystem<Space>& system, const SystemSettings& configured,
                      ComparedSystem& compared) {
    try {
      compared.guesses = guesses_.compare(system, rules_of(system), configured, x_);
      if (!system.matrix_is_constant)
        compared.kept = kept_.compare(system, rules_of(system), configured, step_, x_);
    } catch (const MemoryError&) {
    }
  }

  ComparedSolve compare(const ObservedSystem<Space>& system, const SystemSettings& settings,
                        const std::optional<Fastest>& fastest) {
    ComparedSolve solve;
    solve.settings = settings;
    const int rows = of_all(system.matrix.rows());
    if (linalg::find_solver(settings.method).dense && rows > linalg::largest_dense) {
      solve.not_run = fmt::format("{} unknowns are too many for a dense matrix (at most {})", rows,
                                  linalg::largest_dense);
      return solve;
    }
    std::optional<double> most;
    if (fastest) most = *rules_.give_up * fastest->seconds;
    bool is_stopped = false;
    try {
      MeasuredSolve measured = measure(system, settings, most);
      is_stopped = measured.stopped && *most < settings.max_seconds.value_or(infinity);
      solve.report = std::move(measured.report);
      solve.setup_seconds = measured.setup_seconds;
    } catch (const Error& error) {
      solve.not_run = error.what();
      return solve;
    }
    if (solve.report.attempts.size() == 1)
      solve.bytes = of_all(linalg::solve_bytes(settings, linalg::counted_size(system.matrix),
                                               solve.report.iterations));
    solve.seconds =
        system.matrix_is_constant ? solve.report.solve_seconds : total_seconds(solve.report);
    if (most) judge_time(solve, is_stopped, *fastest);
    judge_solution(system, solve);
    return solve;
  }

  void judge_time(ComparedSolve& solve, bool is_stopped, const Fastest& fastest) const {
    const bool is_slow =
        solve.report.converged() && solve.seconds > *rules_.give_up * fastest.seconds;
    if (!is_stopped && !linalg::of_first_process(linalg::shared_rows(), is_slow)) return;
    solve.given_up = fmt::format("{} after {:.3g} ms, more than {:g} times the {:.3g} ms of {}",
                                 is_stopped ? "stopped" : "solved", 1e3 * solve.seconds,
                                 *rules_.give_up, 1e3 * fastest.seconds, fastest.solver);
  }

  // The difference of x_ from the reference, and the divergence that x_ leaves.
  void judge_solution(const ObservedSystem<Space>& system, ComparedSolve& solve) {
    if (reference_.found()) {
      r_ = x_ - reference_.x();
      const double size = norm(reference_.x()).to_host(), distance = norm(r_).to_host();
      if (std::isfinite(distance)) solve.difference = size > 0 ? distance / size : distance;
    }
    if (!system.max_divergence) return;
    linalg::residual(system.matrix, x_, system.right_side, r_);
    solve.max_divergence = system.max_divergence(r_);
  }

  CompareSettings rules_;
  std::array<Solvers, system_kinds.size()> solvers_;  // without those that were given up
  std::array<bool, system_kinds.size()> is_compared_{};
  ComparisonSink& sink_;
  Vector x_, r_;
  ReferenceSolution<Space> reference_;
  GuessComparison<Space> guesses_;
  RefreshComparison<Space> kept_;
  long step_ = 0;
  double time_ = 0;
};

}  // namespace

template <class Space>
std::unique_ptr<SolveObserver<Space>> make_solver_comparison(const Settings& settings,
                                                             ComparisonSink& sink) {
  return std::make_unique<SolverComparison<Space>>(settings, sink);
}

#define HODGE_SOLVER_COMPARISON(Space)                                                          \
  template std::unique_ptr<SolveObserver<linalg::Space>> make_solver_comparison<linalg::Space>( \
      const Settings&, ComparisonSink&);
HODGE_FOR_EACH_SPACE(HODGE_SOLVER_COMPARISON)

}  // namespace hodge::sim
