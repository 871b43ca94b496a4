#include "tools/hodge/validate/case_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cases/registry.hpp"
#include "linalg/base/errors.hpp"
#include "sim/app/config/settings_from_yaml.hpp"

namespace hodge::tools {
namespace {

const cases::Case& known_case(const std::string& name) {
  const cases::Case* found = cases::find_case(name);
  if (found == nullptr) throw ConfigError(fmt::format("there is no case {}", name));
  return *found;
}

std::map<std::string, double> all_parameters(const cases::Case& chosen,
                                             const std::map<std::string, double>& given) {
  std::map<std::string, double> parameters;
  for (const cases::Parameter& parameter : chosen.parameters)
    parameters[parameter.name] = parameter.default_value;
  for (const auto& [name, value] : given) {
    if (!parameters.contains(name))
      throw ConfigError(fmt::format("{} has no parameter {}", chosen.name, name));
    parameters[name] = value;
  }
  return parameters;
}

}  // namespace

sim::Settings case_settings(const ValidateOptions& options, const std::string& case_name,
                            const std::vector<int>& cells,
                            const std::map<std::string, double>& parameters) {
  const cases::Case& chosen = known_case(case_name);
  sim::Settings settings = sim::default_settings();
  settings.case_name = case_name;
  settings.parameters = all_parameters(chosen, parameters);
  settings.grid.dim = static_cast<int>(cells.size());
  for (int d = 0; d < settings.grid.dim; ++d) {
    settings.grid.axes[d].cells = cells[d];
    settings.grid.axes[d].lower = chosen.box.lower[d];
    settings.grid.axes[d].upper = chosen.box.upper[d];
  }
  settings.pressure.tolerance = settings.transport.tolerance = settings.scalars.tolerance = 1e-8;
  settings.device = options.device;
  return settings;
}

sim::Problem case_problem(const sim::Settings& settings) {
  const cases::Case& chosen = known_case(settings.case_name);
  if (std::ranges::find(chosen.dimensions, settings.grid.dim) == chosen.dimensions.end())
    throw ConfigError(
        fmt::format("{} has no {} dimensions", settings.case_name, settings.grid.dim));
  return chosen.make(settings);
}

void advance(sim::Flow& flow, const FixedSteps& plan) {
  const double dt = (plan.end - flow.time()) / static_cast<double>(plan.steps);
  for (long step = 0; step < plan.steps; ++step) {
    const sim::StepReport report = flow.advance(dt);
    if (!report.ok)
      throw NumericalError(fmt::format("{}: step {}: {}", plan.name, flow.step(), report.failure));
    if (plan.observe) plan.observe(flow);
  }
  flow.set_time(plan.end);
  if (!flow.diagnostics().finite)
    throw NumericalError(
        fmt::format("{}: the fields are not finite at t = {:.6g}", plan.name, flow.time()));
}

std::unique_ptr<sim::Flow> run_case(const Report& report, const sim::Settings& settings,
                                    const FixedSteps& plan) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  auto flow = sim::make_flow(settings, case_problem(settings));
  advance(*flow, plan);
  const std::chrono::duration<double> seconds = Clock::now() - start;
  report.progress(fmt::format("{}: {} steps to t = {:.4g}, {:.1f} s", plan.name, plan.steps,
                              flow->time(), seconds.count()));
  return flow;
}

double quantity(const sim::Flow& flow, const std::string& name) {
  for (const sim::Quantity& entry : flow.quantities())
    if (entry.name == name) return entry.value;
  throw ConfigError(fmt::format("there is no quantity {}", name));
}

std::string cells_text(const sim::Settings& settings) {
  return sim::Grid(settings.grid).description();
}

}  // namespace hodge::tools
