// Scalars and the small state of a solve. All are guarded (space.hpp) except start_monitor and
// solve_least_squares. host/scalars.cpp, cuda/kernels/scalars.cu; monitor_maximum:
// vectors.{cpp,cu}.
#pragma once

#include "linalg/space/least_squares.hpp"
#include "linalg/space/monitor_state.hpp"

namespace hodge::linalg {

// An operation on the scalars of a method, or a test of its monitor. A null `in` stands for 1.
struct ScalarOperation {
  enum class Kind {
    product,      // out = factor in[0] in[1] / in[2]
    difference,   // out = in[0] - factor in[1] in[2]
    square_root,  // out = sqrt(in[0])
    iteration,    // finish_iteration() with in[0] = ||r||^2
    require,      // check_requirement() of in[0] beside in[1] and in[2]
    step_length,  // out = choose_step_length() with in[0] = t.s, in[1] = t.t, in[2] = s.s
  };
  Kind kind = Kind::product;
  Breakdown otherwise = Breakdown::none;
  bool positive = false;
  double factor = 1.0;
  const double* in[3] = {};
  double* out = nullptr;
};

// `in` holds what o.in points to; returns what goes to o.out, unless the operation has halted the
// solve.
HODGE_HD inline double evaluate(const ScalarOperation& o, const double (&in)[3],
                                MonitorState& state) {
  using Kind = ScalarOperation::Kind;
  switch (o.kind) {
    case Kind::product:
      return o.in[2] != nullptr ? o.factor * in[0] * in[1] / in[2] : o.factor * in[0] * in[1];
    case Kind::difference:
      return in[0] - o.factor * in[1] * in[2];
    case Kind::square_root:
      return sqrt(in[0]);
    case Kind::iteration:
      finish_iteration(state, in[0]);
      return 0.0;
    case Kind::require:
      check_requirement(state, o.otherwise, o.positive, in[0], in[1], in[2]);
      return 0.0;
    case Kind::step_length:
      return choose_step_length(state, in[0], in[1], in[2]);
  }
  return 0.0;
}

template <class Space>
struct ScalarPrimitives {
  // `state`: of the monitor whose test this is, or null.
  static void run(const ScalarOperation& operation, MonitorState* state = nullptr);
  static void start_monitor(MonitorState* state, const MonitorState& start);
  // Tests max_i |weight_i r_i|, once ||r|| is small enough for the rule to be met.
  template <class T>
  static void monitor_maximum(MonitorState* state, int n, const T* r, const MaximumWatch& watch);
  static void start_least_squares(const LeastSquares& system);
  static void extend_least_squares(const LeastSquares& system, int column, MonitorState* state);
  static void solve_least_squares(const LeastSquares& system);
};

}  // namespace hodge::linalg
