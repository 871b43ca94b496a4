// Operations on the scalars of a solve, done at the end of a kernel that reduces, so that they need
// no launch of their own.
#pragma once

#include "linalg/cuda/device/runtime.hpp"

namespace hodge::linalg::cuda {

// Done in order, until one raises the guard. All use the same monitor state, or none.
struct ScalarOperations {
  static constexpr int capacity = 6;
  int count = 0;
  MonitorState* state = nullptr;
  ScalarOperation operation[capacity];
};

// Called by all threads of one block after the block has stored its results. Loads all numbers and
// the state together and writes the state once, to pay a memory latency only once.
__device__ inline void run(const ScalarOperations& operations, Guard guard) {
  if (operations.count == 0) return;
  __shared__ double in[ScalarOperations::capacity][3];
  __shared__ MonitorState state;
  __syncthreads();  // all threads see the results that thread 0 has stored
  const int t = static_cast<int>(threadIdx.x);
  if (t < 3 * operations.count) {
    const double* from = operations.operation[t / 3].in[t % 3];
    in[t / 3][t % 3] = from != nullptr ? *from : 1.0;
  }
  if (t == 0 && operations.state != nullptr) state = *operations.state;
  const bool halted = t == 0 && guard.halted();
  __syncthreads();
  if (t != 0 || halted) return;
  state.halted = 0;
  for (int i = 0; i < operations.count && state.halted == 0; ++i) {
    const ScalarOperation& o = operations.operation[i];
    const double out = evaluate(o, in[i], state);
    if (o.out == nullptr || state.halted != 0) continue;
    *o.out = out;
    for (int later = i + 1; later < operations.count; ++later)
      for (int j = 0; j < 3; ++j)
        if (operations.operation[later].in[j] == o.out) in[later][j] = out;
  }
  if (operations.state != nullptr) *operations.state = state;
}

}  // namespace hodge::linalg::cuda
