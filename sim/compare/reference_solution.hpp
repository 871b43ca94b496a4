// The solution that others are compared with: that of direct where the system is separable, or that
// of gauss where there are few unknowns. Otherwise
// the first solvers of a list are run with the tolerance 1e-13 |b| until one converges; the
// solution with the smallest residual is taken.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/compare/measure.hpp"
#include "sim/time/solve_observer.hpp"

namespace hodge::sim {

template <class Space>
class ReferenceSolution {
 public:
  using Vector = linalg::Vector<Space>;
  using Solvers = std::vector<SystemSettings>;

  // A solution that does not meet the stopping rule of solvers.front() is rejected. `work` is
  // scratch.
  void find(const ObservedSystem<Space>& system, const Solvers& solvers, Vector& work) {
    x_.resize(system.matrix.rows());
    solver_.clear();
    least_ = std::max(solvers.front().tolerance * norm(system.right_side).to_host(),
                      system.options.absolute_tolerance.value_or(0.0));
    if (solvers.front().tolerance == 0)
      least_ = tolerance_of_any * norm(system.right_side).to_host();
    for (const SystemSettings& settings : tried(system, solvers)) {
      const linalg::SolveStatus status = attempt(system, settings, work);
      if (status == linalg::SolveStatus::converged) return;
    }
  }

  bool found() const { return !solver_.empty(); }
  const std::string& solver() const { return solver_; }
  double residual() const { return residual_; }
  const Vector& x() const { return x_; }

 private:
  static constexpr int largest_gauss = 1200;  // unknowns
  static constexpr double tolerance = 1e-13;  // of |b|
  static constexpr int most_tried = 3;
  static constexpr double tolerance_of_any = 1e-6;  // where solvers.front() does not stop by |b|

  static Solvers tried(const ObservedSystem<Space>& system, const Solvers& solvers) {
    Solvers tried = solvers;
    const bool separable = system.matrix.separable() != nullptr;
    if (separable || system.matrix.total_rows() <= largest_gauss) {
      SystemSettings exact = solvers.front();
      exact.method = separable ? "direct" : "gauss";
      tried.insert(tried.begin(), exact);
    }
    tried.resize(std::min<std::size_t>(tried.size(), most_tried));
    for (SystemSettings& settings : tried) {
      settings.tolerance = tolerance;
      settings.fallback.clear();
    }
    return tried;
  }

  linalg::SolveStatus attempt(const ObservedSystem<Space>& system, const SystemSettings& settings,
                              Vector& work) try {
    check_memory<Space>(settings, system.matrix.system_size());
    linalg::LinearSolver<Space> solver(settings, system.matrix.rows());
    linalg::SolveOptions options = system.options;
    options.changed = linalg::Changed::pattern;
    options.system = 0;
    options.absolute_tolerance = 0.0;
    work = system.x;
    const linalg::SolveReport report =
        solver.solve(system.matrix, system.right_side, work, options);
    const bool better =
        report.true_residual <= least_ && (!found() || report.true_residual < residual_);
    if (better) {
      solver_ = solver_text(settings);
      residual_ = report.true_residual;
      std::swap(x_, work);
    }
    return report.status;
  } catch (const Error&) {  // the reason is in the solver's own row
    return linalg::SolveStatus::breakdown;
  }

  std::string solver_;
  double residual_ = 0, least_ = 0;
  Vector x_;
};

}  // namespace hodge::sim
