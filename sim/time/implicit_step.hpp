// One step with implicit diffusion: bdf2 and backward_euler, whose convection is implicit too, and
// cn_ab2, whose convection is explicit, so that all its systems are symmetric. With the shares
// theta_c, theta_d of convection and diffusion at the new level (TimeScheme::implicit),
// D_t q = (a0 q + a1 q^n + a2 q^{n-1}) / dt, and t' = t^n + theta_d dt:
//
//   u^ = e0 u^n + e1 u^{n-1}
//   N(q)        = theta_c div(u^ q) + (1 - theta_c) (e0 div(u^n q^n) + e1 div(u^{n-1} q^{n-1}))
//   L(q)        = theta_d lap q + (1 - theta_d) lap q^n
//   scalars     D_t c + N(c) = D L(c) + s(t')
//   predictor   D_t u* + N(u*) = -grad P / rho + nu L(u*) + f(t')
//   phi         lap phi = (rho a0 / dt) div u*
//   corrector   P += phi - theta_d rho nu div u*
//               u^{n+1} = u* - dt / (rho a0) grad phi
//
// P is the pressure at t^n + pressure_at dt: of the new level where theta_d = 1, of the middle of
// the step for cn_ab2, whose p^{n+1} is on the line through the last two P (complete_new_pressure).
//
// Of scalars there is more in scalar_step.hpp.
//
// Second order in space with central convection, and in time but for backward_euler. Implicit
// convection beyond central and upwind is upwind in the matrix; the rest is iterated to the new
// level (deferred_convection.hpp).
// Sources: J.-L. Guermond, P. Minev & J. Shen, Comput. Methods Appl. Mech. Engrg. 195, 2006,
// Sec. 3.4; of cn_ab2: J. Kim & P. Moin, J. Comput. Phys. 59, 1985; D. L. Brown, R. Cortez & M. L.
// Minion, J. Comput. Phys. 168, 2001 (pressure).
#pragma once

#include <array>
#include <utility>

#include "sim/time/momentum_balance.hpp"
#include "sim/time/projection_verbs.hpp"
#include "sim/time/scalar_step.hpp"
#include "sim/time/sharp_stage.hpp"

namespace hodge::sim {

// Half of the diffusion of cn_ab2 is implicit, and what its stress is beyond that is extrapolated:
// where viscosities are far apart, waves in the viscous parts keep their size or grow, unless steps
// are about as short as those of explicit diffusion. False, with what to do, beyond what is damped.
template <int Dim, class Space>
bool stays_damped(const NavierStokes<Dim, Space>& flow, double dt, StepReport& report) {
  if (!flow.varying.viscosity || flow.scheme.has_implicit_convection()) return true;
  constexpr double damped_ratio = 100, damped_number = 1;
  const CoefficientRange& nu = flow.varying.viscosity->range();
  const double h = flow.grid.smallest_width(), number = dt * nu.largest / (h * h);
  if (nu.largest <= 1.001 * damped_ratio * nu.least || number <= damped_number) return true;
  report.ok = report.solves_failed = false;
  report.failure = undamped_failure(flow.scheme.name, flow.fields.step + 1, nu.largest / nu.least,
                                    damped_ratio, h * h * damped_number / nu.largest);
  return false;
}

// Forces of the flow at the time of diffusion; `ratio`: dt / dt of the step before.
template <int Dim, class Space>
void refresh_flow_force(const NavierStokes<Dim, Space>& flow, const StepInterval& step,
                        double ratio) {
  using Scalar = ScalarState<Dim, Space>;
  const double theta = flow.scheme.implicit.diffusion, old_share = 1 - theta, ahead = theta * ratio;
  refresh_flow_force<Dim, Space>(
      flow, {flow.fields.velocity.view(), flow.fields.previous.view(), 1 + ahead, -ahead},
      step.start + theta * step.dt, step.dt * ratio,
      {{&Scalar::now, old_share}, {&Scalar::next, theta}});
}

template <int Dim, class Space>
bool implicit_step(NavierStokes<Dim, Space>& flow, double dt, StepReport& report) {
  FlowFields<Dim, Space>& fields = flow.fields;
  const double ratio = fields.last_dt > 0 ? dt / fields.last_dt : 0.0;
  const StepInterval step{fields.time, dt, flow.scheme.weights(ratio)};
  const SharpFriction friction =
      flow.scheme.has_implicit_convection() ? SharpFriction{} : friction_of_levels(ratio);
  use_implicit_friction(flow, friction.implicit * dt / step.weights.a0);
  measure_rounding(flow, step);
  extrapolate_convecting_velocity(flow, step);
  if (!refresh_coefficients(flow, step, report) || !stays_damped(flow, dt, report)) return false;
  if (!refresh_velocity_sides(flow, step, fields.convecting, fields.velocity, fields.previous,
                              report))
    return false;
  if (!transport_scalars(flow, {fields.time, dt, flow.scalar_scheme.weights(ratio)}, report))
    return false;
  if (flow.velocity_is_prescribed()) {
    if (flow.prescribed_changes) prescribe(flow, fields.next, step.end());
    return true;
  }
  refresh_flow_force(flow, step, ratio);
  if (!predict_velocity(flow, step, friction, report)) return false;
  advance_pressure_sides(flow, step);
  const Moment phi_at{step.start + 0.5 * dt, dt};
  if (!solve_for_phi(flow, step, fields.next, ratio, phi_at, report)) return false;
  balance_step(
      flow, step, [&](int d) { return equation_of(flow, step, d); },
      [&](int d) { return forcing_of(flow, step, d); });
  add_pressure_increment(flow);
  const double factor = phi_factor(flow, step);
  correct_velocity(flow, factor, fields.next);
  hold_flow_rates(flow, factor, step.end(), fields.next);
  complete_new_pressure(flow, dt);
  return true;
}

template <int Dim, class Space>
TransportTask solve_of(NavierStokes<Dim, Space>& flow, int d, const StepInterval& step) {
  return {velocity_names[d], d, step.end(), flow.rounding.of_component(d)};
}

template <int Dim, class Space>
TransportEquation<Dim> equation_of(const NavierStokes<Dim, Space>& flow, const StepInterval& step,
                                   int d) {
  const FlowFields<Dim, Space>& fields = flow.fields;
  TransportEquation<Dim> equation =
      equation_of(flow, step, flow.scheme.implicit, transport_of_component(flow, d),
                  flow.boundary.closure(d), fields.velocity[d], fields.previous[d]);
  equation.pressure = fields.pressure.view();
  if (flow.sharp) equation.sharp = flow.sharp->view(d);
  return equation;
}

// Of component d, at the time of its diffusion.
template <int Dim, class Space>
Forcing<Dim> forcing_of(const NavierStokes<Dim, Space>& flow, const StepInterval& step, int d) {
  using Scalar = ScalarState<Dim, Space>;
  const double theta = flow.scheme.implicit.diffusion;
  return forcing_of(flow, d, step.start + theta * step.dt,
                    {{&Scalar::now, 1 - theta}, {&Scalar::next, theta}});
}

template <int Dim, class Space>
bool transport_velocity(NavierStokes<Dim, Space>& flow, const StepInterval& step,
                        StepReport& report) {
  FlowFields<Dim, Space>& fields = flow.fields;
  for (int d = 0; d < Dim; ++d) {
    TransportEquation<Dim> equation = equation_of(flow, step, d);
    resist(flow, d, step, false, forcing_of(flow, step, d), equation);
    // The components are coupled by u^ alone, which stays, so each is iterated by itself.
    const auto fill_ghosts = [&] {
      if (flow.iterates(d)) fill_velocity_ghosts(fields.next, flow.boundary.closures());
    };
    if (total_rows(flow.faces[d].view()) > 0 &&
        !solve_transport(flow, *flow.momentum_solver, solve_of(flow, d, step), equation,
                         fields.convecting[d], fields.next[d], report, fill_ghosts))
      return false;
  }
  return true;
}

// The same with explicit convection. All right sides are assembled together, in the arrays of u^,
// which from here on nothing reads.
template <int Dim, class Space>
bool diffuse_velocity(NavierStokes<Dim, Space>& flow, const StepInterval& step,
                      const SharpFriction& friction, StepReport& report) {
  using Vector = linalg::Vector<Space>;
  FlowFields<Dim, Space>& fields = flow.fields;
  LapTimer<Space> timer;
  std::array<RightSide<Dim>, Dim> sides;
  std::array<Vector, Dim> b;
  for (int d = 0; d < Dim; ++d) {
    b[d] = Vector::view(fields.convecting[d].values().data(), flow.faces[d].rows());
    sides[d] = driven_right_side(equation_of(flow, step, d), flow.faces[d].view(),
                                 forcing_of(flow, step, d), b[d]);
    resist(flow, d, step, sides[d]);
  }
  assemble_right_sides_of_velocity<Dim, Space>(sides, flow.uniform, flow.sharp, friction);
  for (int d = 0; flow.sharp && d < Dim; ++d)
    sides[d].equation.sharp_implicit = flow.sharp->scratch(d) + sides[d].equation.sharp.count;
  report.assembly_seconds += timer.lap();
  for (int d = 0; d < Dim; ++d) {
    if (total_rows(flow.faces[d].view()) == 0) continue;
    const int rows = b[d].size();
    Workspace<Space> work{std::move(b[d]), Vector::view(flow.work.solution.data(), rows)};
    if (!flow.momentum_solver->solve_for_right_side(
            solve_of(flow, d, step), sides[d].equation,
            {fields.velocity[d].view(), fields.previous[d].view(), step.weights.e1}, fields.next[d],
            work, report))
      return false;
  }
  return true;
}

// u* in fields.next
template <int Dim, class Space>
bool predict_velocity(NavierStokes<Dim, Space>& flow, const StepInterval& step,
                      const SharpFriction& friction, StepReport& report) {
  if (!(flow.scheme.has_implicit_convection() ? transport_velocity(flow, step, report)
                                              : diffuse_velocity(flow, step, friction, report)))
    return false;
  fill_velocity_ghosts(flow.fields.next, flow.boundary.closures());
  slave_small_faces(flow, flow.fields.next);
  return true;
}

// To the time of the pressure that this step solves for, from that of the step before.
template <int Dim, class Space>
void advance_pressure_sides(NavierStokes<Dim, Space>& flow, const StepInterval& step) {
  const double at = flow.scheme.pressure_at;
  flow.pressure_sides.advance(step.start - (1 - at) * flow.fields.last_dt,
                              step.start + at * step.dt);
}

}  // namespace hodge::sim
