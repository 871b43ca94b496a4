// What the control volumes around bodies (control_volumes.hpp) are told of the equations of a step.
#pragma once

#include <utility>

#include "sim/time/projection_verbs.hpp"

namespace hodge::sim {

// Between the solve for phi and the correction of `uncorrected`.
template <int Dim, class Space>
MomentumBalance<Dim> momentum_balance(const NavierStokes<Dim, Space>& flow,
                                      const StepInterval& over,
                                      const VelocityField<Dim, Space>& uncorrected) {
  MomentumBalance<Dim> balance{};
  balance.transport = transport_of_component(flow, 0);
  balance.uncorrected = uncorrected.view();
  balance.pressure = flow.fields.pressure.view();
  balance.phi = flow.fields.phi.view();
  balance.inverse_factor = 1.0 / phi_factor(flow, over);
  balance.mobility = flow.pressure_system.conductance.mobility;
  balance.density = flow.density;
  return balance;
}

// Of an implicit step whose equations are of_component(d); its u* is in fields.next.
template <int Dim, class Space, class EquationOf, class ForcingOf>
void balance_step(NavierStokes<Dim, Space>& flow, const StepInterval& step,
                  const EquationOf& of_component, const ForcingOf& forcing_of_component) {
  if (!flow.control_volumes.any()) return;
  const FlowFields<Dim, Space>& fields = flow.fields;
  const TransportEquation<Dim> equation = of_component(0);
  MomentumBalance<Dim> balance = momentum_balance(flow, step, std::as_const(fields.next));
  balance.level[0] = {equation.convecting, balance.uncorrected, equation.implicit_convection,
                      equation.implicit_diffusion, 0.0};
  for (int k = 0; k < 2; ++k) {
    const ExplicitTerm<Dim>& term = equation.explicit_terms[k];
    balance.level[1 + k] = {term.velocity, term.velocity, term.convection, term.diffusion,
                            term.transposed};
  }
  for (int d = 0; d < Dim; ++d) balance.forcing[d] = forcing_of_component(d);
  balance.old[0] = fields.velocity.view();
  balance.old[1] = fields.previous.view();
  balance.rate[0] = step.weights.a0 / step.dt;
  balance.rate[1] = step.weights.a1 / step.dt;
  balance.rate[2] = step.weights.a2 / step.dt;
  flow.control_volumes.measure(balance, 1.0, 0.0, true);
}

// From the step's force to that of its end.
template <int Dim, class Space>
void accept_balance(NavierStokes<Dim, Space>& flow, double dt) {
  if (!flow.control_volumes.any()) return;
  const double last = flow.fields.last_dt;
  const bool lags = balances_over_steps(flow.scheme) && last > 0;
  flow.control_volumes.accept(lags ? dt / (dt + last) : 0.0);
}

}  // namespace hodge::sim
