// Host space: scalars and the small state of a solve.
#include "linalg/host/guard.hpp"

namespace hodge::linalg {

template <>
void ScalarPrimitives<Host>::run(const ScalarOperation& operation, MonitorState* state) {
  if (host::halted()) return;
  double in[3];
  for (int k = 0; k < 3; ++k) in[k] = operation.in[k] != nullptr ? *operation.in[k] : 1.0;
  MonitorState none{};
  MonitorState& monitor = state != nullptr ? *state : none;
  const double out = evaluate(operation, in, monitor);
  if (operation.out != nullptr && monitor.halted == 0) *operation.out = out;
}

template <>
void ScalarPrimitives<Host>::start_monitor(MonitorState* state, const MonitorState& start) {
  start_monitor_at(*state, start);
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
