#include "sim/compare/solver_comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "linalg/instantiate.hpp"
#include "sim/compare/measure.hpp"

namespace hodge::sim {
namespace {

constexpr int largest_gauss_reference = 1200;  // unknowns
constexpr int largest_dense = 5000;            // a factorisation of more takes minutes
constexpr double reference_tolerance = 1e-13;  // of |b|
constexpr int most_references = 3;             // solvers that are tried for it

using Solvers = std::vector<linalg::SolverSettings>;

// The configured solver and the listed ones, with its stopping rule.
Solvers compared_solvers(const linalg::SolverSettings& configured, const Solvers& listed) {
  Solvers all{configured};
  for (const linalg::SolverSettings& entry : listed) {
    const auto same = [&](const auto& other) { return same_solver(other, entry); };
    if (std::find_if(all.begin(), all.end(), same) == all.end())
      all.push_back(with_stopping_rule_of(configured, entry));
  }
  return all;
}

template <class Space>
class SolverComparison final : public SolveObserver<Space> {
 public:
  SolverComparison(const Settings& settings, ComparisonSink& sink)
      : rules_(*settings.compare),
        solvers_{compared_solvers(settings.pressure, rules_.pressure),
                 compared_solvers(settings.transport, rules_.transport),
                 compared_solvers(settings.scalars, rules_.scalars)},
        sink_(sink) {}

  void begin_step(long step, double time) override {
    step_ = step;
    time_ = time;
  }

  void before_solve(const ObservedSystem<Space>& system) override {
    const Solvers& solvers = solvers_[static_cast<std::size_t>(system.kind)];
    if (solvers.size() < 2 || !rules_.at_step(step_)) return;
    for (Vector* vector : {&x_, &r_, &reference_}) vector->resize(system.matrix.rows());
    ComparedSystem compared = describe(system);
    find_reference(system, solvers, compared);
    for (const linalg::SolverSettings& solver : solvers)
      compared.solves.push_back(compare(system, solver, !compared.reference.empty()));
    compared.solves.front().configured = true;
    sink_.add(std::move(compared));
  }

 private:
  using Vector = linalg::Vector<Space>;

  ComparedSystem describe(const ObservedSystem<Space>& system) {
    ComparedSystem compared;
    compared.step = step_;
    compared.time = time_;
    compared.name = system.name;
    compared.kind = system.kind;
    compared.rows = system.matrix.rows();
    compared.nonzeros = static_cast<long long>(system.matrix.pattern().nonzeros());
    compared.rhs_norm = norm(system.right_side).to_host();
    if (system.options.null_space == linalg::NullSpace::constant)
      compared.rhs_mean = sum(system.right_side).to_host() / std::max(1, compared.rows);
    return compared;
  }

  linalg::SystemSize size(const ObservedSystem<Space>& system) const {
    return {static_cast<std::size_t>(system.matrix.rows()),
            static_cast<std::size_t>(system.matrix.pattern().nonzeros()), sizeof(double),
            system.matrix.symmetry() == linalg::Symmetry::symmetric};
  }

  // What the solver made of the system, in x_. Errors: MemoryError.
  MeasuredSolve measure(const ObservedSystem<Space>& system,
                        const linalg::SolverSettings& settings) {
    check_memory<Space>(settings, size(system));
    const auto again =
        system.matrix_is_constant ? linalg::Changed::nothing : system.options.changed;
    return measure_solve<Space>(settings, system.matrix, system.right_side, x_, system.options,
                                again, [&](Vector& x) { x = system.guess; });
  }

  // The best solution so far stays in reference_.
  void find_reference(const ObservedSystem<Space>& system, const Solvers& solvers,
                      ComparedSystem& compared) {
    Solvers tried = solvers;
    if (system.matrix.rows() <= largest_gauss_reference) {
      linalg::SolverSettings gauss = solvers.front();
      gauss.method = "gauss";
      tried.insert(tried.begin(), gauss);
    }
    tried.resize(std::min<std::size_t>(tried.size(), most_references));
    for (linalg::SolverSettings& settings : tried) {
      settings.tolerance = reference_tolerance;
      settings.fallback.clear();
      const auto report = solve_for_reference(system, settings);
      if (!report) continue;
      const bool better =
          compared.reference.empty() || report->true_residual < compared.reference_residual;
      if (better) {
        compared.reference = solver_text(settings);
        compared.reference_residual = report->true_residual;
        std::swap(reference_, x_);
      }
      if (report->converged()) return;
    }
  }

  // None where the residual is not even that of the configured stopping rule.
  std::optional<linalg::SolveReport> solve_for_reference(const ObservedSystem<Space>& system,
                                                         const linalg::SolverSettings& settings) {
    const Solvers& solvers = solvers_[static_cast<std::size_t>(system.kind)];
    const double loosest = std::max(solvers.front().tolerance * norm(system.right_side).to_host(),
                                    system.options.absolute_tolerance.value_or(0.0));
    try {
      check_memory<Space>(settings, size(system));
      linalg::LinearSolver<Space> solver(settings, system.matrix.rows());
      linalg::SolveOptions options = system.options;
      options.changed = linalg::Changed::pattern;
      options.absolute_tolerance = 0.0;
      x_ = system.guess;
      linalg::SolveReport report = solver.solve(system.matrix, system.right_side, x_, options);
      if (report.true_residual <= loosest) return report;
    } catch (const Error&) {  // the solver's own row says why
    }
    return std::nullopt;
  }

  ComparedSolve compare(const ObservedSystem<Space>& system, const linalg::SolverSettings& settings,
                        bool has_reference) {
    ComparedSolve solve;
    solve.settings = settings;
    if (linalg::find_solver(settings.method).direct && system.matrix.rows() > largest_dense) {
      solve.not_run = fmt::format("{} unknowns are too many for a dense matrix (at most {})",
                                  system.matrix.rows(), largest_dense);
      return solve;
    }
    try {
      MeasuredSolve measured = measure(system, settings);
      solve.report = std::move(measured.report);
      solve.setup_seconds = measured.setup_seconds;
    } catch (const Error& error) {
      solve.not_run = error.what();
      return solve;
    }
    solve.seconds =
        system.matrix_is_constant ? solve.report.solve_seconds : total_seconds(solve.report);
    judge_solution(system, has_reference, solve);
    return solve;
  }

  // x_ beside the reference, and what it leaves of the divergence.
  void judge_solution(const ObservedSystem<Space>& system, bool has_reference,
                      ComparedSolve& solve) {
    if (has_reference) {
      r_ = x_ - reference_;
      const double size = norm(reference_).to_host(), distance = norm(r_).to_host();
      if (std::isfinite(distance)) solve.difference = size > 0 ? distance / size : distance;
    }
    if (!system.max_divergence) return;
    linalg::residual(system.matrix, x_, system.right_side, r_);
    solve.max_divergence = system.max_divergence(r_);
  }

  CompareSettings rules_;
  std::array<Solvers, system_kinds.size()> solvers_;
  ComparisonSink& sink_;
  Vector x_, r_, reference_;
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
