// The pressure that belongs to an initial velocity u without divergence. With the accelerations
//
//   a = -div(u u) + nu lap u + f + buoyancy     at the faces that move, by the explicit operators
//   a = dw/dt                                   at faces in sides where a velocity w is given
//   a = 0                                       at faces of solids
//
// it solves div(m (a - grad p / rho)) = 0, with the p given in open sides. m is 1 but beside sharp
// bodies, where friction is stiff (bodies/body_view.hpp), and in porous ones, where it is the
// mobility of a step (operators/resistance.hpp): what they change in less than that is over before
// the first step ends, and takes no part in its pressure. A flow rate that is held has its own rate
// of change, by the uniform acceleration G that goes with the pressure
// (flow_rate_control.hpp).
//
// The equation is solved for corrections of p, with the residual computed anew from p: a level of
// 1e7 that sides give leaves the accelerations exact up to rounding of p, whatever the tolerance of
// the solver. Once per run: one pass of the explicit operators and up to most_pressure_rounds
// solves.
// Source: P. M. Gresho & R. L. Sani, Int. J. Numer. Methods Fluids 7, 1987 (the pressure at t = 0
// is that of the momentum equation, with its normal component on walls).
#pragma once

#include <array>
#include <cmath>
#include <utility>

#include "sim/time/projection_verbs.hpp"
#include "sim/time/runge_kutta.hpp"
#include "sim/time/sharp_stage.hpp"

namespace hodge::sim {

inline constexpr int most_pressure_rounds = 4;

template <int Dim, class Space>
void fill_with_zeros(VelocityField<Dim, Space>& velocity) {
  for (int d = 0; d < Dim; ++d) velocity[d].values().fill(0.0);
}

// result += dw/dt at the faces in sides where w is given: (w(2 s) - w(s)) / s for a short time s,
// so that a jump at t = 0 itself is no acceleration. `scratch` is overwritten; closures are those
// of t = 0 again at the end.
template <int Dim, class Space>
void accelerate_sides(NavierStokes<Dim, Space>& flow, const BoundaryStep<Dim>& at_start, double s,
                      VelocityField<Dim, Space>& result, VelocityField<Dim, Space>& scratch) {
  if (!(s > 0)) return;
  for (const double weight : {1.0, 2.0}) {
    BoundaryStep<Dim> later = at_start;
    later.time = weight * s;
    flow.boundary.refresh(later, nullptr, nullptr);
    fill_with_zeros(scratch);
    fill_faces_in_sides(scratch, flow.boundary.closures());
    for (int d = 0; d < Dim; ++d)
      result[d].values() = result[d].values() + ((2.0 * weight - 3.0) / s) * scratch[d].values();
  }
  flow.boundary.refresh(at_start, nullptr, nullptr);
}

// max |v_d| over the faces of the box
template <int Dim, class Space>
double largest_component(const VelocityField<Dim, Space>& field) {
  const ConstVelocityView<Dim> v = field.view();
  const Box<Dim> cells = field[0].layout().interior();
  linalg::Scalar<Space> largest;
  linalg::reduce<Space>(
      cells, linalg::Kinds<linalg::Reduction::max>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[1]) {
        value[0] = 0.0;
        for (int d = 0; d < Dim; ++d) {
          value[0] = fmax(value[0], fabs(v[d](c)));
          value[0] = fmax(value[0], fabs(v[d](c.shifted(d, 1))));
        }
      },
      largest.data());
  return largest.to_host();
}

// The mobility of a step in which the fluid passes a cell.
template <int Dim, class Space>
void start_mobility(NavierStokes<Dim, Space>& flow) {
  if (!flow.resistance.has_mobility()) return;
  const double speed = largest_component(flow.fields.velocity);
  if (!(speed > 0)) return;
  const double dt = flow.grid.smallest_width() / speed;
  const ConstVelocityView<Dim> u = flow.fields.velocity.view();
  for (int d = 0; d < Dim; ++d)
    (void)flow.resistance.implicit(d, {u, u}, dt, !flow.scheme.has_implicit_convection());
  if (flow.resistance.set_mobility(dt, flow.bodies.view())) flow.pressure_system.refresh();
}

// rate := m (rate + beta R) of component d, whose rate is beta times that without resistance
template <int Dim, class Space>
void add_resistance(const NavierStokes<Dim, Space>& flow, int d, Field<Dim, Space>& rate) {
  if (!flow.resistance.resists(d)) return;
  const ResistingVelocity<Dim> u{flow.fields.velocity.view(), flow.fields.velocity.view()};
  const ResistanceView<Dim> on = flow.resistance.view(d);
  const ConstVelocityView<Dim> mobility = flow.resistance.mobility();
  const Unknowns<Dim> faces = flow.faces[static_cast<std::size_t>(d)].view();
  const FieldView<Dim> a = rate.view();
  const BodyView<Dim> bodies = flow.bodies.view();
  linalg::for_each<Space>(faces.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!faces.contains(c)) return;
    const double beta = bodies.cuts_faces ? bodies.mobility(on.location, c) : 1.0;
    const double sum = a(c) + beta * resisting_rate(on, u, u.now[on.location], c);
    a(c) = mobility.component[0].origin != nullptr ? mobility[on.location](c) * sum : sum;
  });
}

// rates := m a at the faces that move. `scratch` is overwritten.
template <int Dim, class Space>
void find_accelerations(NavierStokes<Dim, Space>& flow, VelocityField<Dim, Space>& rates,
                        VelocityField<Dim, Space>& scratch) {
  using Scalar = ScalarState<Dim, Space>;
  StageEquation<Dim> equation{};
  equation.transport = transport_of_component(flow, 0);
  equation.velocity = std::as_const(flow.fields.velocity).view();
  equation.pressure = std::as_const(flow.fields.pressure).view();
  equation.stage = {1.0, 0.0, 0.0, 1.0};
  equation.keeps_rates = true;
  equation.uniform = flow.uniform;
  refresh_flow_force<Dim, Space>(flow, {equation.velocity, equation.velocity}, flow.fields.time,
                                 0.0, {{&Scalar::now, 1.0}});
  std::array<StageField<Dim>, Dim> components;
  for (int d = 0; d < Dim; ++d) {
    const Unknowns<Dim> faces = flow.faces[d].view();
    Forcing<Dim> forcing = forcing_of(flow, d, flow.fields.time, {{&Scalar::now, 1.0}});
    forcing.uniform = nullptr;
    components[d] = stage_field(d, flow.fields.velocity[d], rates[d], rates[d], scratch[d], faces,
                                forcing_of_stage(forcing, faces, scratch[d]), forcing.constant);
  }
  take_stage_of_velocity<Dim, Space>(equation, components, flow.sharp, {0.0});
  if (flow.sharp) damp_beside_sharp_bodies(flow.bodies.view(), *flow.sharp, rates);
  for (int d = 0; d < Dim; ++d) add_resistance(flow, d, rates[d]);
}

// result := a - m grad p / rho, and the faces that continue those of the other end of the box.
template <int Dim, class Space>
void subtract_pressure_gradient(NavierStokes<Dim, Space>& flow, const VelocityField<Dim, Space>& a,
                                VelocityField<Dim, Space>& result) {
  for (int d = 0; d < Dim; ++d) result[d].values() = 1.0 * a[d].values();
  subtract_gradient(flow.pressure_system, 1.0 / flow.density, flow.fields.pressure, result);
  VelocityClosures<Dim> of_no_side = flow.boundary.closures();
  for (ClosureView<Dim>& closure : of_no_side.component)
    for (const auto [axis, side] : sides_of_box(Dim)) closure.offsets[axis][side] = nullptr;
  fill_faces_in_sides(result, of_no_side);
}

// p += phi, ghosts filled
template <int Dim, class Space>
void correct_initial_pressure(NavierStokes<Dim, Space>& flow) {
  Field<Dim, Space>& p = flow.fields.pressure;
  flow.pressure_solve->add_phi(0.0, nullptr, p, p);
  fill_pressure_ghosts(p, flow.sides(), flow.pressure_sides.values());
}

// The first pressure behind a porous body may be so large that its rounding keeps the residual
// above the tolerance; the next round knows of that rounding.
template <int Dim, class Space>
bool stagnates_by_rounding(const NavierStokes<Dim, Space>& flow, const linalg::SolveReport& solve) {
  constexpr double enough = 0.1;
  return flow.resistance.has_mobility() && solve.status == linalg::SolveStatus::stagnated &&
         solve.true_residual < enough * solve.initial_residual;
}

// The residual of `a` is left in `residual`. A solve that fails leaves the pressure of the rounds
// before it: the first step has the same system to solve, and ends the run if its solver cannot.
template <int Dim, class Space>
void solve_for_initial_pressure(NavierStokes<Dim, Space>& flow, const VelocityField<Dim, Space>& a,
                                VelocityField<Dim, Space>& residual) {
  FlowFields<Dim, Space>& fields = flow.fields;
  fill_pressure_ghosts(fields.pressure, flow.sides(), flow.pressure_sides.values());
  const double least =
      flow.divergence_tolerance > 0
          ? flow.divergence_tolerance * largest_component(a) / flow.grid.smallest_width()
          : 0.0;
  StepReport report;
  bool solved = true;
  for (int round = 0; round < most_pressure_rounds && solved; ++round) {
    subtract_pressure_gradient(flow, a, residual);
    flow.rounding.measure_velocity(flow.grid, flow.bodies.view(), std::as_const(residual).view(),
                                   std::as_const(fields.pressure).view(),
                                   {1.0, 0.0, 1.0 / flow.density});
    solved = flow.pressure_solve->solve(
                 residual, {flow.density, 0.0, least, {}, {}, true, flow.rounding.of_pressure()},
                 flow.work, report) ||
             stagnates_by_rounding(flow, report.solves.back().report);
    solved = solved && report.solves.back().iterations > 0;
    if (solved) correct_initial_pressure(flow);
    if (round > 0 && !flow.pressure_solve->ends_by_tolerance()) break;
  }
  subtract_pressure_gradient(flow, a, residual);
}

// fields.pressure, and G, of the present velocity and scalars, whose ghosts are filled, as are
// those of the pressure. `s`: a time so short that formulas of sides are straight lines in it; 0:
// they do not change. u^{n-1} and u^{n+1} are overwritten.
template <int Dim, class Space>
void start_pressure(NavierStokes<Dim, Space>& flow, const BoundaryStep<Dim>& at_start, double s) {
  FlowFields<Dim, Space>& fields = flow.fields;
  VelocityField<Dim, Space>&a = fields.next, &scratch = fields.previous;
  if (flow.sharp) {
    const double h = flow.grid.smallest_width();
    set_implicit_friction(flow, h * h / (2.0 * Dim));  // that of a face far from bodies
    prepare_flow_rates(flow);
  }
  fill_with_zeros(a);
  flow.boundary.measure_side_flows(std::as_const(fields.velocity).view());
  accelerate_sides(flow, at_start, s, a, scratch);
  start_mobility(flow);
  find_accelerations(flow, a, scratch);
  fields.pressure.values().fill(0.0);
  solve_for_initial_pressure(flow, a, scratch);
  if (flow.flow_rates.any()) {
    flow.flow_rates.correct_acceleration(unit_flow(flow), s, scratch);
    flow.flow_rates.accept(unit_flow(flow), flow.density, 0.0, fields.pressure);
  }
  fields.start_rate = largest_component(scratch);
  fields.phi.values().fill(0.0);
  fill_with_zeros(a);
}

}  // namespace hodge::sim
