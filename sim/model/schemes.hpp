// The time schemes: their families, and the weights of the time derivative and of extrapolation.
//
//   du/dt at t^{n+1}  ~  (a0 u^{n+1} + a1 u^n + a2 u^{n-1}) / dt
//   u^{n+1}           ~  e0 u^n + e1 u^{n-1}                               the convecting velocity
//
//                     a0                   a1         a2             e0       e1
//   bdf2              (1 + 2r) / (1 + r)   -(1 + r)   r^2 / (1 + r)  1 + r    -r
//   backward_euler    1                    -1         0              1        0
//   cn_ab2            1                    -1         0              1 + r/2  -r/2 (convective
//   terms) rk3               stages, see rk3_stages
//
// r = dt / dt of the step before. The first step of the multistep schemes is backward Euler's, and
// forward Euler's in the convective terms of cn_ab2.
// Sources: D. Wang & S. J. Ruuth, J. Comput. Math. 26, 2008 (variable-step multistep schemes);
// P. R. Spalart, R. D. Moser & M. M. Rogers, J. Comput. Phys. 96, 1991 (the coefficients of rk3,
// A. A. Wray's).
#pragma once

#include <array>
#include <limits>
#include <span>
#include <string>

#include "linalg/base/macros.hpp"

namespace hodge::sim {

struct TimeWeights {
  double a0, a1, a2;  // dimensionless
  double e0, e1;
};

enum class TimeFamily { implicit, cn_ab2, rk3 };

// The pressure that a step solves for is that of t^n + pressure_at dt: of the new level, of the
// middle of the step, of the middle of the last stage.
constexpr double pressure_at(TimeFamily family) {
  switch (family) {
    case TimeFamily::cn_ab2:
      return 0.5;
    case TimeFamily::rk3:
      return 5.0 / 6;
    case TimeFamily::implicit:
      break;
  }
  return 1.0;
}
// Whether the pressure of the new level takes a field of its own.
constexpr bool pressure_lags(TimeFamily family, bool velocity_is_prescribed) {
  return pressure_at(family) < 1.0 && !velocity_is_prescribed;
}

struct TimeScheme {
  const char* name;
  const char* description;
  TimeFamily family;
  TimeWeights (*weights)(double ratio);
  // Largest dt * sum 4 D / h_d^2 that is stable; of convection: stability.hpp.
  double largest_diffusion = std::numeric_limits<double>::infinity();
};

std::span<const TimeScheme> time_scheme_table();

// Errors: ConfigError naming the known schemes.
const TimeScheme& find_time_scheme(const std::string& name);

TimeWeights backward_euler_weights(double ratio);
TimeWeights bdf2_weights(double ratio);
TimeWeights cn_ab2_weights(double ratio);

// Stage k: u_k = u_{k-1} + dt (gamma R(u_{k-1}) + zeta R(u_{k-2}) - (gamma + zeta) grad p / rho),
// from t + start dt to t + start dt + (gamma + zeta) dt.
struct RungeKuttaStage {
  double gamma, zeta, start;
  HODGE_HD double length() const { return gamma + zeta; }
  bool is_last() const { return start + length() > 1.0 - 1e-12; }
};
inline constexpr std::array<RungeKuttaStage, 3> rk3_stages{
    {{8.0 / 15, 0.0, 0.0}, {5.0 / 12, -17.0 / 60, 8.0 / 15}, {3.0 / 4, -5.0 / 12, 2.0 / 3}}};

}  // namespace hodge::sim
