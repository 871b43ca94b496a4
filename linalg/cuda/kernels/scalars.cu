// Cuda space: scalars and the small state of a solve, by one thread or one warp.
#include "linalg/cuda/kernels/least_squares.cuh"
#include "linalg/cuda/kernels/queue.hpp"

namespace hodge::linalg {

namespace cuda {

namespace {

template <class F>
__global__ void once_kernel(Guard guard, F f) {
  if (!guard.halted()) f();
}

template <class F>
void once(Guard guard, const char* name, F f) {
  launch_kernel(name, once_kernel<F>, 1, 1, guard, f);
}

constexpr Guard unguarded{nullptr};

__global__ void scalar_operations_kernel(Guard guard, ScalarOperations operations) {
  run(operations, guard);
}

__global__ void extend_kernel(Guard guard, LeastSquares system, int column, MonitorState* state) {
  if (guard.halted()) return;
  const int k = column + 1;
  bool oblique = false;
  for (int i = static_cast<int>(threadIdx.x); i < k; i += 32)
    oblique = oblique || is_oblique(system.basis, k, i);
  const bool again = __any_sync(whole_warp, oblique) != 0;
  extend_by_warp(system, column, again, state);
}

__global__ void back_substitute_kernel(LeastSquares system) {
  back_substitute_by_warp(system);
}

}  // namespace

void launch_scalar_operations(Guard guard, const ScalarOperations& operations) {
  launch_kernel("scalar_operations_kernel", scalar_operations_kernel, 1, 32, guard, operations);
}

}  // namespace cuda

template <>
void ScalarPrimitives<Cuda>::run(const ScalarOperation& operation, MonitorState* state) {
  cuda::queue().add(operation, state);
}

template <>
void ScalarPrimitives<Cuda>::start_monitor(MonitorState* state, const MonitorState& start) {
  cuda::once(cuda::unguarded, "start_monitor",
             [=] __device__() { start_monitor_at(*state, start); });
}

template <>
void ScalarPrimitives<Cuda>::start_least_squares(const LeastSquares& system) {
  cuda::once(cuda::guard(), "start_least_squares", [=] __device__() { start_rotations(system); });
}

template <>
void ScalarPrimitives<Cuda>::extend_least_squares(const LeastSquares& system, int column,
                                                  MonitorState* state) {
  cuda::launch_kernel("extend_kernel", cuda::extend_kernel, 1, 32, cuda::guard(), system, column,
                      state);
}

template <>
void ScalarPrimitives<Cuda>::solve_least_squares(const LeastSquares& system) {
  cuda::launch_kernel("back_substitute_kernel", cuda::back_substitute_kernel, 1, 32, system);
}

}  // namespace hodge::linalg
