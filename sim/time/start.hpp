// How a flow starts: the fields that the problem says, with a velocity whose divergence is taken
// out and ghosts that the sides at t = 0 give.
#pragma once

#include "sim/time/navier_stokes.hpp"

namespace hodge::sim {

template <int Dim, class Space>
StepReport NavierStokes<Dim, Space>::start(const std::array<std::vector<double>, Dim>& velocity,
                                           const std::vector<double>& pressure,
                                           const std::vector<std::vector<double>>& scalars) {
  StepReport report;
  const TimeWeights w = backward_euler_weights(1.0);
  for (int d = 0; d < Dim; ++d) velocity_[d].values().upload(velocity[d]);
  if (velocity_is_prescribed()) {
    prescribe(velocity_, 0.0);
    prescribe(convecting_, 0.0);
    prescribe(next_, 0.0);
  } else {
    boundary_.refresh(boundary_.step(0.0, 0.0, w, std::as_const(velocity_).view()), nullptr,
                      nullptr);
    if (!inflow_balances(report)) return report;
    stop_at_solids(bodies(), velocity_);
    fill_velocity_ghosts(velocity_, boundary_.closures());
    report.ok =
        projection_.solve(velocity_, {1.0, 0.0, divergence_tolerance_ * initial_rate(velocity), {}},
                          increment_, work_, report);
    if (!report.ok) report.failure = solve_failure(report.solves.back(), 0, time_);
    correct_velocity(1.0, velocity_);
    increment_.values().fill(0.0);
  }
  for (int d = 0; d < Dim; ++d) previous_[d].values() = velocity_[d].values();
  pressure_.values().upload(pressure);
  if (!projection_.determines_level())
    remove_mean(grid_.view(), bodies(), fluid_volume_, pressure_);
  fill_pressure_ghosts(pressure_, sides(), pressure_sides_.values());
  if (pressure_lags_) published_pressure_.values() = 1.0 * pressure_.values();
  for (std::size_t k = 0; k < scalars_.size(); ++k) {
    Scalar& scalar = scalars_[k];
    scalar.now.values().upload(scalars[k]);
    scalar.boundary.refresh(boundary_.step(0.0, 0.0, w, std::as_const(velocity_).view()));
    fill_scalar_ghosts(scalar.now, scalar.boundary.view());
    scalar.before.values() = scalar.now.values();
    scalar.next.values() = scalar.now.values();
  }
  return report;
}

// The size of |u| / h, 1/T: what div u is before any cancellation, and 1 / dt at a CFL number of 1.
template <int Dim, class Space>
double NavierStokes<Dim, Space>::initial_rate(
    const std::array<std::vector<double>, Dim>& velocity) const {
  double speed = 0.0;
  for (const std::vector<double>& component : velocity)
    for (const double u : component) speed = std::max(speed, std::abs(u));
  return speed / grid_.smallest_width();
}

}  // namespace hodge::sim
