// The time schemes: weights of the time derivative and of the extrapolated convecting velocity.
//
//   du/dt at t^{n+1}  ~  (a0 u^{n+1} + a1 u^n + a2 u^{n-1}) / dt
//   u^{n+1}           ~  e0 u^n + e1 u^{n-1}                               the convecting velocity
//
//                     a0                   a1         a2             e0       e1
//   bdf2              (1 + 2r) / (1 + r)   -(1 + r)   r^2 / (1 + r)  1 + r    -r
//   backward_euler    1                    -1         0              1        0
//
// r = dt / dt of the step before. The first step of every scheme is backward Euler's.
// Source: D. Wang & S. J. Ruuth, J. Comput. Math. 26, 2008 (variable-step multistep schemes).
#pragma once

#include <span>
#include <string>

namespace hodge::sim {

struct TimeWeights {
  double a0, a1, a2;  // dimensionless
  double e0, e1;
};

struct TimeScheme {
  const char* name;
  const char* description;
  TimeWeights (*weights)(double ratio);
};

std::span<const TimeScheme> time_scheme_table();

// Errors: ConfigError naming the known schemes.
const TimeScheme& find_time_scheme(const std::string& name);

TimeWeights backward_euler_weights(double ratio);
TimeWeights bdf2_weights(double ratio);

}  // namespace hodge::sim
