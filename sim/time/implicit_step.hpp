// One step of bdf2 or backward_euler: implicit convection by the extrapolated velocity.
//
//   u^ = e0 u^n + e1 u^{n-1}
//   scalars     (a0 c + a1 c^n + a2 c^{n-1}) / dt + div(u^ c) = div(D grad c) + s
//               those that react: from the level c' after half a step of reactions, by
//               Crank-Nicolson (backward Euler), because c^{n-1} knows nothing of them
//   predictor   (a0 u* + a1 u^n + a2 u^{n-1}) / dt + div(u^ u*) = -grad p^n / rho + nu lap u* + f
//   corrector   lap phi = (rho a0 / dt) div u*
//               p^{n+1} = p^n + phi - rho nu div u*
//               u^{n+1} = u* - dt / (rho a0) grad phi
//
// Second order in space with central convection, and in time with bdf2. A scheme beyond central and
// upwind is upwind in the matrix; the rest is iterated to the new level (deferred_convection.hpp).
// Source: J.-L. Guermond, P. Minev & J. Shen, Comput. Methods Appl. Mech. Engrg. 195, 2006,
// Sec. 3.4.
#pragma once

#include "sim/time/navier_stokes.hpp"

namespace hodge::sim {

template <int Dim, class Space>
bool NavierStokes<Dim, Space>::implicit_step(double dt, StepReport& report) {
  const TimeWeights w = weights(dt);
  extrapolate_convecting_velocity(w, time_ + dt);
  if (!refresh_velocity_boundary(w, time_ + dt, dt, convecting_, velocity_, previous_, report))
    return false;
  if (!implicit_scalars(w, dt, report)) return false;
  if (velocity_is_prescribed()) {
    if (prescribed_changes_) prescribe(next_, time_ + dt);
    return true;
  }
  if (!implicit_velocity(w, dt, report)) return false;
  pressure_sides_.advance(time_, time_ + dt);
  const double factor = density_ * w.a0 / dt;
  const double guess_scale = last_dt_ > 0 ? dt / last_dt_ : 0.0;
  if (!project(next_, dt, guess_scale, factor, {time_ + 0.5 * dt, dt}, report)) return false;
  correct_pressure(next_, 1.0);
  correct_velocity(1.0 / factor, next_);
  return true;
}

template <int Dim, class Space>
bool NavierStokes<Dim, Space>::implicit_scalars(const TimeWeights& w, double dt,
                                                StepReport& report) {
  if (!react_first(&Scalar::next, 0.5 * dt, report)) return false;
  for (Scalar& scalar : scalars_) {
    const bool ok = scalar.reacts ? one_step_scalar(scalar, dt, report)
                                  : implicit_scalar(scalar, w, dt, report);
    if (!ok) return false;
  }
  return react(&Scalar::next, time_ + 0.5 * dt, 0.5 * dt, report);
}

// From `next` to `next`. With a deferred part of convection `before`, which one step has no use
// for, keeps the start.
template <int Dim, class Space>
bool NavierStokes<Dim, Space>::one_step_scalar(Scalar& scalar, double dt, StepReport& report) {
  const TimeWeights w = backward_euler_weights(1.0);
  const double theta = scheme_.weights == backward_euler_weights ? 1.0 : 0.5;
  refresh_scalar_boundary(scalar, w, time_ + dt, dt, convecting_, scalar.now, scalar.now);
  TransportEquation<Dim> equation =
      equation_of(at_cells, scalar.diffusivity, scalar.boundary.view(), w, dt);
  equation.implicit_convection = equation.implicit_diffusion = theta;
  const bool iterates = convection_.is_deferred();
  if (iterates) scalar.before.values() = 1.0 * scalar.next.values();
  const Field<Dim, Space>& start = iterates ? scalar.before : scalar.next;
  equation.old_level = equation.older_level = start.view();
  equation.explicit_terms[0] = {std::as_const(velocity_).view(), start.view(), 1 - theta,
                                1 - theta};
  equation.forcing = source(scalar, time_ + theta * dt);
  return solve_transport(scalar, equation, start, report);
}

template <int Dim, class Space>
bool NavierStokes<Dim, Space>::implicit_scalar(Scalar& scalar, const TimeWeights& w, double dt,
                                               StepReport& report) {
  refresh_scalar_boundary(scalar, w, time_ + dt, dt, convecting_, scalar.now, scalar.before);
  scalar.next.values() = w.e0 * scalar.now.values() + w.e1 * scalar.before.values();
  TransportEquation<Dim> equation =
      equation_of(at_cells, scalar.diffusivity, scalar.boundary.view(), w, dt);
  equation.old_level = std::as_const(scalar.now).view();
  equation.older_level = std::as_const(scalar.before).view();
  equation.forcing = source(scalar, time_ + dt);
  return solve_transport(scalar, equation, scalar.now, report);
}

// scalar.next: the first guess, then the solution. `level`: what the step starts from.
template <int Dim, class Space>
bool NavierStokes<Dim, Space>::solve_transport(Scalar& scalar, TransportEquation<Dim>& equation,
                                               const Field<Dim, Space>& level, StepReport& report) {
  if (!convection_.is_deferred()) return solve_scalar(scalar, equation, report);
  equation.deferred = std::as_const(scalar.next).view();
  const DeferredRule rule{keeps_bounds_, solvers_[2].absolute_tolerance, cells_.rows()};
  return converge_deferred(cells_.view(), level, scalar.next, rule, time_ + equation.dt, report,
                           [&] {
                             const bool ok = solve_scalar(scalar, equation, report);
                             equation.keeps_matrix = true;
                             return ok;
                           });
}

template <int Dim, class Space>
bool NavierStokes<Dim, Space>::implicit_velocity(const TimeWeights& w, double dt,
                                                 StepReport& report) {
  for (int d = 0; d < Dim; ++d) {
    TransportEquation<Dim> equation = equation_of(d, viscosity_, boundary_.closure(d), w, dt);
    equation.old_level = std::as_const(velocity_[d]).view();
    equation.older_level = std::as_const(previous_[d]).view();
    equation.pressure = std::as_const(pressure_).view();
    equation.forcing = velocity_forcing(d, time_ + dt, {{&Scalar::next, 1.0}});
    if (!solve_transport(d, equation, report)) return false;
  }
  fill_velocity_ghosts(next_, boundary_.closures());
  return true;
}

// The components are coupled by u^ alone, which stays, so each is iterated by itself.
template <int Dim, class Space>
bool NavierStokes<Dim, Space>::solve_transport(int d, TransportEquation<Dim>& equation,
                                               StepReport& report) {
  if (!convection_.is_deferred() || faces_[d].rows() == 0)
    return solve_component(d, equation, report);
  next_[d].values() = 1.0 * convecting_[d].values();
  equation.deferred = std::as_const(next_[d]).view();
  return converge_deferred(faces_[d].view(), velocity_[d], next_[d],
                           {false, solvers_[1].absolute_tolerance, faces_[d].rows()},
                           time_ + equation.dt, report, [&] {
                             if (!solve_component(d, equation, report)) return false;
                             equation.keeps_matrix = true;
                             fill_velocity_ghosts(next_, boundary_.closures());
                             return true;
                           });
}

}  // namespace hodge::sim
