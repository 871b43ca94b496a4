// One time step of the incompressible Navier-Stokes equations: incremental pressure correction in
// rotational form.
//
//   u^ = e0 u^n + e1 u^{n-1}
//   predictor   (a0 u* + a1 u^n + a2 u^{n-1}) / dt + div(u^ u*) = -grad p^n / rho + nu lap u*
//   corrector   lap phi = (rho a0 / dt) div u*
//               p^{n+1} = p^n + phi - rho nu div u*
//               u^{n+1} = u* - dt / (rho a0) grad phi
//
// Source: J.-L. Guermond, P. Minev & J. Shen, Comput. Methods Appl. Mech. Engrg. 195, 2006,
// Sec. 3.4. Second order in space with central convection, and in time with bdf2 (schemes.hpp).
// Units are those of the case. Fields keep their ghosts filled (boundaries/ghosts.hpp). A step
// whose solve fails leaves velocity, pressure and clock as they were.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "sim/flow/problem.hpp"
#include "sim/operators/correction.hpp"
#include "sim/time/momentum_predictor.hpp"
#include "sim/time/pressure_projection.hpp"
#include "sim/time/schemes.hpp"

namespace hodge::sim {

// A divergence below this fraction of |u| / h is rounding, and no solve is asked to reduce it.
inline constexpr double round_off = 1e-14;

template <int Dim, class Space>
class NavierStokes {
 public:
  // Settings and problem are taken as checked (flow/checks.hpp). The fluid is at rest.
  NavierStokes(const Settings& settings, const Problem& problem, const Grid& grid);

  // Starts from padded host values, of which only the inner ones need be set, and makes the
  // velocity divergence-free: the report's only solve.
  [[nodiscard]] StepReport start(const std::array<std::vector<double>, Dim>& velocity,
                                 const std::vector<double>& pressure);
  [[nodiscard]] StepReport advance(double dt);

  const DeviceGrid<Dim, Space>& grid() const { return grid_; }
  const BoundaryView<Dim>& boundaries() const { return boundaries_; }
  const VelocityField<Dim, Space>& velocity() const { return velocity_; }
  const VelocityField<Dim, Space>& previous_velocity() const { return previous_; }
  const Field<Dim, Space>& pressure() const { return pressure_; }
  double time() const { return time_; }
  double last_dt() const { return last_dt_; }  // 0 before the first step
  long step() const { return step_; }
  void set_time(double t) { time_ = t; }

 private:
  TimeWeights weights(double dt) const;
  double initial_rate(const std::array<std::vector<double>, Dim>& velocity) const;
  void extrapolate_convecting_velocity(const TimeWeights& w);
  bool predict_velocity(const TimeWeights& w, double dt, StepReport& report);
  bool solve_pressure_increment(const TimeWeights& w, double dt, StepReport& report);
  void correct_pressure();
  void correct_velocity(double factor, VelocityField<Dim, Space>& u);
  void accept_step(double dt);

  const TimeScheme& scheme_;
  double upwind_fraction_, density_, viscosity_;
  double divergence_tolerance_;  // root mean square of dt div u that need not be reduced

  DeviceGrid<Dim, Space> grid_;
  BoundaryView<Dim> boundaries_;
  VelocityField<Dim, Space> velocity_;    // u^n
  VelocityField<Dim, Space> previous_;    // u^{n-1}
  VelocityField<Dim, Space> convecting_;  // u^
  VelocityField<Dim, Space> next_;        // u*, then u^{n+1}
  Field<Dim, Space> pressure_;            // p, mean 0
  Field<Dim, Space> increment_;           // phi of the last step

  MomentumPredictor<Dim, Space> momentum_;
  PressureProjection<Dim, Space> projection_;
  Workspace<Space> work_;

  double time_ = 0, last_dt_ = 0;
  long step_ = 0;
};

template <int Dim, class Space>
NavierStokes<Dim, Space>::NavierStokes(const Settings& settings, const Problem& problem,
                                       const Grid& grid)
    : scheme_(find_time_scheme(settings.time.scheme)),
      upwind_fraction_(find_convection_scheme(settings.convection_scheme).upwind_fraction),
      density_(problem.density),
      viscosity_(problem.viscosity),
      divergence_tolerance_(std::max(settings.pressure.absolute_tolerance, round_off)),
      grid_(grid, problem.boundaries),
      boundaries_(boundary_view<Dim>(problem.boundaries)),
      velocity_(grid_.layout()),
      previous_(grid_.layout()),
      convecting_(grid_.layout()),
      next_(grid_.layout()),
      pressure_(grid_.layout()),
      increment_(grid_.layout()),
      momentum_(settings.transport, grid_, boundaries_),
      projection_(settings.pressure, grid_, boundaries_) {
  work_.resize(std::max(momentum_.largest_rows(), projection_.rows()));
  fill_velocity_ghosts(velocity_, boundaries_);
  fill_velocity_ghosts(previous_, boundaries_);
}

template <int Dim, class Space>
StepReport NavierStokes<Dim, Space>::start(const std::array<std::vector<double>, Dim>& velocity,
                                           const std::vector<double>& pressure) {
  for (int d = 0; d < Dim; ++d) velocity_[d].values().upload(velocity[d]);
  fill_velocity_ghosts(velocity_, boundaries_);
  StepReport report;
  report.ok =
      projection_.solve(velocity_, {1.0, 0.0, divergence_tolerance_ * initial_rate(velocity)},
                        increment_, work_, report);
  if (!report.ok) report.failure = solve_failure(report.solves.back(), 0, time_);
  correct_velocity(1.0, velocity_);
  increment_.values().fill(0.0);
  for (int d = 0; d < Dim; ++d) previous_[d].values() = velocity_[d].values();
  pressure_.values().upload(pressure);
  remove_mean(grid_.view(), grid_.box_volume(), pressure_);
  fill_pressure_ghosts(pressure_, boundaries_);
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

template <int Dim, class Space>
StepReport NavierStokes<Dim, Space>::advance(double dt) {
  LapTimer<Space> timer;
  StepReport report;
  report.dt = dt;
  const TimeWeights w = weights(dt);

  extrapolate_convecting_velocity(w);
  report.ok = predict_velocity(w, dt, report) && solve_pressure_increment(w, dt, report);
  if (report.ok) {
    correct_pressure();
    correct_velocity(dt / (density_ * w.a0), next_);
    accept_step(dt);
  } else {
    report.failure = solve_failure(report.solves.back(), step_ + 1, time_ + dt);
  }
  report.other_seconds =
      timer.lap() - report.assembly_seconds - report.transport_seconds - report.pressure_seconds;
  return report;
}

template <int Dim, class Space>
TimeWeights NavierStokes<Dim, Space>::weights(double dt) const {
  return step_ == 0 ? backward_euler_weights(1.0) : scheme_.weights(dt / last_dt_);
}

template <int Dim, class Space>
void NavierStokes<Dim, Space>::extrapolate_convecting_velocity(const TimeWeights& w) {
  for (int d = 0; d < Dim; ++d)  // the ghosts too: e0 + e1 = 1
    convecting_[d].values() = w.e0 * velocity_[d].values() + w.e1 * previous_[d].values();
}

template <int Dim, class Space>
bool NavierStokes<Dim, Space>::predict_velocity(const TimeWeights& w, double dt,
                                                StepReport& report) {
  const TransportEquation<Dim> equation{.grid = grid_.view(),
                                        .boundaries = boundaries_,
                                        .convecting = std::as_const(convecting_).view(),
                                        .velocity = std::as_const(velocity_).view(),
                                        .previous = std::as_const(previous_).view(),
                                        .pressure = std::as_const(pressure_).view(),
                                        .weights = w,
                                        .dt = dt,
                                        .density = density_,
                                        .viscosity = viscosity_,
                                        .upwind_fraction = upwind_fraction_};
  for (int d = 0; d < Dim; ++d)
    if (!momentum_.solve(equation, d, convecting_[d], next_[d], work_, report)) return false;
  fill_velocity_ghosts(next_, boundaries_);
  return true;
}

template <int Dim, class Space>
bool NavierStokes<Dim, Space>::solve_pressure_increment(const TimeWeights& w, double dt,
                                                        StepReport& report) {
  const double factor = density_ * w.a0 / dt;
  const double guess_scale = last_dt_ > 0 ? dt / last_dt_ : 0.0;
  const double tolerance = divergence_tolerance_ / dt;
  return projection_.solve(next_, {factor, guess_scale, tolerance}, increment_, work_, report);
}

template <int Dim, class Space>
void NavierStokes<Dim, Space>::correct_pressure() {
  update_pressure(grid_.view(), increment_, density_ * viscosity_, next_, pressure_);
  remove_mean(grid_.view(), grid_.box_volume(), pressure_);
  fill_pressure_ghosts(pressure_, boundaries_);
}

template <int Dim, class Space>
void NavierStokes<Dim, Space>::correct_velocity(double factor, VelocityField<Dim, Space>& u) {
  for (int d = 0; d < Dim; ++d)
    subtract_gradient(grid_.view(), momentum_.unknowns(d), d, factor, increment_, u[d]);
  fill_velocity_ghosts(u, boundaries_);
}

template <int Dim, class Space>
void NavierStokes<Dim, Space>::accept_step(double dt) {
  std::swap(previous_, velocity_);
  std::swap(velocity_, next_);
  time_ += dt;
  last_dt_ = dt;
  ++step_;
}

}  // namespace hodge::sim
