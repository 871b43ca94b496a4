#include "sim/compare/ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linalg/cost/byte_model.hpp"
#include "sim/base/median.hpp"
#include "sim/compare/solver_text.hpp"

namespace hodge::sim {
namespace {

double largest(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

double digits_gained(const linalg::SolveReport& report) {
  const bool measurable = report.initial_residual > 0 && report.true_residual > 0;
  return measurable ? std::log10(report.initial_residual / report.true_residual) : 0;
}

std::string failure_text(const ComparedSystem& system, const ComparedSolve& solve) {
  const std::string why =
      solve.not_run.empty() ? linalg::outcome_text(solve.report) : solve.not_run;
  return fmt::format("step {}, {}: {}", system.step, system.name, why);
}

class SolverRecord {
 public:
  SolverRecord(const ComparedSolve& solve) {
    ranked_.settings = solve.settings;
    ranked_.configured = solve.configured;
  }

  bool is_of(const ComparedSolve& solve) const {
    return ranked_.configured == solve.configured && same_solver(ranked_.settings, solve.settings);
  }

  void add(const ComparedSystem& system, const ComparedSolve& solve) {
    if (!solve.given_up.empty()) {
      ranked_.given_up = fmt::format("step {}, {}: {}", system.step, system.name, solve.given_up);
      return;
    }
    ++ranked_.systems;
    if (!solve.solved()) {
      ++ranked_.failures;
      if (ranked_.first_failure.empty()) ranked_.first_failure = failure_text(system, solve);
      return;
    }
    const linalg::SolveReport& report = solve.report;
    iterations_.push_back(report.iterations);
    seconds_.push_back(solve.seconds);
    rates_.push_back(solve.seconds / (report.iterations + 1));
    rounds_ += report.iterations + 1;
    setup_ += solve.setup_seconds;
    solve_ += report.solve_seconds;
    digits_ += digits_gained(report);
    bandwidth_ = system.copy_bandwidth;
    if (solve.bytes > 0) moved_ += solve.bytes;
    if (solve.bytes > 0) moving_ += report.solve_seconds;
    const double scale = report.rhs_norm > 0 ? report.rhs_norm : 1.0;
    const double gap = std::abs(report.true_residual - report.recurrence_residual);
    raise(ranked_.worst_residual, report.true_residual / scale);
    raise(ranked_.worst_gap, gap / scale);
    raise(ranked_.worst_difference, solve.difference.value_or(0));
    raise(ranked_.worst_divergence, solve.max_divergence.value_or(0));
  }

  RankedSolver ranked() const {
    RankedSolver ranked = ranked_;
    ranked.median_iterations = median(iterations_);
    ranked.worst_iterations = largest(iterations_);
    ranked.median_seconds = median(seconds_);
    ranked.worst_seconds = largest(seconds_);
    ranked.total_seconds = median(rates_) * rounds_;
    if (ranked.total_seconds > 0) ranked.digits_per_second = digits_ / ranked.total_seconds;
    ranked.share_of_copy = linalg::share_of_copy(moved_, moving_, bandwidth_);
    if (setup_ + solve_ > 0) ranked.setup_share = setup_ / (setup_ + solve_);
    return ranked;
  }

 private:
  static void raise(double& largest, double value) { largest = std::max(largest, value); }

  RankedSolver ranked_;
  std::vector<double> iterations_, seconds_, rates_;
  double rounds_ = 0;
  double setup_ = 0, solve_ = 0, digits_ = 0;
  double moved_ = 0, moving_ = 0, bandwidth_ = 0;  // bytes, their seconds, bytes a second
};

}  // namespace

bool ranks_before(int failures_a, double seconds_a, int failures_b, double seconds_b) {
  if (failures_a != failures_b) return failures_a < failures_b;
  return seconds_a < seconds_b;
}

std::vector<RankedSolver> ranking(std::span<const ComparedSystem> systems, SystemKind kind) {
  std::vector<SolverRecord> records;
  for (const ComparedSystem& system : systems) {
    if (system.kind != kind) continue;
    for (const ComparedSolve& solve : system.solves) {
      auto record = std::find_if(records.begin(), records.end(),
                                 [&](const SolverRecord& known) { return known.is_of(solve); });
      if (record == records.end()) record = records.insert(record, SolverRecord(solve));
      record->add(system, solve);
    }
  }
  std::vector<RankedSolver> ranked;
  for (const SolverRecord& record : records) ranked.push_back(record.ranked());
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    if (a.given_up.empty() != b.given_up.empty()) return a.given_up.empty();
    return ranks_before(a.failures, a.total_seconds, b.failures, b.total_seconds);
  });
  return ranked;
}

const RankedSolver& configured_of(const std::vector<RankedSolver>& ranked) {
  return *std::find_if(ranked.begin(), ranked.end(), [](const auto& r) { return r.configured; });
}

std::string name_text(const RankedSolver& solver) {
  const std::string text = solver_text(solver.settings);
  if (!solver.given_up.empty()) return text + " (given up)";
  return text + (solver.configured ? " (configured)" : "");
}

}  // namespace hodge::sim
