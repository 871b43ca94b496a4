#include "tools/hodge/validate/case_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cases/registry.hpp"
#include "linalg/base/errors.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "sim/app/run/run.hpp"
#include "sim/flow/treatment.hpp"
#include "tools/hodge/validate/cell_field.hpp"

namespace hodge::tools {
namespace {

const cases::Case& known_case(const std::string& name) {
  const cases::Case* found = cases::find_case(name);
  if (found == nullptr) throw ConfigError(fmt::format("there is no case {}", name));
  return *found;
}

constexpr int steps_between_looks = 10;

void advance_once(sim::Flow& flow, double dt, const std::string& name) {
  const sim::StepReport report = flow.advance(dt);
  if (!report.ok)
    throw NumericalError(fmt::format("{}: step {}: {}", name, flow.step(), report.failure));
}

sim::Diagnostics finite_diagnostics(const sim::Flow& flow, const std::string& name) {
  const sim::Diagnostics now = flow.diagnostics();
  if (now.finite) return now;
  throw NumericalError(
      fmt::format("{}: the fields are not finite at t = {:.6g}", name, flow.time()));
}

bool is_steady(const sim::Flow& flow, const sim::Settings& settings, const std::string& name) {
  const sim::Diagnostics now = finite_diagnostics(flow, name);
  const double tolerance = settings.time.steady_tolerance.value();
  const bool steady = now.rate_of_change <= tolerance;
  if (!steady && flow.time() >= settings.time.end)
    throw NumericalError(
        fmt::format("{}: not steady at t = {:.6g}: rate of change {:.3g}, expected {:.3g}", name,
                    flow.time(), now.rate_of_change, tolerance));
  return steady;
}

// The problem with the fields of a flow as its initial state.
sim::Problem started_from(const sim::Flow& flow, sim::Problem problem) {
  problem.initial_velocity = [velocity = CellField(flow, "velocity")](sim::Point x) {
    return std::array<double, 3>{velocity.value(0, x), velocity.value(1, x), velocity.value(2, x)};
  };
  const auto values_of = [&](const std::string& name) {
    return [field = CellField(flow, name)](sim::Point x) { return field.value(0, x); };
  };
  problem.initial_pressure = values_of("pressure");
  for (sim::ScalarProblem& scalar : problem.scalars) scalar.initial = values_of(scalar.name);
  return problem;
}

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void advance_to_steady_state(const Report& report, const sim::Settings& settings,
                             const std::string& name, sim::Flow& flow) {
  const auto start = Clock::now();
  do {
    for (int i = 0; i < steps_between_looks; ++i)
      advance_once(flow, settings.time.step.size.value(), name);
  } while (!is_steady(flow, settings, name));
  report.progress(fmt::format("{}: steady at t = {:.4g} after {} steps, {:.1f} s", name,
                              flow.time(), flow.step(), seconds_since(start)));
}

}  // namespace

sim::Settings case_settings(const Report& report, const std::string& case_name,
                            const std::vector<int>& cells,
                            const std::map<std::string, double>& parameters,
                            const std::string& scheme) {
  const cases::Case& chosen = known_case(case_name);
  sim::Settings settings = sim::default_settings();
  settings.case_name = case_name;
  for (const cases::Parameter& parameter : chosen.parameters)
    settings.parameters[parameter.name] = parameter.default_value;
  for (const auto& [name, value] : parameters) {
    if (!settings.parameters.contains(name))
      throw ConfigError(fmt::format("{} has no parameter {}", case_name, name));
    settings.parameters[name] = value;
  }
  settings.grid.dim = static_cast<int>(cells.size());
  for (int d = 0; d < settings.grid.dim; ++d) {
    settings.grid.axes[d].cells = cells[d];
    settings.grid.axes[d].lower = chosen.box.lower[d];
    settings.grid.axes[d].upper = chosen.box.upper[d];
  }
  settings.pressure.tolerance = settings.transport.tolerance = settings.scalars.tolerance = 1e-8;
  settings.time.scheme = scheme;
  settings.scalar_convection = "central";  // second order, which the validations measure
  settings.device = report.options.device;
  return settings;
}

sim::Problem case_problem(const sim::Settings& settings) {
  const cases::Case& chosen = known_case(settings.case_name);
  if (std::ranges::find(chosen.dimensions, settings.grid.dim) == chosen.dimensions.end())
    throw ConfigError(
        fmt::format("{} has no {} dimensions", settings.case_name, settings.grid.dim));
  sim::Problem problem = chosen.make(settings);
  sim::choose_treatment(settings, problem);
  return problem;
}

void advance(sim::Flow& flow, const FixedSteps& plan) {
  const double dt = (plan.end - flow.time()) / static_cast<double>(plan.steps);
  for (long step = 0; step < plan.steps; ++step) {
    advance_once(flow, dt, plan.name);
    if (plan.observe) plan.observe(flow);
  }
  flow.set_time(plan.end);
  (void)finite_diagnostics(flow, plan.name);
}

std::unique_ptr<sim::Flow> run_case(const Report& report, const sim::Settings& settings,
                                    const FixedSteps& plan) {
  const auto start = Clock::now();
  auto flow = sim::make_shared_flow(report.options.leader, settings, case_problem(settings));
  advance(*flow, plan);
  report.progress(fmt::format("{}: {} steps to t = {:.4g}, {:.1f} s", plan.name, plan.steps,
                              flow->time(), seconds_since(start)));
  return flow;
}

void set_steady(sim::Settings& settings, const SteadyPlan& plan) {
  settings.time.step.size = plan.step;
  settings.time.steady_tolerance = plan.tolerance;
  settings.time.end = plan.end;
  if (plan.pressure) settings.pressure.tolerance = *plan.pressure;
}

std::unique_ptr<sim::Flow> run_to_steady_state(const Report& report, const sim::Settings& settings,
                                               const sim::Problem& problem,
                                               const std::string& name) {
  auto flow = sim::make_flow(settings, problem);
  advance_to_steady_state(report, settings, name, *flow);
  return flow;
}

std::unique_ptr<sim::Flow> run_to_steady_state(const Report& report, const sim::Settings& settings,
                                               const std::string& name, const sim::Flow* start) {
  sim::Problem problem = case_problem(settings);
  if (start)
    return run_to_steady_state(report, settings, started_from(*start, std::move(problem)), name);
  auto flow = sim::make_shared_flow(report.options.leader, settings, problem);
  advance_to_steady_state(report, settings, name, *flow);
  return flow;
}

void add_time_order(Report& report, Convergence study, const std::string& grid, long fewest,
                    const RunWithSteps& run, const std::string& field) {
  std::unique_ptr<sim::Flow> coarse = run(fewest);
  for (const long refinement : {1, 2, 4}) {
    const long steps = fewest * refinement;
    auto fine = run(2 * steps);
    study.add(static_cast<double>(steps), fmt::format("{}, {} steps", grid, steps),
              {distance(*coarse, *fine, field)});
    coarse = std::move(fine);
  }
  study.write(report);
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
