#include "sim/app/run/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/app/run/signals.hpp"
#include "sim/base/durations.hpp"
#include "sim/base/text.hpp"
#include "sim/flow/quantity_plan.hpp"
#include "sim/flow/systems.hpp"

namespace hodge::sim {
namespace {

std::string case_text(const Settings& settings) {
  std::string text = settings.case_name;
  const char* separator = ": ";
  for (const auto& [name, value] : settings.parameters) {
    text += fmt::format("{}{} = {}", separator, name, value);
    separator = ", ";
  }
  return text;
}

// Velocity and pressure; with a prescribed velocity each scalar.
std::string unknowns_text(const Problem& problem, const Grid& grid) {
  const std::vector<FlowSystem> systems = fluid_system_sizes(problem, grid);
  const std::string cells = count_text(systems.back().rows);
  if (problem.prescribed_velocity) return cells + " a scalar";
  long long velocity = 0;
  for (int d = 0; d < grid.dim(); ++d) velocity += systems[d].rows;
  return fmt::format("{} velocity, {} pressure", count_text(velocity), cells);
}

std::string budget_text(const RunStatistics& statistics) {
  const TimeBudget& budget = statistics.seconds;
  const double steps = static_cast<double>(std::max(1L, statistics.steps));
  std::string text = fmt::format("  {:<16}{:>10}{:>8}{:>12}", "time", "seconds", "%", "ms/step");
  const auto add = [&](const char* name, double measured) {
    const double seconds = std::max(0.0, measured);
    const double percent = budget.total > 0 ? 100 * seconds / budget.total : 0;
    text += fmt::format("\n  {:<16}{:>10.3f}{:>8.1f}{:>12.4f}", name, seconds, percent,
                        1e3 * seconds / steps);
  };
  add("assembly", budget.assembly);
  add("transport", budget.transport);
  add("pressure", budget.pressure);
  if (budget.reactions != 0) add("reactions", budget.reactions);
  if (budget.comparison != 0) add("comparison", budget.comparison);
  add("diagnostics", budget.diagnostics);
  if (budget.checkpoints != 0) add("checkpoints", budget.checkpoints);
  add("output waiting", budget.output);
  add("other", budget.other());
  return text;
}

std::string iterations_text(const RunStatistics& statistics) {
  std::string text;
  if (statistics.systems.empty()) return text;
  text = fmt::format("\n  {:<16}{:>10}{:>8}{:>12}", "iterations", "mean", "max", "solves");
  for (const IterationStatistics& system : statistics.systems) {
    text += fmt::format("\n  {:<16}{:>10.1f}{:>8}{:>12}", system.system, system.mean(),
                        system.largest, system.solves);
  }
  return text;
}

std::string fallbacks_text(const RunStatistics& statistics) {
  std::string text;
  if (statistics.fallbacks.empty()) return text;
  text = fmt::format("\n  {:<16}{:>10}{:>8}{:>12}", "fallbacks", "method", "uses", "failures");
  for (const FallbackStatistics& fallback : statistics.fallbacks)
    text += fmt::format("\n  {:<16}{:>10}{:>8}{:>12}", fallback.system, fallback.method,
                        fallback.uses, fallback.failures);
  return text;
}

std::string limited_text(const RunStatistics& statistics) {
  std::string text;
  for (const LimitedEntering& at : statistics.limited)
    text += fmt::format(
        "\n{}: up to {:.2g} of what passed the side, at t = {:.6g}, entered in no parallel flow, "
        "for "
        "which the given pressure is the total pressure ({}{} in history.csv)",
        at.side, at.share, at.time, limited_prefix, at.side);
  return text;
}

std::string errors_text(const RunResult& result) {
  if (!result.errors) return "";
  std::vector<std::string> fields;
  for (const auto& [name, l2, max] : result.errors->known())
    fields.push_back(fmt::format("{} L2 {:.4e}, max {:.4e}", name, l2, max));
  return fmt::format("error against the exact solution at t = {:.6g}: {}\n", result.time,
                     fmt::join(fields, "; "));
}

}  // namespace

std::string opening_text(const Settings& settings, const Problem& problem, const Flow& flow,
                         const std::string& version) {
  const Grid& grid = flow.grid();
  const std::string begins =
      problem.stored_state ? "begins    " + one_line(problem.stored_state->origin) + "\n" : "";
  const std::string solids =
      problem.treatment.empty() ? "" : "solids    " + one_line(problem.treatment) + "\n";
  return fmt::format(
      "hodge {}\n"
      "case      {}\n"
      "device    {}\n"
      "grid      {}\n"
      "unknowns  {}\n"
      "{}{}"
      "memory    {} on the device\n"
      "output    {}",
      version, case_text(settings), flow.device_name(), grid.description(),
      unknowns_text(problem, grid), solids, begins,
      bytes_text(static_cast<double>(memory_estimate(settings, problem))),
      settings.output.directory);
}

namespace {

std::string end_text(const RunResult& result, const Settings& settings) {
  switch (result.end) {
    case RunEnd::end_time:
      return fmt::format("reached t = {:.6g}", result.time);
    case RunEnd::max_steps:
      return fmt::format("stopped after {} steps at t = {:.6g}", result.steps, result.time);
    case RunEnd::wall_clock:
      return fmt::format("stopped after {} of wall time at step {}, t = {:.6g}",
                         duration_text(result.wall_seconds), result.steps, result.time);
    case RunEnd::steady:
      return fmt::format("steady at t = {:.6g}: max |du/dt| is below {:.3g}", result.time,
                         settings.time.steady_tolerance.value_or(0));
    case RunEnd::interrupted:
      return fmt::format("stopped by {} at step {}, t = {:.6g}", signal_name(result.signal),
                         result.steps, result.time);
    case RunEnd::stopped:
      return fmt::format("stopped by its caller at step {}, t = {:.6g}", result.steps, result.time);
  }
  return {};
}

}  // namespace

std::string ending_text(const RunResult& result, const Settings& settings) {
  if (!result.nothing_left) return end_text(result, settings);
  std::string why = end_text(result, settings);
  if (result.end == RunEnd::end_time)
    why = fmt::format("the run has reached t = {:.6g}, and time.end is {:.6g}", result.time,
                      settings.time.end);
  if (result.end == RunEnd::max_steps)
    why = fmt::format("the run has taken {} steps, and time.steps is {}", result.steps,
                      settings.time.max_steps.value_or(0));
  return "nothing left to do: " + why;
}

std::string statistics_text(const RunStatistics& statistics) {
  return fmt::format("{} steps in {}, {:.3g} million cell-steps/s\n", statistics.steps,
                     duration_text(statistics.seconds.total),
                     1e-6 * statistics.cell_steps_per_second()) +
         budget_text(statistics) + iterations_text(statistics) + fallbacks_text(statistics) +
         limited_text(statistics);
}

std::string results_text(const RunResult& result) {
  return errors_text(result) + coefficients_text(result.coefficients) + result.walls.text +
         fmt::format("open in ParaView: {}", result.open.string());
}

}  // namespace hodge::sim
