#include "sim/model/compare_settings.hpp"

#include <algorithm>
#include <array>

namespace hodge::sim {
namespace {

constexpr long default_interval = 10;
constexpr std::array<int, 3> compared_restarts{8, 16, 32};
constexpr std::array<double, 3> relaxation_factors{1.0, 1.3, 1.6};
constexpr long most_for_gauss = 2000;  // a factorisation of 0.1 s or so on one core

using Preconditioners = std::vector<linalg::PreconditionerSettings>;

linalg::PreconditionerSettings ssor_sai(int order, double omega) {
  return {"ssor_sai", {{"order", order}, {"omega", omega}}};
}

// Those that are likely to be fast come first.
Preconditioners symmetric_preconditioners() {
  Preconditioners all;
  for (const char* smoother : {"chebyshev", "ssor_sai"})
    all.push_back({"multigrid", {{"smoother", smoother}}});
  all.push_back({"direct"});
  for (const int order : {2, 1})
    for (const double omega : relaxation_factors) all.push_back(ssor_sai(order, omega));
  // The published form loses definiteness at larger factors.
  for (const auto& [order, omega] : {std::pair{1, 1.0}, std::pair{2, 0.8}}) {
    all.push_back(ssor_sai(order, omega));
    all.back().options["form"] = "truncated";
  }
  for (const char* kind : {"neumann", "jacobi", "none"}) all.push_back({kind});
  return all;
}

}  // namespace

bool CompareSettings::at_step(long step) const {
  if (!steps.empty()) return std::find(steps.begin(), steps.end(), step) != steps.end();
  const long first = from.value_or(1);
  if (step < first || (to && step > *to)) return false;
  return (step - first) % every.value_or(default_interval) == 0;
}

SystemSettings with_stopping_rule_of(const SystemSettings& configured, SystemSettings entry) {
  entry.tolerance = configured.tolerance;
  entry.absolute_tolerance = configured.absolute_tolerance;
  entry.stop = configured.stop;
  return entry;
}

SystemSettings compared_entry(const SystemSettings& configured) {
  SystemSettings entry = configured;
  entry.preconditioner = {};
  entry.options.clear();
  entry.fallback.clear();
  entry.max_seconds.reset();
  entry.refresh = SystemSettings{}.refresh;
  entry.automatic = false;
  return entry;
}

std::vector<SystemSettings> default_candidates(const SystemSettings& configured, bool symmetric,
                                               long unknowns) {
  std::vector<SystemSettings> all;
  const auto add = [&](const std::string& method, const linalg::OptionValues& options,
                       const Preconditioners& preconditioners) {
    SystemSettings entry = compared_entry(configured);
    entry.method = method;
    entry.options = options;
    for (const auto& preconditioner : preconditioners) {
      entry.preconditioner = preconditioner;
      all.push_back(entry);
    }
  };
  if (symmetric) {
    for (const char* method : {"direct", "capacitance"}) add(method, {}, {{"none"}});
    add("cg", {}, symmetric_preconditioners());
  }
  const Preconditioners general{
      {"jacobi"}, {"none"}, ssor_sai(1, 1.0), ssor_sai(2, 1.0), {"neumann"}};
  for (const char* method : {"bicgstab", "bicg"}) add(method, {}, general);
  for (const int vectors : compared_restarts) add("gmres", {{"restart", vectors}}, general);
  if (unknowns <= most_for_gauss) add("gauss", {}, {{"none"}});
  return all;
}

}  // namespace hodge::sim
