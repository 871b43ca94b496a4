// What a stage of a scalar has at cells beside sharp bodies (bodies/sharp_scalars.hpp) beyond that
// of all others (runge_kutta.hpp), which has been taken:
//
//   rate += (net flux out) q / V            beside closures, as in assembly/sharp_rows.hpp
//           - loss q / V                    through the surface
//           + sum_s w_s entering_s / V      what enters merged cells
//   (1 + dt_k lambda) new = ...             lambda of loss, and of distances to a surface that are
//                                           shorter than that of two centres
//
// so that bodies do not shorten the step. Rates are stored with lambda q, which the new level has.
#pragma once

#include <array>
#include <utility>

#include "sim/discrete/bodies/scalar_bodies.hpp"
#include "sim/discrete/boundaries/ghosts.hpp"
#include "sim/time/runge_kutta.hpp"

namespace hodge::sim {

// Into merged cells, by transport and through the surface; in the ghosts of their field, too.
template <int Dim, class Space>
void measure_entering(const StageEquation<Dim>& equation, const StageField<Dim>& field,
                      ScalarBodies<Dim, Space>& bodies) {
  if (bodies.entering() == nullptr) return;
  const MergedCell<Dim>* const cells = bodies.merged().data();
  const ConstFieldView<Dim> gain = bodies.gain(), loss = bodies.loss();
  const FieldView<Dim> entering = bodies.entering()->view();
  const TransportOperator<Dim> on = equation.transport;
  const ConstFieldView<Dim> q = at_origin(equation, field.q);
  const ConstVelocityView<Dim> u = equation.velocity;
  linalg::for_each<Space>(static_cast<int>(bodies.merged().size()), [=] HODGE_LAMBDA(int i) {
    const Index<Dim>& c = cells[i].c;
    double sum = diffusion_of(on, q, c) - convection_of(on, u, q, false, c);
    if (gain.origin != nullptr) sum += gain(c) - loss(c) * q(c);
    entering(c) = sum;
  });
  fill_pressure_ghosts(std::array{bodies.entering()}, on.sides, {});
}

// Of closures: what exceeds the conductance of two centres.
template <int Dim>
HODGE_HD double stiffness_of_closures(const TransportOperator<Dim>& on, const Index<Dim>& c) {
  double sum = 0.0;
  for (int e = 0; e < Dim; ++e)
    for (int side = 0; side < 2; ++side) {
      if (!on.bodies.excludes(at_cells, c.shifted(e, side == 0 ? -1 : 1))) continue;
      const double slope = on.bodies.beyond(at_cells, e, side, c).slope;
      if (slope < 0.0) sum -= slope * on.diffusivity * conductance(on, e, c.shifted(e, side));
    }
  return sum;
}

template <int Dim, class Space>
void complete_stage_at_sharp_bodies(const StageEquation<Dim>& equation,
                                    const StageField<Dim>& field,
                                    ScalarBodies<Dim, Space>& bodies) {
  measure_entering(equation, field, bodies);
  const StagedCell<Dim>* const cells = bodies.staged().data();
  const WeighedCell<Dim>* const taps = bodies.taps();
  const ConstFieldView<Dim> loss = bodies.loss();
  const ConstFieldView<Dim> entering = bodies.entering() != nullptr
                                           ? std::as_const(*bodies.entering()).view()
                                           : ConstFieldView<Dim>{};
  const TransportOperator<Dim> on = equation.transport;
  const ConstFieldView<Dim> q = at_origin(equation, field.q);
  const ConstVelocityView<Dim> u = equation.velocity;
  const FieldView<Dim> next = at_origin(equation, field.next),
                       rate_of = at_origin(equation, field.rate);
  const double weight = equation.dt * equation.stage.gamma;
  const double over = equation.stage.length() * equation.dt;
  const bool keeps_rate = equation.keeps_rates;
  linalg::for_each<Space>(static_cast<int>(bodies.staged().size()), [=] HODGE_LAMBDA(int i) {
    const StagedCell<Dim>& at = cells[i];
    const Index<Dim>& c = at.c;
    double sum = at.is_beside ? net_flux_out(on.grid, u, c) * q(c) : 0.0;
    double stiffness = at.is_beside ? stiffness_of_closures(on, c) : 0.0;
    if (loss.origin != nullptr) {
      sum -= loss(c) * q(c);
      stiffness += loss(c);
    }
    // Merged cells follow a surface that takes much: their loss is not stiff.
    for (int k = at.first; k < at.last; ++k) sum += taps[k].weight * entering(taps[k].c);
    const double inverse = inverse_storage(on, c), lambda = stiffness * inverse;
    const double rate = sum * inverse + lambda * q(c);
    next(c) = (next(c) + weight * rate) / (1.0 + over * lambda);
    if (keeps_rate) rate_of(c) += rate;
  });
}

}  // namespace hodge::sim
