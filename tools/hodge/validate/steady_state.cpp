#include "tools/hodge/validate/steady_state.hpp"

#include <fmt/format.h>

#include <chrono>

#include "linalg/base/errors.hpp"
#include "tools/hodge/validate/cell_field.hpp"

namespace hodge::tools {
namespace {

constexpr int steps_between_looks = 10;

void step(sim::Flow& flow, double dt, const std::string& name) {
  const sim::StepReport report = flow.advance(dt);
  if (!report.ok)
    throw NumericalError(fmt::format("{}: step {}: {}", name, flow.step(), report.failure));
}

// True when steady.
bool look(const sim::Flow& flow, const sim::Settings& settings, const std::string& name) {
  const sim::Diagnostics now = flow.diagnostics();
  if (!now.finite) {
    throw NumericalError(
        fmt::format("{}: the fields are not finite at t = {:.6g}", name, flow.time()));
  }
  if (now.rate_of_change <= settings.time.steady_tolerance.value()) return true;
  if (flow.time() >= settings.time.end) {
    throw NumericalError(
        fmt::format("{}: not steady at t = {:.6g}: rate of change {:.3g}, expected {:.3g}", name,
                    flow.time(), now.rate_of_change, settings.time.steady_tolerance.value()));
  }
  return false;
}

}  // namespace

std::unique_ptr<sim::Flow> run_to_steady_state(const Report& report, const sim::Settings& settings,
                                               const sim::Problem& problem,
                                               const std::string& name) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  auto flow = sim::make_flow(settings, problem);
  do {
    for (int i = 0; i < steps_between_looks; ++i)
      step(*flow, settings.time.step.size.value(), name);
  } while (!look(*flow, settings, name));
  const std::chrono::duration<double> seconds = Clock::now() - start;
  report.progress(fmt::format("{}: steady at t = {:.4g} after {} steps, {:.1f} s", name,
                              flow->time(), flow->step(), seconds.count()));
  return flow;
}

sim::Problem started_from(const sim::Flow& flow, sim::Problem problem) {
  problem.initial_velocity = [velocity = CellField(flow, "velocity")](sim::Point x) {
    return std::array<double, 3>{velocity.value(0, x), velocity.value(1, x), velocity.value(2, x)};
  };
  problem.initial_pressure = [pressure = CellField(flow, "pressure")](sim::Point x) {
    return pressure.value(0, x);
  };
  for (sim::ScalarProblem& scalar : problem.scalars)
    scalar.initial = [values = CellField(flow, scalar.name)](sim::Point x) {
      return values.value(0, x);
    };
  return problem;
}

}  // namespace hodge::tools
