// One step of a scheme with stages, rk3: for k = 1, 2, 3, with R the rate of transport and forcing,
//
//   c_k  = c_{k-1} + dt (gamma_k R(c_{k-1}) + zeta_k R(c_{k-2}))
//   u*   = u_{k-1} + dt (gamma_k R(u_{k-1}) + zeta_k R(u_{k-2})) - dt_k grad P^n / rho
//   lap phi = (rho / dt_k) div u*,   u_k = u* - dt_k / rho grad phi,   dt_k = (gamma_k + zeta_k) dt
//   P^{n+1} = P^n + phi of the last stage,   published p^{n+1} = P^{n+1} + w (P^{n+1} - P^n)
//
// Every stage is projected, so that a velocity without divergence is transported; the pressure of a
// stage is then only a first guess, and the velocity keeps the order of the scheme: third where the
// sides do not change in time. P^{n+1} is the pressure of the last stage's middle, t + 5/6 dt; p,
// which is printed, is that of t + dt: w = (dt / 6) / (5/6 dt + dt_old / 6), and 0 in the first
// step. p is of second order.
#pragma once

#include "sim/time/runge_kutta.hpp"
#include "sim/time/step_verbs.hpp"

namespace hodge::sim {

// A stage of a step of dt.
struct StageOfStep {
  RungeKuttaStage stage;
  double dt;
  StepInterval over;
};

template <int Dim, class Space>
bool runge_kutta_step(NavierStokes<Dim, Space>& flow, double dt, StepReport& report) {
  using Scalar = ScalarState<Dim, Space>;
  FlowFields<Dim, Space>& fields = flow.fields;
  const bool prescribed = flow.velocity_is_prescribed(), changes = flow.prescribed_changes;
  auto* from = &fields.velocity;
  auto scalars = flow.reactions ? &Scalar::stage : &Scalar::now;
  if (!react_first(flow, &Scalar::stage, 0.5 * dt, report)) return false;
  bool is_odd = true;
  for (const RungeKuttaStage& stage : flow.scheme.stages) {
    auto& to = is_odd ? fields.next : fields.convecting;
    const auto scalars_to = is_odd ? &Scalar::next : &Scalar::stage;
    const StageOfStep now{
        stage, dt, {fields.time + stage.start * dt, stage.length() * dt, flow.scheme.weights(1.0)}};
    if (changes) prescribe(flow, *from, now.over.start);
    if (!refresh_velocity_sides(flow, now.over, *from, *from, *from, report)) return false;
    LapTimer<Space> timer;
    take_scalar_stages(flow, now, *from, scalars, scalars_to);
    if (!prescribed) take_velocity_stage(flow, now, *from, scalars, to);
    report.transport_seconds += timer.lap();
    if (!prescribed && !project_stage(flow, now, to, report)) return false;
    if (!prescribed || changes) from = &to;
    scalars = scalars_to;
    is_odd = !is_odd;
  }
  if (!react(flow, &Scalar::next, fields.time + 0.5 * dt, 0.5 * dt, report)) return false;
  if (changes) prescribe(flow, fields.next, fields.time + dt);
  if (prescribed) return true;
  add_pressure_increment(flow);
  complete_new_pressure(flow, dt);
  return true;
}

template <int Dim, class Space>
StageEquation<Dim> stage_equation(const StageOfStep& now, const TransportOperator<Dim>& transport,
                                  const VelocityField<Dim, Space>& velocity,
                                  const Field<Dim, Space>& q) {
  StageEquation<Dim> equation{};
  equation.transport = transport;
  equation.velocity = velocity.view();
  equation.q = q.view();
  equation.dt = now.dt;
  equation.stage = now.stage;
  return equation;
}

// From one level of the scalars to the next.
template <int Dim, class Space>
void take_scalar_stages(NavierStokes<Dim, Space>& flow, const StageOfStep& now,
                        const VelocityField<Dim, Space>& velocity,
                        typename NavierStokes<Dim, Space>::ScalarLevel from,
                        typename NavierStokes<Dim, Space>::ScalarLevel to) {
  for (ScalarState<Dim, Space>& scalar : flow.fields.scalars) {
    const Field<Dim, Space>& level = scalar.*from;
    refresh_scalar_sides(flow, scalar, now.over, velocity, level, level);
    StageEquation<Dim> equation =
        stage_equation(now, transport_at(flow, at_cells, scalar.diffusivity), velocity, level);
    equation.forcing = evaluated(flow, forcing_of(flow, scalar, now.over.start));
    take_stage(equation, flow.cells.view(), scalar.rates, scalar.*to);
    fill_scalar_ghosts(scalar.*to, scalar.boundary.view());
  }
}

// u* from the level before, with the scalars of that level.
template <int Dim, class Space>
void take_velocity_stage(NavierStokes<Dim, Space>& flow, const StageOfStep& now,
                         const VelocityField<Dim, Space>& from,
                         typename NavierStokes<Dim, Space>::ScalarLevel scalars,
                         VelocityField<Dim, Space>& to) {
  for (int d = 0; d < Dim; ++d) {
    StageEquation<Dim> equation =
        stage_equation(now, transport_at(flow, d, flow.viscosity), from, from[d]);
    equation.forcing = evaluated(flow, forcing_of(flow, d, now.over.start, {{scalars, 1.0}}));
    equation.pressure = std::as_const(flow.fields.pressure).view();
    equation.acceleration = now.stage.length() / flow.density;
    take_stage(equation, flow.faces[d].view(), flow.fields.rates[d], to[d]);
  }
  fill_velocity_ghosts(to, flow.boundary.closures());
}

// Takes the divergence out of the velocity of a stage.
template <int Dim, class Space>
bool project_stage(NavierStokes<Dim, Space>& flow, const StageOfStep& now,
                   VelocityField<Dim, Space>& velocity, StepReport& report) {
  const FlowFields<Dim, Space>& fields = flow.fields;
  const double since = fields.last_dt / 6;  // the middle of the last stage of the step before
  flow.pressure_sides.advance(fields.time - since, now.over.start + 0.5 * now.over.dt);
  const bool is_first = fields.step == 0 && now.stage.start == 0.0;
  const double growth = (now.stage.start + 0.5 * now.stage.length()) * now.dt + since;
  const Moment phi_at{fields.time - since + 0.5 * growth, growth};
  if (!solve_for_phi(flow, now.over, velocity, is_first ? 0.0 : now.stage.growth, phi_at, report))
    return false;
  const double factor = phi_factor(flow, now.over);
  correct_velocity(flow, factor, velocity);
  hold_flow_rates(flow, factor, now.over.end(), velocity);
  return true;
}

}  // namespace hodge::sim
