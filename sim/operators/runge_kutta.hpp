// One stage of an explicit Runge-Kutta scheme at every unknown of a velocity component or scalar:
//
//   rate = (-C(u) q + D q) / V + forcing
//   new  = q + dt (gamma rate + zeta old rate) - dt (gamma + zeta) (grad p)_d / rho
//
// The old rate is replaced by the rate.
#pragma once

#include "linalg/parallel.hpp"
#include "sim/assembly/unknowns.hpp"
#include "sim/operators/gradient.hpp"
#include "sim/operators/transport.hpp"
#include "sim/time/schemes.hpp"

namespace hodge::sim {

template <int Dim>
struct StageEquation {
  TransportOperator<Dim> transport;
  ConstVelocityView<Dim> velocity;
  ConstFieldView<Dim> q;
  ConstFieldView<Dim> forcing;   // null: none
  ConstFieldView<Dim> pressure;  // null: none
  double density = 1, dt = 0;
  RungeKuttaStage stage{};
};

template <int Dim>
HODGE_HD double rate_at(const StageEquation<Dim>& equation, const Index<Dim>& c) {
  const TransportOperator<Dim>& on = equation.transport;
  const double transport =
      diffusion_of(on, equation.q, c) - convection_of(on, equation.velocity, equation.q, false, c);
  const double rate = transport / on.grid.control_volume(on.location, c);
  return equation.forcing.origin ? rate + equation.forcing(c) : rate;
}

template <int Dim, class Space>
void take_stage(const StageEquation<Dim>& equation, const Unknowns<Dim>& unknowns,
                Field<Dim, Space>& rates, Field<Dim, Space>& result) {
  const FieldView<Dim> old_rate = rates.view(), next = result.view();
  const RungeKuttaStage stage = equation.stage;
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!unknowns.contains(c)) return;
    const double rate = rate_at(equation, c);
    double change = stage.gamma * rate + stage.zeta * old_rate(c);
    if (equation.pressure.origin)
      change -=
          stage.length() / equation.density *
          gradient(equation.transport.grid, equation.pressure, equation.transport.location, c);
    old_rate(c) = rate;
    next(c) = equation.q(c) + equation.dt * change;
  });
}

}  // namespace hodge::sim
