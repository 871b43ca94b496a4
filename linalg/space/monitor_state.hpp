// The state of a running solve as the device keeps it, and the tests that change it.
//
// One thread runs these functions, in the space of the vectors, so that no test waits for the host:
// `halted` is the guard of every guarded primitive (space.hpp).
#pragma once

#include <cmath>

#include "linalg/base/macros.hpp"

namespace hodge::linalg {

enum class SolveStatus : int {
  running,
  converged,
  max_iterations,
  breakdown,
  stagnated,
  diverged,
  max_seconds
};

enum class Breakdown : int {
  none,
  not_finite,                 // NaN or infinity in the residual
  not_symmetric,              // a method for symmetric operators met another
  not_separable,              // a method for separable systems met another
  no_box,                     // transforms of the box for a matrix that names none
  indefinite_operator,        // cg: p.Ap <= 0
  indefinite_preconditioner,  // cg: r.z <= 0
  rho_zero,                   // bicg(stab): the residual is orthogonal to the shadow residual
  alpha_infinite,             // bicgstab: A M^-1 p is orthogonal to the shadow residual
  omega_zero,                 // bicgstab: A M^-1 s is orthogonal to s
  singular_krylov,            // gmres: the Krylov space is invariant but holds no solution
  bad_diagonal,             // a preconditioner needs a diagonal that is missing, zero or not finite
  shadow_step_zero,         // bicg: A p is orthogonal to the shadow direction
  singular_matrix,          // gauss: a pivot is zero, or not beside the others
  singular_preconditioner,  // neumann: odd degree on a two-coloured system with zero row sums
  beyond_range,             // x is solved for, but cannot be stored in T (solve/solve.hpp)
};

// What the host reads of the state; in memory shared with the host.
struct MonitorMirror {
  volatile int halted;
  volatile int iterations;
  volatile int halted_at;  // finished iterations when it was halted; set before `halted`
};

struct MonitorState {
  int halted;
  SolveStatus status;
  Breakdown breakdown;
  int iterations;  // of this solve, over restarts
  int max_iterations;
  double target;     // on ||r||_2
  double initial;    // ||r||_2 at the start
  double residual;   // last ||r||_2 of the recurrence
  double maximum;    // last max_i |weight_i r_i| that was computed
  double offending;  // the value that broke the method
  double* history;   // max_iterations + 1 entries; null: not kept
  MonitorMirror* mirror;
};

// A growth of the residual by this factor over the start is called divergence.
inline constexpr double divergence_factor = 1e10;
// |a.b| below this fraction of ||a|| ||b|| counts as zero.
inline constexpr double breakdown_tolerance = 1e-15;

HODGE_HD inline void halt(MonitorState& state, SolveStatus status, Breakdown breakdown,
                          double offending) {
  state.status = status;
  state.breakdown = breakdown;
  state.offending = offending;
  state.halted = 1;
  state.mirror->halted_at = state.iterations;
#ifdef __CUDA_ARCH__
  __threadfence_system();
#endif
  state.mirror->halted = 1;
}

// Starts at a state with history, mirror, limits and the residual on entry.
HODGE_HD inline void start_monitor_at(MonitorState& state, const MonitorState& start) {
  state = start;
  state.initial = state.residual;
  state.history[state.iterations] = state.residual;
  state.mirror->halted = 0;
  state.mirror->iterations = state.iterations;
}

// One iteration is done and left the residual norm squared `rr`.
HODGE_HD inline void finish_iteration(MonitorState& state, double rr) {
  const double residual = sqrt(rr);
  if (!(rr >= 0) || !(rr - rr == 0.0))
    return halt(state, SolveStatus::breakdown, Breakdown::not_finite, rr);
  state.residual = residual;
  state.iterations += 1;
  if (state.history != nullptr) state.history[state.iterations] = residual;
  if (residual <= state.target) {
    halt(state, SolveStatus::converged, Breakdown::none, 0);
  } else if (residual > divergence_factor * state.initial) {
    halt(state, SolveStatus::diverged, Breakdown::none, residual);
  } else if (state.iterations >= state.max_iterations) {
    halt(state, SolveStatus::max_iterations, Breakdown::none, residual);
  }
  state.mirror->iterations = state.iterations;
}

// A second stopping rule: the solve is over when max_i |weight_i r_i| <= limit, r the residual of
// the recurrence. While ||r||_2 > watch_from the maximum is not computed; above
// limit sqrt(n) / min_i weight_i the rule cannot be met.
struct MaximumWatch {
  const double* weights = nullptr;  // > 0
  double limit = 0;                 // 0: there is no such rule
  double watch_from = 0;
};

HODGE_HD inline void finish_maximum(MonitorState& state, double maximum, double limit) {
  state.maximum = maximum;
  if (maximum <= limit) halt(state, SolveStatus::converged, Breakdown::none, 0);
}

// |value| must exceed breakdown_tolerance sqrt(a b), else the method has broken down as `otherwise`
// says. `positive`: so must value itself.
HODGE_HD inline void check_requirement(MonitorState& state, Breakdown otherwise, bool positive,
                                       double value, double a, double b) {
  const double least = breakdown_tolerance * sqrt(a) * sqrt(b);
  const double size = positive ? value : fabs(value);
  if (!(size > least)) {
    const bool finite = value - value == 0.0;
    halt(state, SolveStatus::breakdown, finite ? otherwise : Breakdown::not_finite, value);
  }
}

// ts / tt, the omega that minimises ||s - omega t||; 0 where s itself already meets the target.
HODGE_HD inline double choose_step_length(MonitorState& state, double ts, double tt, double ss) {
  if (sqrt(ss) <= state.target) return 0.0;
  if (!(ss - ss == 0.0) || !(tt - tt == 0.0)) {
    halt(state, SolveStatus::breakdown, Breakdown::not_finite, ss);
    return 0.0;
  }
  return tt > 0.0 ? ts / tt : 0.0;
}

}  // namespace hodge::linalg
