#include "sim/app/config/settings_to_yaml.hpp"

#include <fmt/format.h>

#include "linalg/solve/registry.hpp"
#include "sim/app/config/compare_to_yaml.hpp"
#include "sim/app/config/custom_to_yaml.hpp"
#include "sim/app/config/probes_to_yaml.hpp"
#include "sim/app/config/solids_to_yaml.hpp"
#include "sim/app/config/solver_to_yaml.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/grid/grid.hpp"

namespace hodge::sim {
namespace {

std::string names(const std::vector<std::string>& list) {
  return fmt::format("[{}]", fmt::join(list, ", "));
}

std::string line(const std::string& key, const std::string& value) {
  return fmt::format("{}: {}\n", key, value);
}

std::string optional_line(const std::string& key, const std::optional<double>& value) {
  return value ? line(key, number_text(*value)) : "";
}

// "[64, 32]": one value an axis.
template <typename Text>
std::string axis_list(const GridSettings& grid, Text text) {
  std::vector<std::string> values;
  for (int d = 0; d < grid.dim; ++d) values.push_back(text(grid.axes[d]));
  return names(values);
}

std::string grid_text(const GridSettings& grid) {
  std::string text = "grid:\n";
  const auto cells = [](const AxisSettings& axis) { return std::to_string(axis.cells); };
  const auto lower = [](const AxisSettings& axis) { return number_text(axis.lower); };
  const auto upper = [](const AxisSettings& axis) { return number_text(axis.upper); };
  text += line("  cells", axis_list(grid, cells)) + line("  lower", axis_list(grid, lower)) +
          line("  upper", axis_list(grid, upper));
  text += "  stretching:\n";
  for (int d = 0; d < grid.dim; ++d) {
    const AxisSettings& axis = grid.axes[d];
    text += fmt::format("    {}: {{kind: {}", axis_names[d], axis.stretching);
    if (axis.strength > 0) text += ", strength: " + number_text(axis.strength);
    if (axis.core.cells > 0)
      text += fmt::format(", lower: {}, upper: {}, cells: {}", number_text(axis.core.lower),
                          number_text(axis.core.upper), axis.core.cells);
    text += "}\n";
  }
  return text;
}

std::string time_text(const TimeSettings& time) {
  std::string text = "time:\n";
  text += line("  scheme", time.scheme);
  text += line("  end", number_text(time.end));
  text += optional_line("  wall_clock", time.max_wall_seconds);
  if (time.max_steps) text += line("  steps", std::to_string(*time.max_steps));
  text += "  step:\n";
  text += optional_line("    cfl", time.step.cfl);
  text += optional_line("    max", time.step.max);
  text += optional_line("    size", time.step.size);
  if (time.steady_tolerance) {
    text += "  steady:\n" + line("    tolerance", number_text(*time.steady_tolerance));
  }
  return text;
}

std::string solver_text(const std::string& name, const SystemSettings& solver) {
  std::string text = fmt::format("  {}:\n", name);
  text += line("    method", solver.method);
  text += line("    preconditioner", preconditioner_to_yaml(solver.preconditioner));
  text += line("    stop", solver.stop);
  text += line("    tolerance", number_text(solver.tolerance));
  text += line("    absolute_tolerance", number_text(solver.absolute_tolerance));
  text += line("    max_iterations", std::to_string(solver.max_iterations));
  for (const linalg::Option& option : linalg::options_of_chain(solver))
    text += line("    " + option.name, option.value_text());
  text += line("    fallback", names(solver.fallback));
  text += optional_line("    max_seconds", solver.max_seconds);
  text += line("    refresh", solver.refresh) + line("    guess", solver.guess);
  if (solver.guess == "projected")
    text += line("    guess_vectors", std::to_string(solver.guess_vectors));
  return text;
}

std::string checkpoint_text(const CheckpointSettings& checkpoint) {
  if (!checkpoint.enabled) return line("  checkpoint", "none");
  return "  checkpoint:\n" + optional_line("    every", checkpoint.every) +
         line("    wall_every", number_text(checkpoint.wall_every)) +
         line("    keep", std::to_string(checkpoint.keep));
}

std::string output_text(const OutputSettings& output) {
  std::string text = "output:\n" + line("  directory", double_quoted(output.directory));
  if (output.frame_every) text += "  frames:\n" + optional_line("    every", output.frame_every);
  text += line("  fields", names(output.fields));
  if (output.average_from > 0)
    text += fmt::format("  averages: {{from: {}}}\n", number_text(output.average_from));
  return text + checkpoint_text(output.checkpoint);
}

std::string parameters_text(const std::map<std::string, double>& parameters) {
  if (parameters.empty()) return line("parameters", "{}");
  std::string text = "parameters:\n";
  for (const auto& [name, value] : parameters) {
    text += fmt::format("  {}: {}\n", name, number_text(value));
  }
  return text;
}

}  // namespace

std::string settings_to_yaml(const Settings& settings) {
  const int dim = settings.grid.dim;
  const bool custom = settings.custom.described_in_file;
  const Boundaries* boundaries = custom ? &settings.custom.boundaries : nullptr;
  return line("case", settings.case_name) + parameters_text(settings.parameters) +
         grid_text(settings.grid) + (custom ? custom_to_yaml(settings.custom, dim) : "") +
         scalars_to_yaml(settings.custom.scalars, dim, boundaries) +
         solids_text(settings.solids, dim) + forces_text(settings.forces, dim) +
         time_text(settings.time) + "convection:\n" + line("  scheme", settings.convection_scheme) +
         "solvers:\n" + solver_text("pressure", settings.pressure) +
         solver_text("transport", settings.transport) + solver_text("scalars", settings.scalars) +
         compare_to_yaml(settings.compare) + output_text(settings.output) +
         probes_to_yaml(settings.probes, dim) + line("device", settings.device);
}

}  // namespace hodge::sim
