// Steps of scalars that keep their bounds at any step (bdf2) or at any that is stable (rk3), with
// what is of second order in time limited (assembly/limited_fluxes.hpp). T(c) is transport by
// convection and diffusion, V left out:
//
//   bdf2   c^{n+1} = c^n + dt (T(c^{n+1}) + s) + limited[-dt r/2 (T(c^n) - T(c^{n-1}))]
//
// a step of backward Euler, which stays in bounds, with velocity, values of sides and sources of
// the middle of the step, where c is c^{n+1} - r/2 (c^n - c^{n-1}) + O(dt^2); r = dt / dt of the
// step before. Second order. For T(c) = lambda c it is stable wherever Re lambda <= 0, and the
// amount that passes a side is that of the midpoint rule.
//
//   rk3    c^{n+1} = c^n + dt (T_up(c^n) + s) + limited[dt (T_0 / 4 + 3 T_2 / 4 - T_up(c^n))]
//
// T_k: of its stages, whose second one cancels; T_up: upwind, by their velocities. Only a
// correction of the last stage, and none where what that leaves is in bounds by itself, as it is in
// nearly all steps. T_up stays in bounds where dt (a + 3 d / 4) <= 1, a and d as in stability.hpp.
// Scalars that react are not limited.
#pragma once

#include "sim/discrete/assembly/limited_fluxes.hpp"
#include "sim/time/step_verbs.hpp"

namespace hodge::sim {

template <int Dim, class Space>
bool is_limited(const NavierStokes<Dim, Space>& flow, const ScalarState<Dim, Space>& scalar) {
  return flow.limits.has_value() && !scalar.reacts;
}

// With the values of `time`.
template <int Dim, class Space>
void refresh_limited_sides(const NavierStokes<Dim, Space>& flow, ScalarState<Dim, Space>& scalar,
                           const StepInterval& step, double time) {
  BoundaryStep<Dim> sides =
      flow.boundary.step(time, step.dt, backward_euler_weights(1.0), flow.fields.convecting.view());
  sides.old_level = std::as_const(scalar.now).view();
  sides.older_level = std::as_const(scalar.before).view();
  sides.limited_ratio = -step.weights.e1;
  sides.coefficient = scalar.domain.sides;
  scalar.boundary.refresh(sides);
  refresh_bodies(scalar, time);
}

// Of what surfaces of sharp bodies take away, as far as the level stays in its range.
template <int Dim, class Space>
void correct_loss(NavierStokes<Dim, Space>& flow, const ScalarState<Dim, Space>& scalar,
                  const RangeSources<Dim>& of, double weight, Field<Dim, Space>& level) {
  const TransportOperator<Dim> on = transport_at(flow, scalar);
  const Unknowns<Dim> cells = scalar.domain.cells;
  const double* const range = flow.limits->range.data();
  const FieldView<Dim> q = level.view();
  linalg::for_each<Space>(cells.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!cells.contains(c) || of.loss(c) == 0.0) return;
    const ScalarRange bounds = MeasuredRange(range).bounds;
    const double change = weight * of.loss(c) * (of.level(c) - of.before(c));
    const double corrected = q(c) + change * inverse_storage(on, c);
    q(c) = fmin(fmax(corrected, bounds.least), bounds.largest);
  });
}

// The level from which the step of bdf2 starts; the first one has no level before.
template <int Dim, class Space>
const Field<Dim, Space>& limited_start(NavierStokes<Dim, Space>& flow,
                                       const ScalarState<Dim, Space>& scalar,
                                       const StepInterval& step, double middle) {
  const double weight = 0.5 * step.dt * step.weights.e1;  // e1 = -r
  if (weight == 0.0) return scalar.now;
  const ConstVelocityView<Dim> u = carrying(flow, scalar, flow.fields.convecting);
  RangeSources<Dim> of{flow.sides(), scalar.now.view(), scalar.before.view(), {}, {}, {}};
  of.amounts = {scalar.boundary.view(),
                {{u, scalar.now.view(), weight}, {u, scalar.before.view(), -weight}},
                {}};
  if (scalar.own) of.bodies = scalar.domain.bodies;
  of.has_bodies = scalar.own != nullptr;
  of.has_sides = has_sides(flow.boundary.sides_of_whole_box());
  of.forcing[0] = forcing_of(flow, scalar, middle, false);
  if (scalar.own) {
    of.gain = scalar.own->bodies.gain();
    of.loss = scalar.own->bodies.loss();
    of.amounts.along = scalar.own->bodies.along();
  }
  Field<Dim, Space>& level = flow.limits->level;
  add_limited_amounts(transport_at(flow, scalar), scalar.domain.cells, of, scalar.now, *flow.limits,
                      level);
  if (of.loss.origin != nullptr) correct_loss(flow, scalar, of, -weight, level);
  fill_scalar_ghosts(level, scalar.boundary.view());
  return level;
}

// The step of bdf2. The convecting velocity is that of the middle.
template <int Dim, class Space>
bool transport_limited_scalar(NavierStokes<Dim, Space>& flow, ScalarState<Dim, Space>& scalar,
                              const TransportTask& what, const StepInterval& step,
                              StepReport& report) {
  const Field<Dim, Space>& now = scalar.now;
  StepInterval over = step;
  over.weights = backward_euler_weights(1.0);
  const double middle = step.start + 0.5 * step.dt;
  refresh_limited_sides(flow, scalar, step, middle);
  scalar.next.values() =  // first guess
      step.weights.e0 * now.values() + step.weights.e1 * scalar.before.values();
  const Field<Dim, Space>& start = limited_start(flow, scalar, step, middle);
  TransportEquation<Dim> equation =
      equation_of(flow, over, flow.scalar_scheme.implicit, transport_at(flow, scalar),
                  closure_of(scalar), start, start);
  equation.convecting = carrying(flow, scalar, flow.fields.convecting);
  equation.at_sharp = at_sharp_bodies(scalar);
  resist(flow, resistance_of(flow, scalar), over, true, forcing_of(flow, scalar, middle), equation);
  const bool ok =
      solve_transport(flow, *flow.scalar_solver, what, equation, scalar.next, scalar.next, report,
                      [&] { complete_scalar(scalar, scalar.next); });
  refresh_limited_sides(flow, scalar, step, step.end());
  complete_scalar(scalar, scalar.next);
  return ok;
}

// u^ for limited scalars, of the middle of the step, or for all else. Behind the stages of the
// velocity u^{n+1} is known.
template <int Dim, class Space>
void extrapolate_for_scalar(NavierStokes<Dim, Space>& flow, const StepInterval& step,
                            bool is_limited) {
  FlowFields<Dim, Space>& fields = flow.fields;
  if (flow.scheme.has_stages()) {
    const double share = is_limited ? 0.5 : 1.0;
    for (int d = 0; d < Dim; ++d)
      fields.convecting[d].values() =
          (1.0 - share) * fields.velocity[d].values() + share * fields.next[d].values();
    flow.boundary.measure_side_flows(std::as_const(fields.convecting).view());
    return;
  }
  if (!is_limited) return extrapolate_convecting_velocity(flow, step);
  const double ratio = -step.weights.e1;
  extrapolate_convecting_velocity(flow, {step.start, 0.5 * step.dt, cn_ab2_weights(ratio)});
}

// What the last stage of rk3 has left in `next`, whose ghosts are not filled yet; `from`,
// `velocity`: of its start.
template <int Dim, class Space>
void limit_last_stage(NavierStokes<Dim, Space>& flow, ScalarState<Dim, Space>& scalar, double dt,
                      const VelocityField<Dim, Space>& velocity, const Field<Dim, Space>& from) {
  const std::span<const RungeKuttaStage> stages = flow.scheme.stages;
  const double first = stages[0].gamma + stages[1].zeta;
  const ConstFieldView<Dim> now = std::as_const(scalar.now).view();
  RangeSources<Dim> of{flow.sides(), now, {}, {}, {}, std::as_const(scalar.next).view()};
  of.amounts = {scalar.boundary.view(),
                {{flow.fields.velocity.view(), now, first * dt},
                 {velocity.view(), from.view(), (1.0 - first) * dt}},
                now};
  if (scalar.own) of.bodies = scalar.domain.bodies;
  of.has_bodies = scalar.own != nullptr;
  of.has_sides = has_sides(flow.boundary.sides_of_whole_box());
  // A source that is a field has one array: that of the last stage, which is there.
  of.forcing[0] = forcing_of(flow, scalar, flow.fields.time + stages.back().start * dt);
  if (of.forcing[0].given.origin == nullptr)
    of.forcing[1] = forcing_of(flow, scalar, flow.fields.time);
  add_limited_amounts(transport_at(flow, scalar), scalar.domain.cells, of, scalar.next,
                      *flow.limits, scalar.next);
}

}  // namespace hodge::sim
