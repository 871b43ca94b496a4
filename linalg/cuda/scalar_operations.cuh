// What one thread does with a solve's scalars at the end of a kernel that reduces, so that it costs
// no launch of its own.
#pragma once

#include "linalg/cuda/runtime.hpp"

namespace hodge::linalg::cuda {

struct ScalarOperation {
  enum class Kind { square_root, iteration, require, step_length };
  Kind kind = Kind::square_root;
  Breakdown otherwise = Breakdown::none;
  bool positive = false;
  MonitorState* state = nullptr;
  const double* in[3] = {};
  double* out = nullptr;
};

// In order; none after one that has raised the guard.
struct ScalarOperations {
  static constexpr int capacity = 6;
  int count = 0;
  ScalarOperation operation[capacity];
};

__device__ inline void run(const ScalarOperation& o) {
  switch (o.kind) {
    case ScalarOperation::Kind::square_root:
      *o.out = sqrt(*o.in[0]);
      return;
    case ScalarOperation::Kind::iteration:
      return finish_iteration(*o.state, *o.in[0]);
    case ScalarOperation::Kind::require:
      return check_requirement(*o.state, {o.otherwise, o.positive, o.in[0], {o.in[1], o.in[2]}});
    case ScalarOperation::Kind::step_length:
      return choose_step_length(*o.state, {o.in[0], o.in[1], o.in[2], o.out});
  }
}

__device__ inline void run(const ScalarOperations& operations, Guard guard) {
  for (int i = 0; i < operations.count; ++i) {
    if (guard.halted()) return;
    run(operations.operation[i]);
  }
}

}  // namespace hodge::linalg::cuda
