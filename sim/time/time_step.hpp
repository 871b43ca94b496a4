// How a flow starts, and one time step of its scheme. A step whose solve fails leaves velocity,
// scalars, pressure and clock as they were.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "linalg/base/sum_tiles.hpp"
#include "linalg/processes/agree.hpp"
#include "sim/time/implicit_step.hpp"
#include "sim/time/initial_pressure.hpp"
#include "sim/time/runge_kutta_step.hpp"

namespace hodge::sim {

// What a failed solve leaves is no guess, and what a stage has left is no level before: zeros in
// its place never look like a steady flow, also not in a checkpoint.
template <int Dim, class Space>
void forget_failed_step(NavierStokes<Dim, Space>& flow) {
  FlowFields<Dim, Space>& fields = flow.fields;
  fields.phi.values().fill(0.0);
  for (int d = 0; d < Dim && flow.scheme.has_stages(); ++d) fields.previous[d].values().fill(0.0);
}

template <int Dim, class Space>
[[nodiscard]] StepReport advance(NavierStokes<Dim, Space>& flow, double dt) {
  LapTimer<Space>::forget();  // of a step that threw
  const linalg::SummingOver box(flow.grid.layout().whole_extents());
  LapTimer<Space> timer;
  FlowFields<Dim, Space>& fields = flow.fields;
  StepReport report;
  report.dt = dt;
  if (flow.observer) flow.observer->begin_step(fields.step + 1, fields.time + dt);
  report.ok = flow.scheme.has_stages() ? runge_kutta_step(flow, dt, report)
                                       : implicit_step(flow, dt, report);
  if (report.ok) find_model_constants(flow, fields.next);
  if (report.ok && flow.varying.any)
    report.ok = refresh_coefficients(flow, fields.next, &ScalarState<Dim, Space>::next,
                                     fields.time + dt, report);
  if (!report.ok) forget_failed_step(flow);
  if (!report.ok && report.failure.empty())
    report.failure = solve_failure(report.solves.back(), fields.step + 1, fields.time + dt);
  if (report.ok) {
    accept_balance(flow, dt);
    fields.accept_step(dt);
    flow.varying.is_present = true;
  }
  LapTimer<Space>::settle();
  report.other_seconds = timer.lap() - report.assembly_seconds - report.transport_seconds -
                         report.pressure_seconds - report.reaction_seconds -
                         report.comparison_seconds;
  return report;
}

// The fields of t = 0 in the padded layout, of which the inner values and the faces in the sides
// need be set.
template <int Dim>
struct InitialValues {
  std::array<std::vector<double>, Dim> velocity;
  std::optional<std::vector<double>> pressure;  // none: that which belongs to the velocity
  std::vector<std::vector<double>> scalars;
  // In which formulas of sides and flow rates are straight lines; 0: they do not change.
  double short_time = 0;
};

// The coefficients that vary, of the present level. False where one is not positive.
template <int Dim, class Space>
bool refresh_present_coefficients(NavierStokes<Dim, Space>& flow, StepReport& report) {
  const linalg::SummingOver box(flow.grid.layout().whole_extents());
  find_model_constants(flow, flow.fields.velocity);
  const bool ok = refresh_coefficients(flow, flow.fields.velocity, &ScalarState<Dim, Space>::now,
                                       flow.fields.time, report);
  flow.varying.is_present = ok;
  return ok;
}

// Starts the velocity as it is given, but without its divergence and with its flow rates: the
// report's only solve.
template <int Dim, class Space>
bool start_velocity(NavierStokes<Dim, Space>& flow, const BoundaryStep<Dim>& sides,
                    const InitialValues<Dim>& initial, StepReport& report) {
  FlowFields<Dim, Space>& fields = flow.fields;
  flow.boundary.refresh(sides, nullptr, nullptr);
  if (!inflow_balances(flow, report)) return false;
  prepare_flow_rates(flow);
  stop_at_solids(flow.bodies.view(), fields.velocity);
  fill_velocity_ghosts(fields.velocity, flow.boundary.closures());
  if (flow.boundary.has_outflow()) {
    // Whether fluid enters through an open side depends on its faces on both sides of a cut.
    flow.boundary.refresh(sides, nullptr, nullptr);
    fill_velocity_ghosts(fields.velocity, flow.boundary.closures());
  }
  slave_small_faces(flow, fields.velocity);
  double speed = 0.0;
  for (const std::vector<double>& component : initial.velocity)
    for (const double u : component) speed = std::max(speed, std::abs(u));
  speed = linalg::greatest(linalg::shared_rows(), speed);  // of all parts of the box
  // |u| / h: what div u is before any cancellation, and 1 / dt at a CFL number of 1.
  const double rate = speed / flow.grid.smallest_width();
  flow.rounding.measure_velocity(flow.grid, flow.bodies.view(),
                                 std::as_const(fields.velocity).view(),
                                 std::as_const(fields.pressure).view(), {1.0, 0.0, 0.0});
  report.ok = flow.pressure_solve->solve(
      fields.velocity,
      {1.0, 0.0, flow.divergence_tolerance * rate, {}, {}, true, flow.rounding.of_pressure()},
      flow.work, report);
  if (!report.ok) report.failure = solve_failure(report.solves.back(), 0, fields.time);
  correct_velocity(flow, 1.0, fields.velocity);
  hold_flow_rates(flow, 1.0, 0.0, fields.velocity);
  fields.phi.values().fill(0.0);
  return report.ok;
}

template <int Dim, class Space>
bool start_scalars(NavierStokes<Dim, Space>& flow, const BoundaryStep<Dim>& sides,
                   const InitialValues<Dim>& initial, StepReport& report) {
  for (std::size_t k = 0; k < flow.fields.scalars.size(); ++k)
    flow.fields.scalars[k].now.values().upload(initial.scalars[k]);
  if (!refresh_present_coefficients(flow, report)) return false;
  for (ScalarState<Dim, Space>& scalar : flow.fields.scalars) {
    BoundaryStep<Dim> of_scalar = sides;
    of_scalar.coefficient = scalar.domain.sides;
    scalar.boundary.refresh(of_scalar);
    complete_scalar(scalar, scalar.now);
    scalar.before.values() = scalar.now.values();
    scalar.next.values() = scalar.now.values();
  }
  return true;
}

// Ghosts are those that the sides give at t = 0.
template <int Dim, class Space>
[[nodiscard]] StepReport start(NavierStokes<Dim, Space>& flow, const InitialValues<Dim>& initial) {
  const linalg::SummingOver box(flow.grid.layout().whole_extents());
  StepReport report;
  FlowFields<Dim, Space>& fields = flow.fields;
  const BoundaryStep<Dim> sides = flow.boundary.step(0.0, 0.0, backward_euler_weights(1.0),
                                                     std::as_const(fields.velocity).view());
  for (int d = 0; d < Dim; ++d) fields.velocity[d].values().upload(initial.velocity[d]);
  if (flow.velocity_is_prescribed()) {
    prescribe(flow, fields.velocity, 0.0);
    prescribe(flow, fields.next, 0.0);
    if (!flow.scheme.has_stages()) prescribe(flow, fields.convecting, 0.0);
  } else if (!start_velocity(flow, sides, initial, report)) {
    report.failure = "the initial velocity: " + report.failure;
    return report;
  }
  if (!start_scalars(flow, sides, initial, report)) return report;
  if (initial.pressure)
    fields.pressure.values().upload(*initial.pressure);
  else if (!flow.velocity_is_prescribed())
    start_pressure(flow, sides, initial.short_time);
  for (int d = 0; d < Dim; ++d) fields.previous[d].values() = fields.velocity[d].values();
  complete_pressure(flow, fields.pressure);
  if (fields.pressure_lags) fields.published_pressure.values() = 1.0 * fields.pressure.values();
  return report;
}

}  // namespace hodge::sim
