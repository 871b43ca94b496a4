// Host space: scalars and the small state of a solve.
#include "linalg/host/guard.hpp"

namespace hodge::linalg {

template <>
void ScalarPrimitives<Host>::assign(double* out, const Monomial& value) {
  if (!host::halted()) *out = value.value();
}

template <>
void ScalarPrimitives<Host>::assign_difference(double* out, const double* a, const Monomial& b) {
  if (!host::halted()) *out = *a - b.value();
}

template <>
void ScalarPrimitives<Host>::square_root(double* out, const double* in) {
  if (!host::halted()) *out = std::sqrt(*in);
}

template <>
void ScalarPrimitives<Host>::start_monitor(MonitorState* state, const MonitorRules& rules) {
  start_monitor_at(*state, rules);
}

template <>
void ScalarPrimitives<Host>::monitor_iteration(MonitorState* state,
                                               const double* residual_squared) {
  if (!host::halted()) finish_iteration(*state, *residual_squared);
}

template <>
void ScalarPrimitives<Host>::monitor_require(MonitorState* state, const Requirement& requirement) {
  if (!host::halted()) check_requirement(*state, requirement);
}

template <>
void ScalarPrimitives<Host>::monitor_step_length(MonitorState* state, const StepLength& step) {
  if (!host::halted()) choose_step_length(*state, step);
}

template <>
void ScalarPrimitives<Host>::start_least_squares(const LeastSquares& system) {
  if (!host::halted()) start_rotations(system);
}

template <>
void ScalarPrimitives<Host>::extend_least_squares(const LeastSquares& system, int column,
                                                  MonitorState* state) {
  if (host::halted()) return;
  bool again = false;
  for (int i = 0; i <= column; ++i) again = again || is_oblique(system.basis, column + 1, i);
  extend(system, column, again, *state);
}

template <>
void ScalarPrimitives<Host>::solve_least_squares(const LeastSquares& system) {
  back_substitute(system);
}

}  // namespace hodge::linalg
