#include "sim/app/run/skipped_solves.hpp"

#include <fmt/format.h>

namespace hodge::sim {

SystemKind kind_of_system(const std::string& system) {
  if (system == "pressure") return SystemKind::pressure;
  const bool is_velocity = system == "u" || system == "v" || system == "w";
  return is_velocity ? SystemKind::transport : SystemKind::scalars;
}

double tolerance_that_skipped(const SolveSummary& solve, const Settings& settings) {
  const SystemKind kind = kind_of_system(solve.system);
  const SystemSettings& of = kind == SystemKind::pressure    ? settings.pressure
                             : kind == SystemKind::transport ? settings.transport
                                                             : settings.scalars;
  const linalg::SolveReport& report = solve.report;
  const bool by_absolute = report.initial_residual > of.tolerance * report.rhs_norm &&
                           report.initial_residual <= report.target;
  return solve.iterations == 0 && report.converged() && by_absolute ? of.absolute_tolerance : 0;
}

std::optional<std::string> skipped_solve_text(const StepReport& report, const Settings& settings,
                                              long step, double time) {
  for (const SolveSummary& solve : report.solves) {
    const double tolerance = tolerance_that_skipped(solve, settings);
    if (tolerance == 0) continue;
    return fmt::format(
        "step {}, t = {:.6g}: the {} system took 0 iterations although its right-hand side is not "
        "0, since solvers.{}.absolute_tolerance {:.3g} allows that error: set it to 0 if so small "
        "a change matters",
        step, time, solve.system, name_of(kind_of_system(solve.system)), tolerance);
  }
  return std::nullopt;
}

}  // namespace hodge::sim
