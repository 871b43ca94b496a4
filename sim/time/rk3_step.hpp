// One step of rk3: for k = 1, 2, 3, with R the rate of transport and forcing,
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

#include "sim/time/navier_stokes.hpp"

namespace hodge::sim {

template <int Dim, class Space>
bool NavierStokes<Dim, Space>::rk3_step(double dt, StepReport& report) {
  // phi grows with the time from the middle of the last stage before, in which p^n stands.
  constexpr double guess_scales[] = {13.0 / 30, 23.0 / 13, 30.0 / 23};
  Velocity* const levels[] = {&velocity_, &next_, &convecting_, &next_};
  const ScalarLevel scalar_levels[] = {reactions_ ? &Scalar::stage : &Scalar::now, &Scalar::next,
                                       &Scalar::stage, &Scalar::next};
  if (!react_first(&Scalar::stage, 0.5 * dt, report)) return false;
  for (int k = 0; k < 3; ++k) {
    const RungeKuttaStage& stage = rk3_stages[k];
    const double start = time_ + stage.start * dt, length = stage.length() * dt;
    if (velocity_is_prescribed() && prescribed_changes_) prescribe(*levels[k], start);
    Velocity& from = velocity_is_prescribed() && !prescribed_changes_ ? velocity_ : *levels[k];
    Velocity& to = *levels[k + 1];
    if (!refresh_velocity_boundary(backward_euler_weights(1.0), start + length, length, from, from,
                                   from, report))
      return false;
    LapTimer<Space> timer;
    for (Scalar& scalar : scalars_)
      rk3_scalar_stage(stage, dt, from, scalar, scalar.*scalar_levels[k],
                       scalar.*scalar_levels[k + 1]);
    if (!velocity_is_prescribed()) rk3_velocity_stage(stage, dt, scalar_levels[k], from, to);
    report.transport_seconds += timer.lap();
    if (velocity_is_prescribed()) continue;
    pressure_sides_.advance(time_ - last_dt_ / 6, start + 0.5 * length);
    const double factor = density_ / length;
    const double guess = last_dt_ > 0 || k > 0 ? guess_scales[k] : 0.0;
    const double growth = (stage.start + 0.5 * stage.length()) * dt + last_dt_ / 6;
    const Moment phi_at{time_ - last_dt_ / 6 + 0.5 * growth, growth};
    if (!project(to, length, guess, factor, phi_at, report)) return false;
    correct_velocity(1.0 / factor, to);
  }
  if (!react(&Scalar::next, time_ + 0.5 * dt, 0.5 * dt, report)) return false;
  if (velocity_is_prescribed()) {
    prescribe(next_, time_ + dt);
  } else {
    correct_pressure(next_, 0.0);
    publish_pressure(dt);
  }
  return true;
}

template <int Dim, class Space>
void NavierStokes<Dim, Space>::rk3_scalar_stage(const RungeKuttaStage& stage, double dt,
                                                const Velocity& velocity, Scalar& scalar,
                                                Field<Dim, Space>& from, Field<Dim, Space>& to) {
  const double start = time_ + stage.start * dt, length = stage.length() * dt;
  refresh_scalar_boundary(scalar, backward_euler_weights(1.0), start + length, length, velocity,
                          from, from);
  StageEquation<Dim> equation{};
  equation.transport = transport_at(at_cells, scalar.diffusivity);
  equation.velocity = velocity.view();
  equation.q = std::as_const(from).view();
  equation.forcing = source(scalar, start);
  equation.dt = dt;
  equation.stage = stage;
  take_stage(equation, cells_.view(), scalar.rates, to);
  fill_scalar_ghosts(to, scalar.boundary.view());
}

template <int Dim, class Space>
void NavierStokes<Dim, Space>::rk3_velocity_stage(const RungeKuttaStage& stage, double dt,
                                                  ScalarLevel scalars, Velocity& from,
                                                  Velocity& to) {
  for (int d = 0; d < Dim; ++d) {
    StageEquation<Dim> equation{};
    equation.transport = transport_at(d, viscosity_);
    equation.velocity = std::as_const(from).view();
    equation.q = std::as_const(from[d]).view();
    equation.forcing = velocity_forcing(d, time_ + stage.start * dt, {{scalars, 1.0}});
    equation.pressure = std::as_const(pressure_).view();
    equation.density = density_;
    equation.dt = dt;
    equation.stage = stage;
    take_stage(equation, faces_[d].view(), rates_[d], to[d]);
  }
  fill_velocity_ghosts(to, boundary_.closures());
}

}  // namespace hodge::sim
