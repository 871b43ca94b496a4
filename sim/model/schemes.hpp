// The time schemes: the weights of their time derivative and of extrapolation, and what else tells
// one from another. A step is in sim/time/implicit_step.hpp, or in sim/time/runge_kutta_step.hpp
// for a scheme with stages: rk3, and ab2, whose only stage reads the rates of the step before.
//
//   du/dt at t^{n+1}  ~  (a0 u^{n+1} + a1 u^n + a2 u^{n-1}) / dt
//   u^{n+1}           ~  e0 u^n + e1 u^{n-1}        of what the table's last column says
//
// clang-format off
//
//                   a0                  a1        a2             e0       e1     of
//   bdf2            (1 + 2r) / (1 + r)  -(1 + r)  r^2 / (1 + r)  1 + r    -r     velocity
//   backward_euler  1                   -1        0              1        0      velocity
//   cn_ab2          1                   -1        0              1 + r/2  -r/2   convective terms
//   rk3             1                   -1        0              1        0      of each stage
//   ab2             1                   -1        0              1 + r/2  -r/2   rates
//
// clang-format on
//
// r = dt / dt of the step before. The first step of the multistep schemes is backward Euler's, and
// forward Euler's in the convective terms of cn_ab2 and in ab2: one error of order dt^2, so that
// the schemes stay of second order. Sources: D. Wang & S. J. Ruuth, J. Comput. Math. 26, 2008
// (variable-step multistep schemes); P. R. Spalart, R. D. Moser & M. M. Rogers, J. Comput. Phys.
// 96, 1991 (the coefficients of rk3, A. A. Wray's); W. Hundsdorfer & J. Verwer, Numerical Solution
// of Time-Dependent Advection- Diffusion-Reaction Equations, 2003, Sec. II.3 and IV.1 (stability of
// ab2).
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>

#include "linalg/base/macros.hpp"

namespace hodge::sim {

struct TimeWeights {
  double a0, a1, a2;  // dimensionless
  double e0, e1;
};

TimeWeights backward_euler_weights(double ratio);
TimeWeights bdf2_weights(double ratio);
TimeWeights cn_ab2_weights(double ratio);

// The share of a term that is taken at the new level (theta): 1 implicit, 1/2 Crank-Nicolson, 0
// explicit.
struct ImplicitShares {
  double convection = 0, diffusion = 0;
};

// Stage k: u_k = u_{k-1} + dt (gamma R(u_{k-1}) + zeta R(u_{k-2}) - (gamma + zeta) grad p / rho),
// from t + start dt to t + start dt + (gamma + zeta) dt.
struct RungeKuttaStage {
  double gamma, zeta, start;
  // phi of this stage over phi of the solve before it, in equal steps: phi grows with the time from
  // the middle of the last stage of the step before, at which the pressure stands.
  double growth;
  HODGE_HD double length() const { return gamma + zeta; }
  HODGE_HD bool is_last() const { return start + length() > 1.0 - 1e-12; }
};

// The largest dt times a rate of forces that depend on the velocity (time/flow_force.hpp), each
// alone; together the shares of these bounds add up. Measured on dq/dt = i z q and dq/dt = -z q,
// with any friction and with any part of the turning that means over cells leave.
struct ForceLimits {
  double turning = 0;   // of 2 |Omega|
  double decay = 0;     // of |df_d/du_d|
  double coupling = 0;  // of sum_e |df_d/du_e|, e != d: what a formula turns is not damped
  // Extrapolations amplify what turns by c z^4 per step. -kappa dt (2 Omega)^2 (u^n - u^{n-1}), of
  // second order, takes away more than that. Stages of rk3 need none.
  double turning_damping = 0;  // kappa
};

struct TimeScheme {
  const char* name;
  const char* description;
  TimeWeights (*weights)(double ratio);
  ImplicitShares implicit;
  // The pressure that a step solves for is that of t^n + pressure_at dt.
  double pressure_at;
  // The shares in a step that knows one old level alone. Scalars that react take such a step, for
  // reactions have not changed the level before; none: without stages scalars may not react.
  ImplicitShares implicit_in_one_step{};
  // Largest dt * sum 4 D / h_d^2 that is stable; of convection: stability.hpp.
  double largest_diffusion = std::numeric_limits<double>::infinity();
  std::span<const RungeKuttaStage> stages{};  // an odd number: two fields take turns
  // Whether the rates of the last stage are those before the first stage of the next step, which
  // weighs them by e0, e1.
  bool keeps_rates = false;
  ForceLimits force{};

  bool has_stages() const { return !stages.empty(); }
  // Each solves for a pressure increment.
  int projections_per_step() const { return has_stages() ? static_cast<int>(stages.size()) : 1; }
  // Whether velocity and scalars are solutions of linear systems.
  bool solves_transport() const { return implicit.diffusion > 0; }
  bool has_implicit_convection() const { return implicit.convection > 0; }
  // Convection alone makes a matrix nonsymmetric. True of a scheme without such systems, too.
  bool has_symmetric_transport() const { return !has_implicit_convection(); }
  bool lets_scalars_react() const {
    return (has_stages() && !keeps_rates) || implicit_in_one_step.diffusion > 0;
  }
  // Whether the pressure of the new level takes a field of its own.
  bool pressure_lags() const { return pressure_at < 1.0; }
};

// A stage of a step, r = dt / dt of the step before; 0: the first step.
RungeKuttaStage stage_of_step(const TimeScheme& scheme, std::size_t number, double r);

std::span<const TimeScheme> time_scheme_table();

// Errors: ConfigError naming the known schemes.
const TimeScheme& find_time_scheme(const std::string& name);

}  // namespace hodge::sim
