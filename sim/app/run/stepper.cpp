#include "sim/app/run/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "sim/flow/checks.hpp"

namespace hodge::sim {

Stepper::Stepper(Flow& of, const Settings& by, const Problem& problem)
    : flow(of),
      settings(by),
      schedule(by),
      control(by, problem, of.grid()),
      steady(by, problem, of.grid()),
      diagnostics(of.diagnostics()),
      blow_up(problem, diagnostics, &of.grid()) {}

void Stepper::change_formulas(const Problem& problem) {
  control = StepControl(settings, problem, flow.grid());
  blow_up = BlowUpTest(problem, diagnostics, &flow.grid());
  std::destroy_at(&steady);
  std::construct_at(&steady, settings, problem, flow.grid());
}

void Stepper::check_first_step(const Problem& problem) const {
  check_fixed_step(settings, problem, flow.grid(), diagnostics.cfl_rate, diagnostics.max_speed,
                   diagnostics.diffusion);
}

std::optional<RunEnd> Stepper::ended() const {
  if (schedule.finished()) return RunEnd::end_time;
  if (steady.is_reached(diagnostics, flow.time())) return RunEnd::steady;
  if (settings.time.max_steps && flow.step() >= *settings.time.max_steps) return RunEnd::max_steps;
  return std::nullopt;
}

NextStep Stepper::next(double limit) const {
  const double time = flow.time(), stop = std::min(limit, schedule.next_stop_of_any(time));
  const StepState state = control.state({.time = time,
                                         .next_stop = stop,
                                         .cfl_rate = diagnostics.cfl_rate,
                                         .max_speed = diagnostics.max_speed,
                                         .velocity_rate = diagnostics.velocity_rate,
                                         .previous_dt = previous_dt,
                                         .diffusion = diagnostics.diffusion});
  const double dt = control.next(state);
  const bool lands = dt >= stop - time;
  return {state, dt, dt * diagnostics.cfl_rate, stop, lands, lands && stop == schedule.next_stop()};
}

std::optional<std::string> Stepper::refusal(const NextStep& step) const {
  if (flow.time() + step.dt <= flow.time())
    return fmt::format("the time step has shrunk to {:.3g}", step.dt);
  return std::nullopt;
}

StepReport Stepper::take(const NextStep& step) {
  const double before = flow.time();
  StepReport report = flow.advance(step.dt);
  if (!report.ok) return report;
  previous_dt = step.dt;
  if (step.lands) {
    sum.restart();
    flow.set_time(step.stop);
    if (step.at_frame) schedule.reached();
  } else if (const double after = sum.after(before, step.dt); after != flow.time()) {
    flow.set_time(after);
  }
  return report;
}

std::optional<std::string> Stepper::look() {
  diagnostics = flow.diagnostics();
  return blow_up.complaint(diagnostics, flow.time());
}

}  // namespace hodge::sim
