#include "sim/app/compare/advice.hpp"

#include <fmt/format.h>

#include "sim/app/config/solver_to_yaml.hpp"
#include "sim/compare/solver_text.hpp"

namespace hodge::sim {
namespace {

// Gains below this are within what a measurement repeats to.
constexpr double least_gain = 1.05;

// The configured section with another method; its chain without the method itself, which would be
// tried twice.
SystemSettings replaced(const SystemSettings& configured, const SystemSettings& by) {
  SystemSettings solver = configured;
  solver.method = by.method;
  solver.preconditioner = by.preconditioner;
  for (const auto& [name, value] : by.options) solver.options[name] = value;
  std::erase(solver.fallback, solver.method);
  return solver;
}

std::string how_much_faster(const RankedSolver& best, const RankedSolver& configured) {
  const std::string than = "the configured " + solver_text(configured.settings);
  if (configured.failures > 0)
    return fmt::format("{} failed {} of {} times", than, configured.failures, configured.systems);
  return fmt::format("{:.2f} times faster than {}", configured.total_seconds / best.total_seconds,
                     than);
}

}  // namespace

std::string advice(const std::vector<RankedSolver>& ranked, SystemKind kind) {
  const RankedSolver& best = ranked.front();
  const RankedSolver& configured = configured_of(ranked);
  const std::string name = name_of(kind);
  if (best.failures > 0)
    return fmt::format(
        "{}: none of the {} solvers has solved all systems; {} failed the least, {} "
        "of {} times",
        name, ranked.size(), name_text(best), best.failures, best.systems);
  const bool worth_it =
      configured.failures > 0 || configured.total_seconds > least_gain * best.total_seconds;
  if (best.configured || !worth_it)
    return fmt::format("{}: keep {}, no other of the {} solvers is more than {:.0f} % faster", name,
                       solver_text(configured.settings), ranked.size(), 100 * (least_gain - 1));
  return fmt::format(
      "{}: {} takes {:.3g} ms a solve, {}; put this in the file: solvers: {{{}: {}}}", name,
      solver_text(best.settings), 1e3 * best.median_seconds, how_much_faster(best, configured),
      name, section_to_yaml(replaced(configured.settings, best.settings)));
}

}  // namespace hodge::sim
