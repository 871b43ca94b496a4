// What the steps of a flow are made of: extrapolate, refresh the sides, set up and solve an
// equation, react. Then the velocity is projected (projection_verbs.hpp).
//
// Over 400 lines: the verbs of one page of equations, which the steps of all schemes share.
#pragma once

#include <array>
#include <initializer_list>
#include <utility>

#include "sim/discrete/assembly/right_sides.hpp"
#include "sim/discrete/operators/correction.hpp"
#include "sim/discrete/operators/forcing.hpp"
#include "sim/time/navier_stokes.hpp"

namespace hodge::sim {

// Faces beside sharp bodies that are open too little for an unknown follow the others. Collective:
// also where this process has no such face.
template <int Dim, class Space>
void slave_small_faces(NavierStokes<Dim, Space>& flow, VelocityField<Dim, Space>& velocity) {
  if (!flow.sharp) return;
  set_slaved_faces(*flow.sharp, velocity);
  fill_velocity_ghosts(velocity, flow.boundary.closures());
}

// The flows with which flow rates are held; solves for one potential per axis beside solids.
template <int Dim, class Space>
void prepare_flow_rates(NavierStokes<Dim, Space>& flow) {
  if (!flow.flow_rates.any()) return;
  const double least = round_off / flow.grid.smallest_width();
  flow.flow_rates.prepare(unit_flow(flow), flow.fields.next, flow.fields.phi,
                          [&](const VelocityField<Dim, Space>& velocity) {
                            StepReport report;
                            const bool ok = flow.pressure_solve->solve(
                                velocity, {1.0, 0.0, least, {}}, flow.work, report);
                            return ok && report.solves.back().iterations > 0;
                          });
  flow.fields.phi.values().fill(0.0);
}

// Friction beside sharp bodies is implicit over `time`, the shortest in which the step projects a
// velocity. A pressure that moves faces by less than half of what the equations of u* say would
// grow from step to step; by more than that, it comes to rest more slowly. So the matrix is kept
// while steps change little.
template <int Dim, class Space>
void use_implicit_friction(NavierStokes<Dim, Space>& flow, double time) {
  if (!flow.sharp) return;
  const double now = flow.viscosity * time, last = flow.bodies.implicit_friction();
  if (0.75 * last <= now && now <= 1.5 * last) return;
  set_implicit_friction(flow, now);
  prepare_flow_rates(flow);
}

// What a step or a stage goes over, and how it weighs the levels.
struct StepInterval {
  double start, dt;
  TimeWeights weights;
  double end() const { return start + dt; }
};

template <int Dim, class Space>
StepRates rates_of(const ScalarState<Dim, Space>& scalar, double a0_per_dt, bool diffuses) {
  if (!scalar.own) return {a0_per_dt, diffuses ? scalar.diffusivity : 0.0, 0.0};
  return {a0_per_dt * scalar.own->largest_capacity,
          diffuses ? scalar.own->largest_conductivity : 0.0, 0.0};
}

// For the systems that are solved to a tolerance.
template <int Dim, class Space>
void measure_rounding(NavierStokes<Dim, Space>& flow, const StepInterval& over) {
  const FlowFields<Dim, Space>& fields = flow.fields;
  const auto needs = [](const auto& solve) { return solve && solve->ends_by_tolerance(); };
  const double a0_per_dt = over.weights.a0 / over.dt;
  const double viscosity =
      flow.varying.viscosity ? flow.varying.viscosity->range().largest : flow.viscosity;
  if (needs(flow.momentum_solver) || needs(flow.pressure_solve))
    flow.rounding.measure_velocity(flow.grid, flow.bodies.view(), fields.velocity.view(),
                                   fields.pressure.view(),
                                   {a0_per_dt, viscosity, 1.0 / flow.density});
  const bool bounded = flow.scalar_solver && flow.scalar_solver->keeps_bounds();
  for (std::size_t k = 0; needs(flow.scalar_solver) && k < fields.scalars.size(); ++k)
    flow.rounding.measure_scalar(k, flow.grid.view(), fields.scalars[k].now.view(),
                                 rates_of(fields.scalars[k], a0_per_dt, !bounded));
}

// u_d = the mean of its formula at `time` over every face, those beyond the box too.
template <int Dim, class Space>
void prescribe(const NavierStokes<Dim, Space>& flow, VelocityField<Dim, Space>& velocity,
               double time) {
  for (int d = 0; d < Dim; ++d)
    evaluate_means(flow.grid.view(), flow.grid.bounds(), flow.prescribed.view(d), d, d, time,
                   velocity[d].layout().padded(), velocity[d]);
  stop_at_solids(flow.bodies.view(), velocity);
}

// u^, where it is read: by implicit convection, and at open sides.
template <int Dim, class Space>
void extrapolate_convecting_velocity(NavierStokes<Dim, Space>& flow, const StepInterval& over) {
  FlowFields<Dim, Space>& fields = flow.fields;
  if (flow.velocity_is_prescribed()) {
    if (flow.prescribed_changes) prescribe(flow, fields.convecting, over.end());
    return;
  }
  if (!flow.scheme.has_implicit_convection() && !flow.scalar_scheme.has_implicit_convection() &&
      !flow.boundary.has_outflow())
    return;
  for (int d = 0; d < Dim; ++d)  // the ghosts too: e0 + e1 = 1
    fields.convecting[d].values() = over.weights.e0 * fields.velocity[d].values() +
                                    over.weights.e1 * fields.previous[d].values();
}

// As the last refresh of the sides found it.
template <int Dim, class Space>
bool inflow_balances(const NavierStokes<Dim, Space>& flow, StepReport& report) {
  const auto& complaint = flow.boundary.balance().complaint();
  if (!complaint) return true;
  report.ok = false;
  report.failure = *complaint;
  report.cause = "the velocities of the inflow sides, which must balance at every time";
  return false;
}

template <int Dim, class Space>
bool refresh_velocity_sides(NavierStokes<Dim, Space>& flow, const StepInterval& over,
                            const VelocityField<Dim, Space>& convecting,
                            const VelocityField<Dim, Space>& level,
                            const VelocityField<Dim, Space>& level_before, StepReport& report) {
  const ConstVelocityView<Dim> now = level.view(), before = level_before.view();
  flow.boundary.measure_side_flows(convecting.view());
  BoundaryStep<Dim> step = flow.boundary.step(over.end(), over.dt, over.weights, convecting.view());
  step.coefficient = flow.varying.of_velocity();
  flow.boundary.refresh(step, &now, &before);
  return inflow_balances(flow, report);
}

template <int Dim, class Space>
void refresh_scalar_sides(const NavierStokes<Dim, Space>& flow, ScalarState<Dim, Space>& scalar,
                          const StepInterval& over, const VelocityField<Dim, Space>& convecting,
                          const Field<Dim, Space>& level, const Field<Dim, Space>& level_before) {
  BoundaryStep<Dim> step = flow.boundary.step(over.end(), over.dt, over.weights, convecting.view());
  step.old_level = level.view();
  step.older_level = level_before.view();
  step.coefficient = scalar.domain.sides;
  scalar.boundary.refresh(step);
}

template <int Dim, class Space>
TransportOperator<Dim> transport_at(const NavierStokes<Dim, Space>& flow, int location,
                                    double diffusivity) {
  return {flow.grid.view(),
          flow.sides(),
          flow.bodies.view(),
          location,
          diffusivity,
          flow.convection_at(location).kind,
          {},
          flow.boundary.side_flows()};
}

template <int Dim, class Space>
TransportOperator<Dim> transport_of_component(const NavierStokes<Dim, Space>& flow, int d) {
  TransportOperator<Dim> transport = transport_at(flow, d, flow.viscosity);
  transport.coefficient = flow.varying.of_velocity();
  return transport;
}

template <int Dim, class Space>
TransportOperator<Dim> transport_at(const NavierStokes<Dim, Space>& flow,
                                    const ScalarState<Dim, Space>& scalar) {
  TransportOperator<Dim> transport = transport_at(flow, at_cells, scalar.diffusivity);
  transport.bodies = scalar.domain.bodies;
  transport.coefficient = scalar.domain.coefficient;
  return transport;
}

// Gives the coefficients that vary their values at `time`, of e0 times the present level and e1
// times the one before. False where one is not positive.
template <int Dim, class Space>
bool refresh_coefficients(NavierStokes<Dim, Space>& flow, const CoefficientLevels<Dim>& from,
                          StepReport& report) {
  const auto refused = [&](const std::string& key, const CoefficientRange& range) {
    report.ok = report.solves_failed = false;
    report.failure = coefficient_failure(key, flow.fields.step + 1, from.time, range.worst);
    report.bad_key = key;
    report.cause = "the formula " + key;
    return false;
  };
  flow.varying.is_present = false;
  if (flow.varying.eddy) flow.varying.eddy->refresh(from.velocity);
  const ConstFieldView<Dim> eddy = flow.varying.eddy_view();
  if (flow.varying.viscosity) {
    flow.varying.viscosity->refresh(from, eddy, *flow.varying.at_cells);
    if (const CoefficientRange& range = flow.varying.viscosity->range(); range.is_bad)
      return refused("fluid.viscosity", range);
  }
  for (ScalarState<Dim, Space>& scalar : flow.fields.scalars) {
    if (!scalar.varying) continue;
    scalar.varying->refresh(from, eddy, flow.varying.scratch());
    if (const CoefficientRange& range = scalar.varying->range(); range.is_bad)
      return refused("scalars." + scalar.name + ".diffusivity", range);
  }
  return true;
}

template <int Dim, class Space>
CoefficientLevels<Dim> coefficient_levels(const NavierStokes<Dim, Space>& flow,
                                          const ResistingVelocity<Dim>& u, double time) {
  return {{flow.grid.view(), flow.sides(), flow.bodies.view(), u}, {}, 0, time};
}

// Those of the level that a step begins with, whose constants of a dynamic closure hold in the
// step.
template <int Dim, class Space>
void find_model_constants(NavierStokes<Dim, Space>& flow,
                          const VelocityField<Dim, Space>& velocity) {
  if (flow.varying.eddy)
    flow.varying.eddy->find_constants(
        coefficient_levels(flow, {velocity.view(), velocity.view()}, 0.0).velocity);
}

// Of one level.
template <int Dim, class Space>
bool refresh_coefficients(NavierStokes<Dim, Space>& flow, const VelocityField<Dim, Space>& velocity,
                          typename NavierStokes<Dim, Space>::ScalarLevel scalars, double time,
                          StepReport& report) {
  if (!flow.varying.any) return true;
  CoefficientLevels<Dim> from = coefficient_levels(flow, {velocity.view(), velocity.view()}, time);
  for (const ScalarState<Dim, Space>& scalar : flow.fields.scalars) {
    if (from.scalar_count == static_cast<int>(most_scalars_in_coefficients)) break;
    ConstFieldView<Dim>(&levels)[2] = from.scalars[from.scalar_count++];
    levels[0] = levels[1] = (scalar.*scalars).view();
  }
  return refresh_coefficients(flow, from, report);
}

// At the time of implicit diffusion, extrapolated from the last two levels.
template <int Dim, class Space>
bool refresh_coefficients(NavierStokes<Dim, Space>& flow, const StepInterval& over,
                          StepReport& report) {
  if (!flow.varying.any) return true;
  const FlowFields<Dim, Space>& fields = flow.fields;
  CoefficientLevels<Dim> from = coefficient_levels(
      flow, {fields.velocity.view(), fields.previous.view(), over.weights.e0, over.weights.e1},
      over.start + flow.scheme.implicit.diffusion * over.dt);
  for (const ScalarState<Dim, Space>& scalar : fields.scalars) {
    if (from.scalar_count == static_cast<int>(most_scalars_in_coefficients)) break;
    ConstFieldView<Dim>(&levels)[2] = from.scalars[from.scalar_count++];
    levels[0] = scalar.now.view();
    levels[1] = scalar.before.view();
  }
  return refresh_coefficients(flow, from, report);
}

// What bodies are to the scalar at the time of its diffusion.
template <int Dim, class Space>
void refresh_bodies(const ScalarState<Dim, Space>& scalar, double time) {
  if (scalar.own) scalar.own->bodies.refresh(time);
}

// The velocity that carries the scalar through whole faces: that of their open parts times these,
// and none into bodies. In `carrying`, until the next one is made.
template <int Dim, class Space>
ConstVelocityView<Dim> carrying(NavierStokes<Dim, Space>& flow,
                                const ScalarState<Dim, Space>& scalar,
                                const VelocityField<Dim, Space>& velocity) {
  if (!flow.carrying) return velocity.view();
  const ConstVelocityView<Dim> from = velocity.view();
  const VelocityView<Dim> to = flow.carrying->view();
  const BodyView<Dim> bodies = scalar.domain.bodies;
  linalg::for_each<Space>(flow.grid.layout().padded(), [=] HODGE_LAMBDA(const Index<Dim>& c) {
    for (int d = 0; d < Dim; ++d) to[d](c) = bodies.open(d, c) * from[d](c);
  });
  return std::as_const(*flow.carrying).view();
}

template <int Dim, class Space>
CellsAtSharpBodies<Dim> at_sharp_bodies(const ScalarState<Dim, Space>& scalar) {
  if (!scalar.own || !scalar.own->bodies.is_sharp()) return {};
  const ScalarBodies<Dim, Space>& bodies = scalar.own->bodies;
  const auto beside = bodies.beside();
  return {beside.data(), static_cast<int>(beside.size()), bodies.loss(), bodies.along(), {}};
}

// Gives a level its ghosts, and its values beside sharp bodies that follow others.
template <int Dim, class Space>
void complete_scalar(const ScalarState<Dim, Space>& scalar, Field<Dim, Space>& level) {
  fill_scalar_ghosts(level, scalar.boundary.view());
  // Processes that have none take part in the exchange.
  if (!scalar.own || !scalar.own->bodies.is_sharp()) return;
  scalar.own->bodies.fill_behind(level);
  fill_scalar_ghosts(level, scalar.boundary.view());
}

template <int Dim, class Space>
ClosureView<Dim> closure_of(const ScalarState<Dim, Space>& scalar) {
  ClosureView<Dim> closure = scalar.boundary.view();
  if (scalar.own) closure.slopes_change |= scalar.own->bodies.slopes_change();
  return closure;
}

// The transposed gradient of a viscosity that varies, extrapolated to the time of diffusion. In
// parts of the fluid that are much more viscous than others it is as stiff as diffusion itself, B =
// m A with -1 <= m <= 1. A step whose extrapolation has two levels therefore also adds
//
//   s A (u^{n+1} - (1 + r) u^n + r u^{n-1}),   r = dt / dt of the step before
//
// of second order. In the limit of large equal steps z in u^n = z^n then obeys
//
//   bdf2     (1 + s) z^2 + (m - s) (2 z - 1) = 0             |z| <= 1 for all m where s >= 1/2
//   cn_ab2   (1/2 + s) z^2 + (1/2 - 2 s + 3/2 m) z + s - m / 2 = 0                     likewise
//
// and s is half as large again, or twice. backward_euler needs none. (Measured with a blob of fluid
// in a driven cavity: bdf2 is stable 20000 times more viscous than the rest, cn_ab2 100 times, not
// 400.) Where m = -1, a part that turns as a solid, z = 1: it takes up its speed in dt^2 nu / L^2.
template <int Dim>
void add_transposed_stress(const StepInterval& over, const TimeScheme& scheme,
                           TransportEquation<Dim>& equation) {
  equation.explicit_terms[0].transposed = over.weights.e0;
  equation.explicit_terms[1].transposed = over.weights.e1;
  if (scheme.weights(1.0).e1 == 0.0) return;
  const bool is_bdf2 = scheme.has_implicit_convection();
  const double share = is_bdf2 ? 0.75 : 1.0;
  const double ratio = is_bdf2 ? -over.weights.e1 : -2 * over.weights.e1;
  equation.implicit_diffusion += share;
  equation.explicit_terms[0].diffusion -= share * (1 + ratio);
  equation.explicit_terms[1].diffusion += share * ratio;
}

// The equation of the step from `now`, with `before` behind it; convection by the extrapolated
// velocity, and what is explicit by the levels, each carried by its own velocity.
template <int Dim, class Space>
TransportEquation<Dim> equation_of(const NavierStokes<Dim, Space>& flow, const StepInterval& over,
                                   const ImplicitShares& implicit,
                                   const TransportOperator<Dim>& transport,
                                   const ClosureView<Dim>& closure, const Field<Dim, Space>& now,
                                   const Field<Dim, Space>& before) {
  const TimeWeights& w = over.weights;
  const double explicit_convection = 1 - implicit.convection;
  TransportEquation<Dim> equation{};
  equation.transport = transport;
  equation.closure = closure;
  equation.dt = over.dt;
  equation.weights = w;
  equation.old_level = now.view();
  equation.older_level = (w.a2 != 0 ? before : now).view();
  equation.convecting =
      (implicit.convection > 0 ? flow.fields.convecting : flow.fields.velocity).view();
  equation.implicit_convection = implicit.convection;
  equation.implicit_diffusion = implicit.diffusion;
  equation.upwind_fraction = flow.convection_at(transport.location).upwind_fraction();
  equation.explicit_terms[0] = {flow.fields.velocity.view(), now.view(), explicit_convection * w.e0,
                                1 - implicit.diffusion};
  equation.explicit_terms[1] = {flow.fields.previous.view(), before.view(),
                                explicit_convection * w.e1, 0.0};
  if (transport.coefficient.varies() && transport.location != at_cells)
    add_transposed_stress(over, flow.scheme, equation);
  equation.density = flow.density;
  equation.equal_locations = flow.equal_locations;
  return equation;
}

// A level of the scalars with the share that it has in buoyancy.
template <int Dim, class Space>
using WeighedLevel = std::pair<typename NavierStokes<Dim, Space>::ScalarLevel, double>;

// What drives a scalar, and component d by these levels of the scalars, at a time.
template <int Dim, class Space>
Forcing<Dim> forcing_of(const NavierStokes<Dim, Space>& flow, const ScalarState<Dim, Space>& scalar,
                        double time, bool gains = true) {
  Forcing<Dim> forcing{flow.grid.view(), at_cells, scalar.source->at(time),
                       scalar.source->uniform(time)};
  if (!scalar.own || !scalar.own->bodies.has_media()) return forcing;
  forcing.given = scalar.own->bodies.forcing(forcing.given, forcing.constant, time, gains);
  forcing.constant = 0.0;
  return forcing;
}
template <int Dim, class Space>
Forcing<Dim> given_force(const NavierStokes<Dim, Space>& flow, int d, double time) {
  FormulaField<Dim, Space>& force = *flow.force[static_cast<std::size_t>(d)];
  Forcing<Dim> forcing{flow.grid.view(), d, force.at(time), force.uniform(time)};
  forcing.bodies = flow.bodies.view();
  for (int side = 0; side < 2; ++side) forcing.open[side] = flow.sides().open[d][side];
  return forcing;
}

// What forces of the flow are evaluated from.
template <int Dim, class Space>
FlowAtFaces<Dim> flow_at_faces(const NavierStokes<Dim, Space>& flow,
                               const ResistingVelocity<Dim>& u, double time,
                               std::initializer_list<WeighedLevel<Dim, Space>> levels) {
  FlowAtFaces<Dim> from{u, {}, {0, 0}, 0, time};
  for (const ScalarState<Dim, Space>& scalar : flow.fields.scalars) {
    if (from.scalar_count == static_cast<int>(most_scalars_in_coefficients)) break;
    int number = 0;
    for (const auto& [level, weight] : levels) {
      from.weights[number] = weight;
      from.scalars[from.scalar_count][number++] = (scalar.*level).view();
    }
    ++from.scalar_count;
  }
  return from;
}

// Gives forces of the flow their values, until the next call; `damped`: the time step times the
// ratio of steps, where u^{n-1} is at hand.
template <int Dim, class Space>
void refresh_flow_force(const NavierStokes<Dim, Space>& flow, const ResistingVelocity<Dim>& u,
                        double time, double damped,
                        std::initializer_list<WeighedLevel<Dim, Space>> levels) {
  if (!flow.flow_force) return;
  const FlowAtFaces<Dim> from = flow_at_faces(flow, u, time, levels);
  for (int d = 0; d < Dim; ++d)
    flow.flow_force->refresh(given_force(flow, d, time), from,
                             flow.scheme.force.turning_damping * damped);
}

// Forces of the flow as they have been refreshed.
template <int Dim, class Space>
Forcing<Dim> forcing_of(const NavierStokes<Dim, Space>& flow, int d, double time,
                        std::initializer_list<WeighedLevel<Dim, Space>> levels) {
  Forcing<Dim> forcing = given_force(flow, d, time);
  if (flow.flow_force) {
    forcing.given = flow.flow_force->view(d);
    forcing.constant = 0.0;
  }
  forcing.uniform = flow.flow_rates.driving(d);
  for (const ScalarState<Dim, Space>& scalar : flow.fields.scalars)
    for (const auto& [level, weight] : levels)
      if (weight * scalar.buoyancy[d] != 0.0)
        forcing.term[forcing.terms++] = {(scalar.*level).view(), weight * scalar.buoyancy[d],
                                         scalar.neutral};
  return forcing;
}

// As a field, until the next one is evaluated; null where nothing drives.
template <int Dim, class Space>
ConstFieldView<Dim> evaluated(NavierStokes<Dim, Space>& flow, const Forcing<Dim>& forcing) {
  if (!forcing.any()) return {};
  if (forcing.given.origin != nullptr && !forcing.is_more_than_given()) return forcing.given;
  evaluate_forcing(forcing, flow.fields.forcing);
  return std::as_const(flow.fields.forcing).view();
}

template <int Dim, class Space>
int resistance_of(const NavierStokes<Dim, Space>& flow, const ScalarState<Dim, Space>& scalar) {
  const auto number = &scalar - flow.fields.scalars.data();
  return Resistance<Dim, Space>::of_scalar(static_cast<std::size_t>(number));
}

// u^ of a step (operators/resistance.hpp); `from_one`: it goes from one level.
template <int Dim, class Space>
ResistingVelocity<Dim> resisting_velocity(const NavierStokes<Dim, Space>& flow,
                                          const StepInterval& over, bool from_one) {
  const FlowFields<Dim, Space>& fields = flow.fields;
  if (from_one) return {fields.velocity.view(), fields.velocity.view()};
  return {fields.velocity.view(), fields.previous.view(), over.weights.e0, over.weights.e1};
}

// Gives an equation its forcing and resistance: the implicit part, and in its forcing the part of
// q^n.
template <int Dim, class Space>
void resist(NavierStokes<Dim, Space>& flow, int slot, const StepInterval& over, bool from_one,
            const Forcing<Dim>& forcing, TransportEquation<Dim>& equation) {
  equation.forcing = evaluated(flow, forcing);
  if (!flow.resistance.resists(slot)) return;
  const ResistingVelocity<Dim> u = resisting_velocity(flow, over, from_one);
  equation.resistance = flow.resistance.implicit(slot, u, over.dt, from_one);
  const ResistanceView<Dim> on = flow.resistance.view(slot);
  const ConstFieldView<Dim> driven = equation.forcing, q = equation.old_level;
  const FieldView<Dim> f = flow.fields.forcing.view();
  linalg::for_each<Space>(points_of(flow.fields.forcing.layout(), on.location),
                          [=] HODGE_LAMBDA(const Index<Dim>& c) {
                            const double given = driven.origin ? driven(c) : 0.0;
                            f(c) = given + resisting_rate(on, u, q, c);
                          });
  equation.forcing = std::as_const(flow.fields.forcing).view();
}

// The same where the forcing stands in the array of a right side.
template <int Dim, class Space>
void resist(NavierStokes<Dim, Space>& flow, int slot, const StepInterval& over,
            RightSide<Dim>& side) {
  if (!flow.resistance.resists(slot)) return;
  TransportEquation<Dim>& equation = side.equation;
  const ResistingVelocity<Dim> u = resisting_velocity(flow, over, true);
  equation.resistance = flow.resistance.implicit(slot, u, over.dt, true);
  const ResistanceView<Dim> on = flow.resistance.view(slot);
  const ConstFieldView<Dim> q = equation.old_level;
  const Unknowns<Dim> unknowns = side.unknowns;
  double* const b = side.b;
  const bool was_driven = side.is_driven;
  const double constant = side.constant_forcing;
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!unknowns.contains(c)) return;
    const int row = unknowns.row(c);
    b[row] = (was_driven ? b[row] : constant) + resisting_rate(on, u, q, c);
  });
  side.is_driven = true;
}

// The right side of an equation without implicit convection, in b, which gets the forcing here.
template <int Dim, class Space>
RightSide<Dim> driven_right_side(const TransportEquation<Dim>& equation,
                                 const Unknowns<Dim>& unknowns, const Forcing<Dim>& forcing,
                                 linalg::Vector<Space>& b) {
  const bool is_driven = evaluate_forcing_in<Dim, Space>(forcing, unknowns, b.data());
  return {equation, unknowns, b.data(), is_driven, forcing.constant};
}

// The reactions of dt, from `time` on; ghosts by the last refresh of the sides.
template <int Dim, class Space>
bool react(NavierStokes<Dim, Space>& flow, typename NavierStokes<Dim, Space>::ScalarLevel level,
           double time, double dt, StepReport& report) {
  if (!flow.reactions) return true;
  LapTimer<Space> timer;
  auto& scalars = flow.fields.scalars;
  std::array<FieldView<Dim>, most_scalars> views;
  for (std::size_t k = 0; k < scalars.size(); ++k) views[k] = (scalars[k].*level).view();
  const ReactionReport done =
      flow.reactions->react(time, dt, std::span(views.data(), scalars.size()));
  for (auto& scalar : scalars) complete_scalar(scalar, scalar.*level);
  count_reactions(static_cast<int>(done.newton_iterations), timer.lap(), report);
  report.failure = done.failure;
  report.bad_key = done.bad_key;
  if (!done.ok) {
    report.solves_failed = false;
    report.cause = "the reactions (scalars.NAME.reaction) at the place above";
  }
  return done.ok;
}

// level := the present scalars after the reactions of dt
template <int Dim, class Space>
bool react_first(NavierStokes<Dim, Space>& flow,
                 typename NavierStokes<Dim, Space>::ScalarLevel level, double dt,
                 StepReport& report) {
  if (!flow.reactions) return true;
  for (auto& scalar : flow.fields.scalars) (scalar.*level).values() = 1.0 * scalar.now.values();
  return react(flow, level, flow.fields.time, dt, report);
}

// q, a system of `solver`; where a part of convection is deferred, solved for until q changes no
// more. fill_ghosts() follows every solve.
template <int Dim, class Space, class FillGhosts>
bool solve_transport(NavierStokes<Dim, Space>& flow, TransportSolve<Dim, Space>& solver,
                     const TransportTask& what, TransportEquation<Dim>& equation,
                     const Field<Dim, Space>& guess, Field<Dim, Space>& q, StepReport& report,
                     const FillGhosts& fill_ghosts) {
  const int location = equation.transport.location;
  const bool defers = flow.iterates(location), iterates = defers || equation.at_sharp.along.any;
  const auto solve = [&] {
    const bool ok = solver.solve(what, equation, iterates ? q : guess, q, flow.work, report);
    equation.keeps_matrix = true;
    fill_ghosts();
    return ok;
  };
  if (!iterates) return solve();
  if (&guess != &q) q.values() = 1.0 * guess.values();
  if (defers) equation.deferred = std::as_const(q).view();
  DeferredRule rule = solver.deferred_rule(what, equation);
  if (equation.at_sharp.along.any) {
    equation.at_sharp.iterate = std::as_const(q).view();
    rule.taken = DeferredTolerance::taken_along_surfaces;
    rule.keeps_bounds = false;  // heat along surfaces leaves them
  }
  const DeferredEnd end = iterate_deferred(solver.unknowns(what.system), rule, equation.old_level,
                                           q, flow.deferred, solve);
  if (end.solved && !end.converged) {
    report.solves_failed = false;
    report.failure = deferred_failure(what.name, defers ? flow.convection_at(location).name : "",
                                      flow.fields.step + 1, what.time, end.share);
  }
  return end.solved && end.converged;
}

}  // namespace hodge::sim
