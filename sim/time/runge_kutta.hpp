// One stage of an explicit Runge-Kutta scheme at every unknown of a velocity component or scalar:
//
//   rate = (-C(u) q + D q) / V + forcing
//   new  = q + dt (gamma rate + zeta old rate) - dt (gamma + zeta) (grad p)_d / rho
//
// The rate then replaces the old rate, but in the last stage, after which no stage reads it.
#pragma once

#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/assembly/side_rows.hpp"
#include "sim/discrete/operators/gradient.hpp"
#include "sim/discrete/operators/open_faces.hpp"
#include "sim/discrete/operators/transport.hpp"
#include "sim/model/schemes.hpp"

namespace hodge::sim {

template <int Dim>
struct StageEquation {
  TransportOperator<Dim> transport;
  ConstVelocityView<Dim> velocity;
  ConstFieldView<Dim> q;
  ConstFieldView<Dim> forcing;   // null: none
  ConstFieldView<Dim> pressure;  // null: none
  double acceleration = 0;       // by a unit of grad p: (gamma + zeta) / rho
  double dt = 0;
  RungeKuttaStage stage{};
};

template <int Dim, class Location, class Scheme>
HODGE_HD double rate_at(const TransportOperator<Dim, Location, Scheme>& on,
                        const StageEquation<Dim>& equation, const Index<Dim>& c) {
  const double transport =
      diffusion_of(on, equation.q, c) - convection_of(on, equation.velocity, equation.q, false, c);
  const double rate = transport * on.grid.inverse_control_volume(on.location, c);
  return equation.forcing.origin ? rate + equation.forcing(c) : rate;
}

// The same in an open side.
template <int Dim, class Location, class Scheme>
HODGE_HD double rate_at_open_face(const TransportOperator<Dim, Location, Scheme>& on,
                                  const StageEquation<Dim>& equation, const OpenFace<Dim>& face) {
  const double transport = diffusion_of_open_face(on, equation.q, face) -
                           convection_of_open_face(on, equation.velocity, equation.q, false, face);
  const double rate = transport / half_volume(on.grid, face);
  return equation.forcing.origin ? rate + equation.forcing(face.c) : rate;
}

// The fields that a stage writes.
template <int Dim>
struct StageResult {
  FieldView<Dim> rate, next;
};

template <int Dim, class Location, class Scheme>
HODGE_HD void take_stage_at(const TransportOperator<Dim, Location, Scheme>& on,
                            const StageEquation<Dim>& equation, const StageResult<Dim>& result,
                            double rate, const Index<Dim>& c) {
  double change = equation.stage.gamma * rate;
  if (equation.stage.zeta != 0.0) change += equation.stage.zeta * result.rate(c);
  if (on.location != at_cells && equation.pressure.origin)
    change -= equation.acceleration * gradient(on.grid, equation.pressure, on.location, c);
  result.next(c) = equation.q(c) + equation.dt * change;
  if (!equation.stage.is_last()) result.rate(c) = rate;
}

template <int Dim, class Space, class Location, class Scheme>
void take_stage_in_open_side(const TransportOperator<Dim, Location, Scheme>& on,
                             const StageEquation<Dim>& equation, const Unknowns<Dim>& unknowns,
                             const StageResult<Dim>& result, int side, const Box<Dim>& layer) {
  linalg::for_each<Space>(layer, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!unknowns.contains(c)) return;
    const OpenFace<Dim> face{on.location, side, c};
    take_stage_at(on, equation, result, rate_at_open_face(on, equation, face), c);
  });
}

template <int Dim, class Space, class Location, class Scheme>
void take_stage_of(const TransportOperator<Dim, Location, Scheme>& on,
                   const StageEquation<Dim>& equation, const Unknowns<Dim>& unknowns,
                   const StageResult<Dim>& result) {
  const Box<Dim> box = without_open_faces(unknowns.box, on.sides, on.grid.cells, on.location);
  linalg::for_each<Space>(box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!unknowns.contains(c)) return;
    take_stage_at(on, equation, result, rate_at(on, equation, c), c);
  });
  if constexpr (may_have_open_faces<Location>)
    for_each_open_side(on.sides, on.grid.cells, on.location, [&](int side, const Box<Dim>& layer) {
      take_stage_in_open_side<Dim, Space>(on, equation, unknowns, result, side, layer);
    });
}

// What friction at sides (side_friction.hpp) adds to the rate and to the new level.
template <int Dim, class Space>
void add_side_friction_to_stage(const StageEquation<Dim>& equation, const Unknowns<Dim>& unknowns,
                                const StageResult<Dim>& result) {
  const TransportOperator<Dim> on = equation.transport;
  const ConstFieldView<Dim> q = equation.q;
  const double weight = equation.dt * equation.stage.gamma;
  const bool keeps_rate = !equation.stage.is_last();
  for_each_side_row<Dim, Space>(on, unknowns, [=] HODGE_LAMBDA(const Index<Dim>& c, int e) {
    const double rate =
        added_side_friction(on, q, e, c) * on.grid.inverse_control_volume(on.location, c);
    result.next(c) += weight * rate;
    if (keeps_rate) result.rate(c) += rate;
  });
}

template <int Dim, class Space>
void take_stage(const StageEquation<Dim>& equation, const Unknowns<Dim>& unknowns,
                Field<Dim, Space>& rates, Field<Dim, Space>& result) {
  with_fixed_location_and_scheme(equation.transport, [&](const auto& on) {
    take_stage_of<Dim, Space>(on, equation, unknowns, {rates.view(), result.view()});
  });
  add_side_friction_to_stage<Dim, Space>(equation, unknowns, {rates.view(), result.view()});
}

}  // namespace hodge::sim
