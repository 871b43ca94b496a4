// How the steps of a flow take the divergence out of a velocity: solve for phi, correct velocity
// and pressure, hold flow rates, complete the pressure.
#pragma once

#include <array>
#include <utility>

#include "sim/discrete/operators/correction.hpp"
#include "sim/time/step_verbs.hpp"

namespace hodge::sim {

// rho a0 / dt
template <int Dim, class Space>
double phi_factor(const NavierStokes<Dim, Space>& flow, const StepInterval& over) {
  return flow.density * over.weights.a0 / over.dt;
}

// The pressure increment phi that takes the divergence out of a velocity:
// lap phi = (rho a0 / dt) div u. The first guess is `guess_scale` times the last phi; `phi_at` is
// the middle of the time in which phi grows, and that time. The last solve of a step is checked.
template <int Dim, class Space>
bool solve_for_phi(NavierStokes<Dim, Space>& flow, const StepInterval& over,
                   const VelocityField<Dim, Space>& velocity, double guess_scale,
                   const Moment& phi_at, StepReport& report, bool is_last = true) {
  if (flow.resistance.set_mobility(over.dt / over.weights.a0, flow.bodies.view()))
    flow.pressure_system.refresh();
  return flow.pressure_solve->solve(
      velocity,
      {phi_factor(flow, over), guess_scale, flow.divergence_tolerance / over.dt, phi_at,
       flow.pressure_sides.increments(), is_last, flow.rounding.of_pressure()},
      flow.work, report);
}

// u -= grad phi / factor, factor = rho a0 / dt
template <int Dim, class Space>
void correct_velocity(NavierStokes<Dim, Space>& flow, double factor,
                      VelocityField<Dim, Space>& velocity) {
  flow.pressure_solve->correct(1.0 / factor, velocity);
  fill_velocity_ghosts(velocity, flow.boundary.closures());
}

// Gives a velocity without divergence the flow rates of `time`; factor = rho a0 / dt.
template <int Dim, class Space>
void hold_flow_rates(NavierStokes<Dim, Space>& flow, double factor, double time,
                     VelocityField<Dim, Space>& velocity) {
  if (!flow.flow_rates.any()) return;
  flow.flow_rates.correct(unit_flow(flow), time, factor / flow.density, velocity);
  fill_velocity_ghosts(velocity, flow.boundary.closures());
}

// Less its mean where nothing else gives it a level.
template <int Dim, class Space>
void complete_pressure(NavierStokes<Dim, Space>& flow, Field<Dim, Space>& pressure) {
  if (!flow.pressure_system.determines_level())
    remove_mean(flow.grid.view(), flow.bodies.view(), flow.fluid_volume, pressure);
  fill_pressure_ghosts(pressure, flow.sides(), flow.pressure_sides.values());
}

// p -= rho nu div u, of a viscosity that varies
template <int Dim, class Space>
void subtract_viscous_pressure(const NavierStokes<Dim, Space>& flow, double density,
                               const VelocityField<Dim, Space>& velocity,
                               Field<Dim, Space>& pressure) {
  const double factor = density * flow.viscosity;
  const ConstFieldView<Dim> r = std::as_const(*flow.varying.at_cells).view();
  const ConstVelocityView<Dim> u = velocity.view();
  const GridView<Dim> grid = flow.grid.view();
  const BodyView<Dim> bodies = flow.bodies.view();
  const FieldView<Dim> p = pressure.view();
  linalg::for_each<Space>(pressure.layout().interior(), [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!bodies.excludes(at_cells, c)) p(c) -= factor * r(c) * divergence(grid, bodies, u, c);
  });
}

// P += phi - theta rho nu div u*, and where P is not the pressure of the new level, p^{n+1} by the
// line in time through the last two P:
//
//   p^{n+1} = P + w (P - P_old),   w = (1 - a) dt / (a dt + (1 - a) dt_old),   a = pressure_at
//
// w <= 1, however the steps change. The first step has no P_old: p = P. The line keeps the mean,
// and the ghosts, which are linear in the values; those beside open sides whose pressure changes
// are filled with that of the new level. Second order. The first half needs div u*, the second the
// flow rates of the new level.
template <int Dim, class Space>
void add_pressure_increment(NavierStokes<Dim, Space>& flow) {
  FlowFields<Dim, Space>& fields = flow.fields;
  const double implicit = flow.scheme.implicit.diffusion;
  if (implicit > 0 && flow.varying.viscosity) {
    flow.pressure_solve->add_phi(0.0, nullptr, fields.pressure, fields.new_pressure());
    return subtract_viscous_pressure(flow, implicit * flow.density, fields.next,
                                     fields.new_pressure());
  }
  flow.pressure_solve->add_phi(implicit * flow.density * flow.viscosity,
                               implicit > 0 ? &fields.next : nullptr, fields.pressure,
                               fields.new_pressure());
}

// Whether the new P has the mean 0 already: where phi has no part along the constant, P keeps the
// mean of the step before. What rounding adds is removed every 64th step.
template <int Dim, class Space>
bool keeps_mean_of_pressure(const NavierStokes<Dim, Space>& flow) {
  constexpr long often = 64;
  return flow.pressure_solve->has_no_mean() && !flow.flow_rates.any() &&
         flow.fields.step % often != 0;
}
template <int Dim, class Space>
bool needs_mean_of_pressure(const NavierStokes<Dim, Space>& flow) {
  return !flow.pressure_system.determines_level() && !keeps_mean_of_pressure(flow);
}

// w of the line to p^{n+1}
template <int Dim, class Space>
double pressure_ahead(const NavierStokes<Dim, Space>& flow, double dt) {
  const double at = flow.scheme.pressure_at, lag = (1.0 - at) * dt, last = flow.fields.last_dt;
  return last > 0 ? lag / (at * dt + (1.0 - at) * last) : 0.0;
}

// Whether the correction of the last stage leaves both pressures of the new level: nothing that may
// fail or that changes P comes after it.
template <int Dim, class Space>
bool publishes_in_correction(const NavierStokes<Dim, Space>& flow) {
  return flow.scheme.has_stages() && flow.fields.pressure_lags && !flow.ends_with_scalars() &&
         !flow.flow_rates.any() && !needs_mean_of_pressure(flow);
}

// The correction of a step's last stage with what diagnostics measure of it, in one pass into
// fields that nothing reads any more: those of the second stage of rk3, the old rates of ab2. False
// where it takes two.
template <int Dim, class Space>
bool correct_and_measure(NavierStokes<Dim, Space>& flow, double factor,
                         const PressureUpdate<Dim>& update, VelocityField<Dim, Space>& velocity) {
  FlowFields<Dim, Space>& fields = flow.fields;
  if (flow.measured == nullptr || update.change != PressureChange::publish) return false;
  const auto spare = [&fields, rates = flow.scheme.keeps_rates](int d) -> Field<Dim, Space>& {
    return rates ? fields.rates[static_cast<std::size_t>(d)] : fields.previous[d];
  };
  VelocityView<Dim> corrected;
  for (int d = 0; d < Dim; ++d) corrected.component[d] = spare(d).view();
  if (!flow.pressure_solve->correct_and_measure(1.0 / factor, velocity,
                                                std::as_const(fields.velocity).view(), corrected,
                                                update, *flow.measured))
    return false;
  for (int d = 0; d < Dim; ++d) std::swap(velocity[d], spare(d));
  return true;
}

// The same in the pass that corrects the velocity, where diffusion is explicit.
template <int Dim, class Space>
void correct_velocity_and_pressure(NavierStokes<Dim, Space>& flow, double dt, double factor,
                                   VelocityField<Dim, Space>& velocity) {
  FlowFields<Dim, Space>& fields = flow.fields;
  PressureUpdate<Dim> update{PressureChange::increment,
                             std::as_const(fields.pressure).view(),
                             fields.new_pressure().view(),
                             {},
                             0.0};
  if (publishes_in_correction(flow))
    update = {PressureChange::publish, update.old, fields.pressure.view(),
              fields.published_pressure.view(), pressure_ahead(flow, dt)};
  if (!correct_and_measure(flow, factor, update, velocity))
    flow.pressure_solve->correct(1.0 / factor, velocity, update);
  fill_velocity_ghosts(velocity, flow.boundary.closures());
}

template <int Dim, class Space>
void complete_new_pressure(NavierStokes<Dim, Space>& flow, double dt) {
  FlowFields<Dim, Space>& fields = flow.fields;
  Field<Dim, Space>& pressure = fields.pressure;
  Field<Dim, Space>& published = fields.published_pressure;
  const double ahead = pressure_ahead(flow, dt);
  if (flow.flow_rates.any())
    flow.flow_rates.accept(unit_flow(flow), flow.density, ahead, fields.new_pressure());
  if (!fields.pressure_lags) return complete_pressure(flow, pressure);
  if (!publishes_in_correction(flow)) {
    linalg::Scalar<Space> mean;
    const bool has_mean = needs_mean_of_pressure(flow);
    if (has_mean)
      average_pressure(flow.grid.view(), flow.bodies.view(), flow.fluid_volume, published, mean);
    publish_pressure(flow.bodies.view(), has_mean ? mean.data() : nullptr, ahead, pressure,
                     published);
  }
  if (!flow.pressure_sides.change())
    return fill_pressure_ghosts(std::array{&pressure, &published}, flow.sides(),
                                flow.pressure_sides.values());
  fill_pressure_ghosts(pressure, flow.sides(), flow.pressure_sides.values());
  flow.pressure_sides.advance(fields.time, fields.time + dt);
  fill_pressure_ghosts(published, flow.sides(), flow.pressure_sides.values());
}

}  // namespace hodge::sim
