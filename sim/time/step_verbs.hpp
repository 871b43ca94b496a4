// What the steps of NavierStokes are made of: extrapolate, refresh the sides, set up and solve an
// equation, react, project, correct, accept; and the names of the systems that they solve.
#pragma once

#include "sim/time/navier_stokes.hpp"

namespace hodge::sim {

template <int Dim, class Space>
void NavierStokes<Dim, Space>::extrapolate_convecting_velocity(const TimeWeights& w,
                                                               double new_time) {
  if (velocity_is_prescribed()) {
    if (prescribed_changes_) prescribe(convecting_, new_time);
    return;
  }
  for (int d = 0; d < Dim; ++d)  // the ghosts too: e0 + e1 = 1
    convecting_[d].values() = w.e0 * velocity_[d].values() + w.e1 * previous_[d].values();
}

template <int Dim, class Space>
bool NavierStokes<Dim, Space>::refresh_velocity_boundary(const TimeWeights& w, double new_time,
                                                         double dt, const Velocity& convecting,
                                                         const Velocity& level,
                                                         const Velocity& level_before,
                                                         StepReport& report) {
  const ConstVelocityView<Dim> now = level.view(), before = level_before.view();
  boundary_.measure_outflow(convecting.view());
  boundary_.refresh(boundary_.step(new_time, dt, w, convecting.view()), &now, &before);
  return inflow_balances(report);
}

// As the last refresh of the sides found it.
template <int Dim, class Space>
bool NavierStokes<Dim, Space>::inflow_balances(StepReport& report) const {
  if (!boundary_.balance().complaint()) return true;
  report.ok = false;
  report.failure = *boundary_.balance().complaint();
  report.cause = "the velocities of the inflow sides, which must balance at every time";
  return false;
}

template <int Dim, class Space>
void NavierStokes<Dim, Space>::refresh_scalar_boundary(Scalar& scalar, const TimeWeights& w,
                                                       double new_time, double dt,
                                                       const Velocity& convecting,
                                                       const Field<Dim, Space>& level,
                                                       const Field<Dim, Space>& level_before) {
  BoundaryStep<Dim> step = boundary_.step(new_time, dt, w, convecting.view());
  step.old_level = level.view();
  step.older_level = level_before.view();
  scalar.boundary.refresh(step);
}

template <int Dim, class Space>
TransportEquation<Dim> NavierStokes<Dim, Space>::equation_of(int location, double diffusivity,
                                                             const ClosureView<Dim>& closure,
                                                             const TimeWeights& w,
                                                             double dt) const {
  TransportEquation<Dim> equation{};
  equation.transport = transport_at(location, diffusivity);
  equation.closure = closure;
  equation.dt = dt;
  equation.weights = w;
  equation.convecting = convecting_.view();
  equation.upwind_fraction = convection_.upwind_fraction();
  equation.density = density_;
  equation.equal_locations = equal_locations_;
  return equation;
}

template <int Dim, class Space>
Forcing<Dim> NavierStokes<Dim, Space>::forcing(int d) const {
  Forcing<Dim> forcing{grid_.view(), d, time_, has_force_ ? force_.view(d) : ProgramView{}};
  for (const Scalar& scalar : scalars_)
    if (scalar.buoyancy[d] != 0.0)
      forcing.term[forcing.terms++] = {scalar.now.view(), scalar.buoyancy[d], scalar.neutral};
  return forcing;
}

template <int Dim, class Space>
ConstFieldView<Dim> NavierStokes<Dim, Space>::velocity_forcing(
    int d, double time, std::initializer_list<std::pair<ScalarLevel, double>> levels) {
  if (!has_force_ && !has_buoyancy_) return {};
  Forcing<Dim> forcing{grid_.view(), d, time, has_force_ ? force_.view(d) : ProgramView{}};
  for (Scalar& scalar : scalars_) {
    if (scalar.buoyancy[d] == 0.0) continue;
    for (const auto& [level, weight] : levels)
      forcing.term[forcing.terms++] = {std::as_const(scalar.*level).view(),
                                       weight * scalar.buoyancy[d], scalar.neutral};
  }
  evaluate_forcing(forcing, forcing_);
  return std::as_const(forcing_).view();
}

template <int Dim, class Space>
ConstFieldView<Dim> NavierStokes<Dim, Space>::source(const Scalar& scalar, double time) {
  if (!scalar.has_source) return {};
  evaluate_forcing(Forcing<Dim>{grid_.view(), at_cells, time, scalar.source.view(0)}, forcing_);
  return std::as_const(forcing_).view();
}

// level := the present scalars after the reactions of dt; ghosts of the present sides.
template <int Dim, class Space>
bool NavierStokes<Dim, Space>::react_first(ScalarLevel level, double dt, StepReport& report) {
  if (!reactions_) return true;
  for (Scalar& scalar : scalars_) (scalar.*level).values() = 1.0 * scalar.now.values();
  return react(level, time_, dt, report);
}

template <int Dim, class Space>
bool NavierStokes<Dim, Space>::react(ScalarLevel level, double time, double dt,
                                     StepReport& report) {
  if (!reactions_) return true;
  LapTimer<Space> timer;
  std::array<FieldView<Dim>, most_scalars> fields;
  for (std::size_t k = 0; k < scalars_.size(); ++k) fields[k] = (scalars_[k].*level).view();
  const ReactionReport done =
      reactions_->react(time, dt, std::span(fields.data(), scalars_.size()));
  for (Scalar& scalar : scalars_) fill_scalar_ghosts(scalar.*level, scalar.boundary.view());
  report.solves.push_back({"reactions", static_cast<int>(done.newton_iterations), timer.lap(), {}});
  report.failure = done.failure;
  return done.ok;
}

template <int Dim, class Space>
bool NavierStokes<Dim, Space>::solve_component(int d, const TransportEquation<Dim>& equation,
                                               StepReport& report) {
  if (faces_[d].rows() == 0) return true;
  return momentum_solver_->solve({velocity_names[d], d, time_ + equation.dt}, equation,
                                 faces_[d].view(), matrices_[matrix_of_[d]],
                                 equation.deferred.origin ? next_[d] : convecting_[d], next_[d],
                                 work_, report);
}

template <int Dim, class Space>
template <class Solve>
bool NavierStokes<Dim, Space>::converge_deferred(const Unknowns<Dim>& unknowns,
                                                 const Field<Dim, Space>& level,
                                                 Field<Dim, Space>& q, const DeferredRule& rule,
                                                 double new_time, StepReport& report, Solve solve) {
  using Tolerance = DeferredTolerance;
  IterateChange change;
  for (int k = 0; k < rule.most_iterations(); ++k) {
    const double before = change.squares;
    iterate_.values() = 1.0 * q.values();
    if (!solve()) return false;
    change = iterate_change<Dim, Space>(unknowns, std::as_const(q).view(),
                                        std::as_const(iterate_).view(), level.view(), changes_);
    if (!change.finite()) break;
    if (rule.met_by(change)) return true;
    const double shrunk = Tolerance::hardly * Tolerance::hardly * before;
    if (k >= Tolerance::undamped_iterations && change.squares > shrunk)
      q.values() = 0.5 * q.values() + 0.5 * iterate_.values();
  }
  if (change.finite() && rule.leaves_order(change)) return true;
  report.solves_failed = false;
  report.failure = deferred_failure(report.solves.back().system, convection_.name, step_ + 1,
                                    new_time, change.share_of_step());
  return false;
}

template <int Dim, class Space>
bool NavierStokes<Dim, Space>::solve_scalar(Scalar& scalar, const TransportEquation<Dim>& equation,
                                            StepReport& report) {
  const auto number = static_cast<int>(&scalar - scalars_.data());
  const bool ok =
      scalar_solver_->solve({scalar.name, number, time_ + equation.dt}, equation, cells_.view(),
                            scalar_matrix_[0], scalar.next, scalar.next, work_, report);
  fill_scalar_ghosts(scalar.next, scalar.boundary.view());
  return ok;
}

// velocity := its divergence-free part; phi stays in `increment_`. dt: what the step corrects over.
// `phi_at`: the middle of the time in which phi grows, and that time.
template <int Dim, class Space>
bool NavierStokes<Dim, Space>::project(Velocity& velocity, double dt, double guess_scale,
                                       double factor, const Moment& phi_at, StepReport& report) {
  return projection_.solve(
      velocity,
      {factor, guess_scale, divergence_tolerance_ / dt, phi_at, pressure_sides_.increments()},
      increment_, work_, report);
}

template <int Dim, class Space>
void NavierStokes<Dim, Space>::correct_pressure(const Velocity& predicted,
                                                double implicit_diffusion) {
  if (pressure_lags_) published_pressure_.values() = 1.0 * pressure_.values();  // P_old
  update_pressure(grid_.view(), bodies(), increment_, implicit_diffusion * density_ * viscosity_,
                  predicted, pressure_);
  if (!projection_.determines_level())
    remove_mean(grid_.view(), bodies(), fluid_volume_, pressure_);
  fill_pressure_ghosts(pressure_, sides(), pressure_sides_.values());
}

// p^{n+1} by the line in time through the last two P, of which correct_pressure has left the older
// one in published_pressure_:
//
//   p^{n+1} = P + w (P - P_old),   w = (1 - a) dt / (a dt + (1 - a) dt_old),   a = pressure_at
//
// w <= 1, however the steps change. The first step has no P_old: p = P. The line keeps the mean,
// and the ghosts, which are linear in the values; those beside open sides whose pressure changes
// are filled with that of the new level. Second order.
template <int Dim, class Space>
void NavierStokes<Dim, Space>::publish_pressure(double dt) {
  if (!pressure_lags_) return;
  const double at = pressure_at(scheme_.family), lag = (1.0 - at) * dt;
  const double w = last_dt_ > 0 ? lag / (at * dt + (1.0 - at) * last_dt_) : 0.0;
  published_pressure_.values() = (1.0 + w) * pressure_.values() - w * published_pressure_.values();
  if (!pressure_sides_.change()) return;
  pressure_sides_.advance(time_, time_ + dt);
  fill_pressure_ghosts(published_pressure_, sides(), pressure_sides_.values());
}

template <int Dim, class Space>
void NavierStokes<Dim, Space>::correct_velocity(double factor, Velocity& velocity) {
  subtract_gradient(grid_.view(), bodies(), sides(), factor, increment_, velocity);
  fill_velocity_ghosts(velocity, boundary_.closures());
}

template <int Dim, class Space>
void NavierStokes<Dim, Space>::prescribe(Velocity& velocity, double time) {
  for (int d = 0; d < Dim; ++d)
    evaluate_velocity(grid_.view(), prescribed_.view(d), d, time, velocity[d]);
  stop_at_solids(bodies(), velocity);
}

template <int Dim, class Space>
std::vector<std::string> NavierStokes<Dim, Space>::systems() const {
  std::vector<std::string> names;
  const bool assembles = scheme_.family != TimeFamily::rk3;
  if (reactions_) names.push_back("reactions");
  if (assembles)
    for (const Scalar& scalar : scalars_) names.push_back(scalar.name);
  if (velocity_is_prescribed()) return names;
  for (int d = 0; assembles && d < Dim; ++d)
    if (faces_[d].rows() > 0) names.push_back(velocity_names[d]);
  names.push_back("pressure");
  return names;
}

template <int Dim, class Space>
void NavierStokes<Dim, Space>::accept_step(double dt) {
  std::swap(previous_, velocity_);
  std::swap(velocity_, next_);
  for (Scalar& scalar : scalars_) {
    std::swap(scalar.before, scalar.now);
    std::swap(scalar.now, scalar.next);
  }
  time_ += dt;
  last_dt_ = dt;
  ++step_;
}

}  // namespace hodge::sim
