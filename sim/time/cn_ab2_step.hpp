// One step of cn_ab2: convection by Adams-Bashforth, diffusion by Crank-Nicolson, so that all
// systems are symmetric.
//
//   N(q)        = -(e0 div(u^n q^n) + e1 div(u^{n-1} q^{n-1}))
//   scalars     (c - c^n) / dt = N(c) + D lap (c + c^n) / 2 + s^{n+1/2}
//   predictor   (u* - u^n) / dt = N(u) - grad P^{n-1/2} / rho + nu lap (u* + u^n) / 2 + f^{n+1/2}
//   corrector   lap phi = (rho / dt) div u*
//               P^{n+1/2} = P^{n-1/2} + phi - rho nu div u* / 2
//               u^{n+1} = u* - dt / rho grad phi
//   published   p^{n+1} = P^{n+1/2} + dt / (dt + dt_old) (P^{n+1/2} - P^{n-1/2})
//
// Second order in time. The pressure P that drives the steps is that of their middles; p, which is
// printed, is that of the level. The first step publishes P itself.
// Sources: J. Kim & P. Moin, J. Comput. Phys. 59, 1985; D. L. Brown, R. Cortez & M. L. Minion,
// J. Comput. Phys. 168, 2001 (pressure).
#pragma once

#include "sim/time/navier_stokes.hpp"

namespace hodge::sim {

template <int Dim, class Space>
bool NavierStokes<Dim, Space>::cn_ab2_step(double dt, StepReport& report) {
  const TimeWeights w = weights(dt);
  extrapolate_convecting_velocity(w, time_ + dt);  // of the sides, and the solvers' first guess
  if (!refresh_velocity_boundary(w, time_ + dt, dt, convecting_, velocity_, previous_, report))
    return false;
  if (!cn_ab2_scalars(w, dt, report)) return false;
  if (velocity_is_prescribed()) {
    if (prescribed_changes_) prescribe(next_, time_ + dt);
    return true;
  }
  if (!cn_ab2_velocity(w, dt, report)) return false;
  pressure_sides_.advance(time_ - 0.5 * last_dt_, time_ + 0.5 * dt);
  const double factor = density_ / dt;
  const double guess_scale = last_dt_ > 0 ? dt / last_dt_ : 0.0;
  if (!project(next_, dt, guess_scale, factor, {time_ + 0.5 * dt, dt}, report)) return false;
  correct_pressure(next_, 0.5);
  publish_pressure(dt);
  correct_velocity(1.0 / factor, next_);
  return true;
}

template <int Dim, class Space>
bool NavierStokes<Dim, Space>::cn_ab2_scalars(const TimeWeights& w, double dt, StepReport& report) {
  for (Scalar& scalar : scalars_) {
    refresh_scalar_boundary(scalar, w, time_ + dt, dt, convecting_, scalar.now, scalar.before);
    TransportEquation<Dim> equation =
        equation_of(at_cells, scalar.diffusivity, scalar.boundary.view(), w, dt);
    equation.implicit_convection = 0.0;
    equation.implicit_diffusion = 0.5;
    equation.old_level = equation.older_level = std::as_const(scalar.now).view();
    equation.explicit_terms[0] = {std::as_const(velocity_).view(), std::as_const(scalar.now).view(),
                                  w.e0, 0.5};
    equation.explicit_terms[1] = {std::as_const(previous_).view(),
                                  std::as_const(scalar.before).view(), w.e1, 0.0};
    equation.forcing = source(scalar, time_ + 0.5 * dt);
    scalar.next.values() = 1.0 * scalar.now.values();
    if (!solve_scalar(scalar, equation, report)) return false;
  }
  return true;
}

template <int Dim, class Space>
bool NavierStokes<Dim, Space>::cn_ab2_velocity(const TimeWeights& w, double dt,
                                               StepReport& report) {
  for (int d = 0; d < Dim; ++d) {
    TransportEquation<Dim> equation = equation_of(d, viscosity_, boundary_.closure(d), w, dt);
    equation.implicit_convection = 0.0;
    equation.implicit_diffusion = 0.5;
    equation.old_level = equation.older_level = std::as_const(velocity_[d]).view();
    equation.explicit_terms[0] = {std::as_const(velocity_).view(),
                                  std::as_const(velocity_[d]).view(), w.e0, 0.5};
    equation.explicit_terms[1] = {std::as_const(previous_).view(),
                                  std::as_const(previous_[d]).view(), w.e1, 0.0};
    equation.pressure = std::as_const(pressure_).view();
    equation.forcing =
        velocity_forcing(d, time_ + 0.5 * dt, {{&Scalar::now, 0.5}, {&Scalar::next, 0.5}});
    if (!solve_component(d, equation, report)) return false;
  }
  fill_velocity_ghosts(next_, boundary_.closures());
  return true;
}

}  // namespace hodge::sim
