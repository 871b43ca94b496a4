// One step of scalars that are solved for: those of bdf2, backward_euler and cn_ab2, before the
// velocity's (implicit_step.hpp); beside sharp solids also those of rk3 and ab2, after it, with
// u^{n+1} in place of u^.
//
// Beside sharp solids the scalars of cn_ab2, rk3 and ab2 have the step of bdf2: cut cells are
// small, and explicit transport would ask them for small steps. So solids bound no step, scalars
// keep what bounds they have with bdf2, and solids may conduct them. Of second order in time. In
// the stages of rk3 buoyancy is that of the line through the last two levels.
//
// Scalars that react step from the level after the first half of the reactions alone, because
// c^{n-1} knows nothing of these: bdf2 by Crank-Nicolson, backward_euler by backward Euler
// (TimeScheme::implicit_in_one_step). Beside sharp solids both levels are carried by u of the
// middle.
//
// Scalars that a convection scheme bounds have a step of their own (limited_scalars.hpp).
#pragma once

#include <optional>

#include "sim/time/limited_scalars.hpp"

namespace hodge::sim {

template <int Dim, class Space>
TransportTask solve_of(NavierStokes<Dim, Space>& flow, const ScalarState<Dim, Space>& scalar,
                       const StepInterval& step) {
  const auto number = &scalar - flow.fields.scalars.data();
  return {scalar.name, static_cast<int>(number), step.end(),
          flow.rounding.of_scalar(static_cast<std::size_t>(number))};
}

template <int Dim, class Space>
bool transport_scalar(NavierStokes<Dim, Space>& flow, ScalarState<Dim, Space>& scalar,
                      const StepInterval& step, StepReport& report) {
  const FlowFields<Dim, Space>& fields = flow.fields;
  StepInterval over = step;
  ImplicitShares implicit = flow.scalar_scheme.implicit;
  const Field<Dim, Space>*now = &scalar.now, *before = &scalar.before;
  if (scalar.reacts) {
    over.weights = backward_euler_weights(1.0);
    implicit = flow.scalar_scheme.implicit_in_one_step;
    refresh_scalar_sides(flow, scalar, over, fields.convecting, scalar.now, scalar.now);
    // Where `next` is iterated, `before` keeps the start: this step has no other use for it.
    // (Beside sharp bodies that conduct them scalars do not react.)
    const bool iterates = flow.iterates(at_cells);
    if (iterates) scalar.before.values() = 1.0 * scalar.next.values();
    now = before = iterates ? &scalar.before : &scalar.next;
  } else {
    refresh_scalar_sides(flow, scalar, over, fields.convecting, scalar.now, scalar.before);
    scalar.next.values() =  // first guess
        step.weights.e0 * scalar.now.values() + step.weights.e1 * scalar.before.values();
  }
  refresh_bodies(scalar, over.start + implicit.diffusion * over.dt);
  TransportEquation<Dim> equation = equation_of(flow, over, implicit, transport_at(flow, scalar),
                                                closure_of(scalar), *now, *before);
  equation.convecting = carrying(flow, scalar, fields.convecting);
  if (flow.carrying) equation.explicit_terms[0].velocity = equation.convecting;
  equation.at_sharp = at_sharp_bodies(scalar);
  resist(flow, resistance_of(flow, scalar), over, implicit.diffusion < 1,
         forcing_of(flow, scalar, over.start + implicit.diffusion * over.dt), equation);
  return solve_transport(flow, *flow.scalar_solver, solve_of(flow, scalar, step), equation,
                         scalar.next, scalar.next, report,
                         [&] { complete_scalar(scalar, scalar.next); });
}

// The same with explicit convection.
template <int Dim, class Space>
bool diffuse_scalar(NavierStokes<Dim, Space>& flow, ScalarState<Dim, Space>& scalar,
                    const StepInterval& step, StepReport& report) {
  const ImplicitShares& implicit = flow.scheme.implicit;
  refresh_scalar_sides(flow, scalar, step, flow.fields.convecting, scalar.now, scalar.before);
  refresh_bodies(scalar, step.start + implicit.diffusion * step.dt);
  if (scalar.domain.bodies.any()) scalar.next.values() = 1.0 * scalar.now.values();  // in solids
  const TransportEquation<Dim> equation =
      equation_of(flow, step, implicit, transport_at(flow, scalar), closure_of(scalar), scalar.now,
                  scalar.before);
  LapTimer<Space> timer;
  flow.work.resize(scalar.domain.cells.rows);
  RightSide<Dim> side = driven_right_side(
      equation, scalar.domain.cells,
      forcing_of(flow, scalar, step.start + implicit.diffusion * step.dt), flow.work.right_side);
  resist(flow, resistance_of(flow, scalar), step, side);
  assemble_right_sides<at_cells, Dim, Space, 1>({side}, flow.uniform);
  report.assembly_seconds += timer.lap();
  const bool ok = flow.scalar_solver->solve_for_right_side(
      solve_of(flow, scalar, step), side.equation, {scalar.now.view(), scalar.before.view()},
      scalar.next, flow.work, report);
  fill_scalar_ghosts(scalar.next, scalar.boundary.view());
  return ok;
}

template <int Dim, class Space>
bool transport_scalars(NavierStokes<Dim, Space>& flow, const StepInterval& step,
                       StepReport& report) {
  using Scalar = ScalarState<Dim, Space>;
  if (!react_first(flow, &Scalar::next, 0.5 * step.dt, report)) return false;
  // The time of u^, where it is that of scalars.
  std::optional<bool> in_middle;
  if (flow.scheme.has_implicit_convection()) in_middle = false;
  const auto extrapolate = [&](bool to_middle) {
    if (to_middle != in_middle) extrapolate_for_scalar(flow, step, to_middle);
    in_middle = to_middle;
  };
  const bool implicit = flow.scalar_scheme.has_implicit_convection();
  for (Scalar& scalar : flow.fields.scalars) {
    const bool limited = is_limited(flow, scalar);
    extrapolate(limited || (flow.carrying && scalar.reacts &&
                            flow.scalar_scheme.implicit_in_one_step.convection < 1));
    if (!(limited
              ? transport_limited_scalar(flow, scalar, solve_of(flow, scalar, step), step, report)
          : implicit ? transport_scalar(flow, scalar, step, report)
                     : diffuse_scalar(flow, scalar, step, report)))
      return false;
  }
  extrapolate(false);
  return react(flow, &Scalar::next, step.start + 0.5 * step.dt, 0.5 * step.dt, report);
}

}  // namespace hodge::sim
