// Scalars and the small state of a solve. All are guarded (space.hpp) except start_monitor and
// solve_least_squares. host/scalars.cpp, cuda/scalars.cu; monitor_maximum: vectors.{cpp,cu}.
#pragma once

#include "linalg/space/least_squares.hpp"
#include "linalg/space/monitor_state.hpp"
#include "linalg/space/monomial.hpp"

namespace hodge::linalg {

template <class Space>
struct ScalarPrimitives {
  static void assign(double* out, const Monomial& value);
  static void assign_difference(double* out, const double* a, const Monomial& b);  // *a - b
  static void square_root(double* out, const double* in);
  static void start_monitor(MonitorState* state, const MonitorRules& rules);
  static void monitor_iteration(MonitorState* state, const double* residual_squared);
  // Tests max_i |weight_i r_i|, once ||r|| is small enough for the rule to be met.
  template <class T>
  static void monitor_maximum(MonitorState* state, int n, const T* r, const MaximumWatch& watch);
  static void monitor_require(MonitorState* state, const Requirement& requirement);
  static void monitor_step_length(MonitorState* state, const StepLength& step);
  static void start_least_squares(const LeastSquares& system);
  static void extend_least_squares(const LeastSquares& system, int column, MonitorState* state);
  static void solve_least_squares(const LeastSquares& system);
};

}  // namespace hodge::linalg
