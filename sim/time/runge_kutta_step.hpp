// One step of a scheme with stages, rk3 or ab2: for k = 1, 2, 3, with R the rate of transport and
// forcing,
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
//
// ab2 has one stage, gamma = 1 + r/2, zeta = -r/2, r = dt / dt_old, whose old rate is that of the
// step before; so P is the pressure of the step's middle, w = (dt / 2) / ((dt + dt_old) / 2), and
// one projection makes the step. Second order in velocity and p. The first step is Euler's, r = 0.
//
// Scalars that a convection scheme bounds are limited after the last stage of rk3
// (limited_scalars.hpp). Beside sharp solids scalars are solved for after the velocity
// (scalar_step.hpp).
//
// No other face than those beside sharp bodies (sharp_stage.hpp) reads u^{n-1}, so its fields hold
// the level of rk3's second stage, and ab2's new rates.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "sim/time/momentum_balance.hpp"
#include "sim/time/projection_verbs.hpp"
#include "sim/time/runge_kutta.hpp"
#include "sim/time/scalar_step.hpp"
#include "sim/time/sharp_stage.hpp"

namespace hodge::sim {

// A stage of a step of dt.
struct StageOfStep {
  RungeKuttaStage stage;
  double dt;
  StepInterval over;
  bool keeps_rates;
};

template <int Dim, class Space>
bool runge_kutta_step(NavierStokes<Dim, Space>& flow, double dt, StepReport& report) {
  using Scalar = ScalarState<Dim, Space>;
  FlowFields<Dim, Space>& fields = flow.fields;
  const bool prescribed = flow.velocity_is_prescribed(), changes = flow.prescribed_changes;
  auto* from = &fields.velocity;
  const bool follow = flow.scalars_follow();
  auto scalars = flow.reactions && !follow ? &Scalar::stage : &Scalar::now;
  if (!follow && !react_first(flow, &Scalar::stage, 0.5 * dt, report)) return false;
  const double ratio = fields.last_dt > 0 ? dt / fields.last_dt : 0.0;
  bool is_odd = true;
  SharpFriction friction;
  if (flow.scheme.keeps_rates) friction = friction_of_levels(ratio);
  for (int d = 0; flow.scheme.keeps_rates && d < Dim; ++d)
    friction.uniform[d] = flow.flow_rates.driving(d);
  double shortest = 1.0;
  for (const RungeKuttaStage& stage : flow.scheme.stages)
    shortest = std::min(shortest, stage.length());
  use_implicit_friction(flow, friction.implicit * shortest * dt);
  measure_rounding(flow, {fields.time, dt, backward_euler_weights(1.0)});
  for (std::size_t k = 0; k < flow.scheme.stages.size(); ++k) {
    const RungeKuttaStage stage = stage_of_step(flow.scheme, k, ratio);
    auto& to = is_odd ? fields.next : fields.previous;
    const auto scalars_to = is_odd ? &Scalar::next : &Scalar::stage;
    const StageOfStep now{
        stage,
        dt,
        {fields.time + stage.start * dt, stage.length() * dt, backward_euler_weights(1.0)},
        flow.scheme.keeps_rates || !stage.is_last()};
    if (changes) prescribe(flow, *from, now.over.start);
    const bool is_known = k == 0 && flow.varying.is_present && !flow.reactions;
    if (!is_known && !refresh_coefficients(flow, *from, scalars, now.over.start, report))
      return false;
    if (!refresh_velocity_sides(flow, now.over, *from, *from, *from, report)) return false;
    LapTimer<Space> timer;
    if (!follow) take_scalar_stages(flow, now, *from, scalars, scalars_to);
    if (!prescribed) take_velocity_stage(flow, now, *from, scalars, friction, to);
    timer.count([&report](double seconds) { report.transport_seconds += seconds; });
    if (!prescribed && !project_stage(flow, now, *from, scalars, to, report)) return false;
    if (!prescribed || changes) from = &to;
    if (!follow) scalars = scalars_to;
    is_odd = !is_odd;
  }
  const bool done =
      follow ? transport_scalars(flow, {fields.time, dt, flow.scalar_scheme.weights(ratio)}, report)
             : react(flow, &Scalar::next, fields.time + 0.5 * dt, 0.5 * dt, report);
  if (!done) return false;
  if (changes) prescribe(flow, fields.next, fields.time + dt);
  if (flow.scheme.keeps_rates) keep_rates(flow);
  if (prescribed) return true;
  if (flow.ends_with_scalars()) add_pressure_increment(flow);
  complete_new_pressure(flow, dt);
  return true;
}

// The rates of this step become those of the step before. Until then both are kept, so that a step
// that fails leaves the old ones; the new ones stand in fields that a step has no other use for.
template <int Dim, class Space>
void keep_rates(NavierStokes<Dim, Space>& flow) {
  FlowFields<Dim, Space>& fields = flow.fields;
  for (int d = 0; d < Dim && !flow.velocity_is_prescribed(); ++d)
    std::swap(fields.rates[d], fields.previous[d]);
  if (!flow.scalar_scheme.keeps_rates) return;
  for (ScalarState<Dim, Space>& scalar : fields.scalars) std::swap(scalar.rates, scalar.stage);
}

template <int Dim, class Space>
StageEquation<Dim> stage_equation(const NavierStokes<Dim, Space>& flow, const StageOfStep& now,
                                  const TransportOperator<Dim>& transport,
                                  const VelocityField<Dim, Space>& velocity) {
  StageEquation<Dim> equation{};
  equation.transport = transport;
  equation.velocity = velocity.view();
  equation.dt = now.dt;
  equation.stage = now.stage;
  equation.keeps_rates = now.keeps_rates;
  equation.uniform = flow.uniform;
  return equation;
}

// q: the level that the stage starts from; next: what it becomes without resistance. Friction
// beside sharp bodies has divided what it changes by 1 + `friction` stiffness, 1 / b
// (sharp_stage.hpp), and acts together with the resistance:
//
//   (1 + b dt s) (new - q) = (next - q) + b dt R(q)
template <int Dim, class Space>
void resist_in_stage(NavierStokes<Dim, Space>& flow, int slot, double dt,
                     const VelocityField<Dim, Space>& velocity, const Field<Dim, Space>& level,
                     const Unknowns<Dim>& unknowns, Field<Dim, Space>& next,
                     double friction = 0.0) {
  if (!flow.resistance.resists(slot)) return;
  const ResistingVelocity<Dim> u{velocity.view(), velocity.view()};
  const ConstFieldView<Dim> implicit = flow.resistance.implicit(slot, u, dt, true),
                            q = level.view();
  const ResistanceView<Dim> on = flow.resistance.view(slot);
  const FieldView<Dim> result = next.view();
  const BodyView<Dim> bodies = flow.bodies.view();
  const bool is_held = friction != 0.0 && bodies.cuts_faces;
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!unknowns.contains(c)) return;
    double over = dt;
    if (is_held) over /= 1.0 + friction * bodies.at(c).stiffness[on.location];
    const double change = result(c) - q(c) + over * resisting_rate(on, u, q, c);
    result(c) = q(c) + change / (1.0 + over * implicit(c));
  });
}

// How far ahead of the present level, in steps, the scalars of a stage are on the line through
// their last two levels, where they follow.
template <int Dim, class Space>
double scalars_ahead(const NavierStokes<Dim, Space>& flow, const StageOfStep& now) {
  const FlowFields<Dim, Space>& fields = flow.fields;
  return fields.last_dt > 0.0 ? (now.over.start - fields.time) / fields.last_dt : 0.0;
}

// What drives component d in a stage: where the scalars follow, by the line through their last two
// levels, else by those that the stage starts with.
template <int Dim, class Space>
Forcing<Dim> forcing_in_stage(const NavierStokes<Dim, Space>& flow, int d, const StageOfStep& now,
                              typename NavierStokes<Dim, Space>::ScalarLevel scalars) {
  using Scalar = ScalarState<Dim, Space>;
  const double start = now.over.start;
  if (!flow.scalars_follow()) return forcing_of(flow, d, start, {{scalars, 1.0}});
  const double ahead = scalars_ahead(flow, now);
  return forcing_of(flow, d, start, {{&Scalar::now, 1.0 + ahead}, {&Scalar::before, -ahead}});
}

// Forces of the flow likewise. The only stage of ab2 still finds u^{n-1} in its fields.
template <int Dim, class Space>
void refresh_flow_force(const NavierStokes<Dim, Space>& flow, const StageOfStep& now,
                        const VelocityField<Dim, Space>& velocity,
                        typename NavierStokes<Dim, Space>::ScalarLevel scalars) {
  using Scalar = ScalarState<Dim, Space>;
  const FlowFields<Dim, Space>& fields = flow.fields;
  const ResistingVelocity<Dim> u{velocity.view(), fields.previous.view()};
  const bool is_damped = flow.scheme.keeps_rates && fields.last_dt > 0.0;
  const double start = now.over.start, damped = is_damped ? now.dt * now.dt / fields.last_dt : 0.0;
  if (!flow.scalars_follow())
    return refresh_flow_force<Dim, Space>(flow, u, start, damped, {{scalars, 1.0}});
  const double ahead = scalars_ahead(flow, now);
  refresh_flow_force<Dim, Space>(flow, u, start, damped,
                                 {{&Scalar::now, 1.0 + ahead}, {&Scalar::before, -ahead}});
}

// From one level of the scalars to the next.
template <int Dim, class Space>
void take_scalar_stages(NavierStokes<Dim, Space>& flow, const StageOfStep& now,
                        const VelocityField<Dim, Space>& velocity,
                        typename NavierStokes<Dim, Space>::ScalarLevel from,
                        typename NavierStokes<Dim, Space>::ScalarLevel to) {
  for (ScalarState<Dim, Space>& scalar : flow.fields.scalars) {
    const Field<Dim, Space>& level = scalar.*from;
    Field<Dim, Space>& next = scalar.*to;
    refresh_scalar_sides(flow, scalar, now.over, velocity, level, level);
    refresh_bodies(scalar, now.over.start);
    StageEquation<Dim> equation = stage_equation(flow, now, transport_at(flow, scalar), velocity);
    const Unknowns<Dim> cells = scalar.domain.cells;
    const Forcing<Dim> source = forcing_of(flow, scalar, now.over.start);
    const StageField<Dim> field = stage_field(
        at_cells, level, scalar.rates, flow.scheme.keeps_rates ? scalar.stage : scalar.rates, next,
        cells, forcing_of_stage(source, cells, next), source.constant);
    take_stage<at_cells, Dim, Space, 1>(equation, {field});
    if (now.stage.is_last() && is_limited(flow, scalar))
      limit_last_stage(flow, scalar, now.dt, velocity, level);
    resist_in_stage(flow, resistance_of(flow, scalar), now.over.dt, velocity, level, cells, next);
    complete_scalar(scalar, next);
  }
}

// u += dt G. G goes with the pressure, which is of the present step: rates that the next step reads
// are without it.
template <int Dim, class Space>
void accelerate_uniformly(const double* acceleration, double dt, const Unknowns<Dim>& faces,
                          Field<Dim, Space>& component) {
  if (acceleration == nullptr) return;
  const FieldView<Dim> u = component.view();
  linalg::for_each<Space>(faces.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (faces.contains(c)) u(c) += dt * *acceleration;
  });
}

// u* from the level before, with the scalars of that level.
template <int Dim, class Space>
void take_velocity_stage(NavierStokes<Dim, Space>& flow, const StageOfStep& now,
                         const VelocityField<Dim, Space>& from,
                         typename NavierStokes<Dim, Space>::ScalarLevel scalars,
                         const SharpFriction& friction, VelocityField<Dim, Space>& to) {
  StageEquation<Dim> equation = stage_equation(flow, now, transport_of_component(flow, 0), from);
  equation.pressure = std::as_const(flow.fields.pressure).view();
  equation.acceleration = now.stage.length() / flow.density;
  refresh_flow_force(flow, now, from, scalars);
  std::array<StageField<Dim>, Dim> components;
  for (int d = 0; d < Dim; ++d) {
    const Unknowns<Dim> faces = flow.faces[d].view();
    Forcing<Dim> forcing = forcing_in_stage(flow, d, now, scalars);
    if (flow.scheme.keeps_rates) forcing.uniform = nullptr;
    Field<Dim, Space>& old_rate = flow.fields.rates[d];
    Field<Dim, Space>& rate = flow.scheme.keeps_rates ? flow.fields.previous[d] : old_rate;
    components[d] = stage_field(d, from[d], old_rate, rate, to[d], faces,
                                forcing_of_stage(forcing, faces, to[d]), forcing.constant);
  }
  take_stage_of_velocity<Dim, Space>(equation, components, flow.sharp, friction);
  for (int d = 0; d < Dim && flow.scheme.keeps_rates; ++d)
    accelerate_uniformly(flow.flow_rates.driving(d), now.over.dt, flow.faces[d].view(), to[d]);
  for (int d = 0; d < Dim; ++d)
    resist_in_stage(flow, d, now.over.dt, from, from[d], flow.faces[d].view(), to[d],
                    flow.viscosity * friction.implicit * now.over.dt);
  fill_faces_in_sides(to, flow.boundary.closures());
  if (flow.sharp) {
    fill_velocity_ghosts(to, flow.boundary.closures());
    slave_small_faces(flow, to);
  }
}

// Of a stage `from` a level of the velocity, with these scalars, to u*.
template <int Dim, class Space>
void balance_stage(NavierStokes<Dim, Space>& flow, const StageOfStep& now,
                   const VelocityField<Dim, Space>& from,
                   typename NavierStokes<Dim, Space>::ScalarLevel scalars,
                   const VelocityField<Dim, Space>& uncorrected) {
  if (!flow.control_volumes.any()) return;
  MomentumBalance<Dim> balance = momentum_balance(flow, now.over, uncorrected);
  const double varies = balance.transport.coefficient.varies() ? 1.0 : 0.0;
  balance.level[0] = {from.view(), from.view(), 1.0, 1.0, varies};
  for (int d = 0; d < Dim; ++d) balance.forcing[d] = forcing_in_stage(flow, d, now, scalars);
  balance.old[0] = balance.old[1] = from.view();
  balance.rate[0] = 1.0 / now.dt;
  balance.rate[1] = -1.0 / now.dt;
  balance.rate[2] = 0.0;
  balance.pressure_weight = now.stage.length();
  flow.control_volumes.measure(balance, now.stage.gamma, now.stage.zeta, now.stage.start == 0.0);
}

// Takes the divergence out of the velocity of a stage. The last one adds phi to the pressure,
// unless reactions or solves follow, which may fail: a step that fails leaves the pressure as it
// was.
template <int Dim, class Space>
bool project_stage(NavierStokes<Dim, Space>& flow, const StageOfStep& now,
                   const VelocityField<Dim, Space>& from,
                   typename NavierStokes<Dim, Space>::ScalarLevel scalars,
                   VelocityField<Dim, Space>& velocity, StepReport& report) {
  const FlowFields<Dim, Space>& fields = flow.fields;
  // From the middle of the last stage of the step before: dt_old / 6 for rk3.
  const double since = fields.last_dt / (2.0 / flow.scheme.stages.back().length());
  flow.pressure_sides.advance(fields.time - since, now.over.start + 0.5 * now.over.dt);
  const bool is_first = fields.step == 0 && now.stage.start == 0.0;
  const double growth = (now.stage.start + 0.5 * now.stage.length()) * now.dt + since;
  const Moment phi_at{fields.time - since + 0.5 * growth, growth};
  if (!solve_for_phi(flow, now.over, velocity, is_first ? 0.0 : now.stage.growth, phi_at, report,
                     now.stage.is_last()))
    return false;
  balance_stage(flow, now, from, scalars, velocity);
  const double factor = phi_factor(flow, now.over);
  if (now.stage.is_last() && !flow.ends_with_scalars())
    correct_velocity_and_pressure(flow, now.dt, factor, velocity);
  else
    correct_velocity(flow, factor, velocity);
  hold_flow_rates(flow, factor, now.over.end(), velocity);
  return true;
}

}  // namespace hodge::sim
