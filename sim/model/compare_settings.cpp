#include "sim/model/compare_settings.hpp"

#include <algorithm>
#include <array>

namespace hodge::sim {
namespace {

constexpr long default_interval = 10;
constexpr std::array<int, 3> compared_restarts{8, 16, 32};
constexpr std::array<double, 3> relaxation_factors{1.0, 1.3, 1.6};

linalg::PreconditionerSettings ssor_sai(int order, double omega) {
  return {.kind = "ssor_sai", .order = order, .omega = omega};
}

std::vector<linalg::PreconditionerSettings> plain_preconditioners() {
  return {{.kind = "none"}, {.kind = "jacobi"}};
}

std::vector<linalg::PreconditionerSettings> relaxed_preconditioners() {
  std::vector<linalg::PreconditionerSettings> all = plain_preconditioners();
  for (const int order : {1, 2})
    for (const double omega : relaxation_factors) all.push_back(ssor_sai(order, omega));
  for (const char* smoother : {"chebyshev", "ssor_sai"})
    all.push_back({.kind = "multigrid", .smoother = smoother});
  return all;
}

}  // namespace

bool CompareSettings::at_step(long step) const {
  if (!steps.empty()) return std::find(steps.begin(), steps.end(), step) != steps.end();
  const long first = from.value_or(1);
  if (step < first || (to && step > *to)) return false;
  return (step - first) % every.value_or(default_interval) == 0;
}

linalg::SolverSettings with_stopping_rule_of(const linalg::SolverSettings& configured,
                                             linalg::SolverSettings entry) {
  entry.tolerance = configured.tolerance;
  entry.absolute_tolerance = configured.absolute_tolerance;
  entry.stop = configured.stop;
  return entry;
}

std::vector<linalg::SolverSettings> default_candidates(const linalg::SolverSettings& configured,
                                                       bool symmetric) {
  std::vector<linalg::SolverSettings> all;
  const auto add = [&](const std::string& method, int restart,
                       const linalg::PreconditionerSettings& preconditioner) {
    linalg::SolverSettings entry = configured;
    entry.method = method;
    entry.restart = restart;
    entry.preconditioner = preconditioner;
    entry.fallback.clear();
    all.push_back(entry);
  };
  const int restart = linalg::SolverSettings{}.restart;
  if (symmetric)
    for (const auto& preconditioner : relaxed_preconditioners()) add("cg", restart, preconditioner);
  std::vector<linalg::PreconditionerSettings> general = plain_preconditioners();
  general.push_back(ssor_sai(1, 1.0));
  for (const char* method : {"bicgstab", "bicg"})
    for (const auto& preconditioner : general) add(method, restart, preconditioner);
  for (const int vectors : compared_restarts)
    for (const auto& preconditioner : general) add("gmres", vectors, preconditioner);
  return all;
}

}  // namespace hodge::sim
