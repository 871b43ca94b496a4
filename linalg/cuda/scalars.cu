// Cuda space: scalars and the small state of a solve, by one thread or a warp.
#include "linalg/cuda/least_squares.cuh"
#include "linalg/cuda/queue.hpp"

namespace hodge::linalg {

namespace cuda {

namespace {

template <class F>
__global__ void once_kernel(Guard guard, F f) {
  if (!guard.halted()) f();
}

template <class F>
void once(Guard guard, const char* name, F f) {
  once_kernel<<<1, 1, 0, stream()>>>(guard, f);
  check_launch(name);
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
  scalar_operations_kernel<<<1, 32, 0, context().stream>>>(guard, operations);
  check_launch("scalar_operations_kernel");
}

}  // namespace cuda

template <>
void ScalarPrimitives<Cuda>::assign(double* out, const Monomial& value) {
  if (value.numerators != 1 || value.denominators > 1) {
    return cuda::once(cuda::guard(), "assign", [=] __device__() { *out = value.value(); });
  }
  cuda::ScalarOperation operation;
  operation.kind = cuda::ScalarOperation::Kind::assign;
  operation.factor = value.factor;
  operation.divides = value.denominators == 1;
  operation.in[0] = value.numerator[0];
  operation.in[1] = operation.divides ? value.denominator[0] : nullptr;
  operation.out = out;
  cuda::queue().add(operation, nullptr);
}

template <>
void ScalarPrimitives<Cuda>::assign_difference(double* out, const double* a, const Monomial& b) {
  if (b.numerators != 2 || b.denominators != 0) {
    return cuda::once(cuda::guard(), "assign_difference",
                      [=] __device__() { *out = *a - b.value(); });
  }
  cuda::ScalarOperation operation;
  operation.kind = cuda::ScalarOperation::Kind::difference;
  operation.factor = b.factor;
  operation.in[0] = a;
  operation.in[1] = b.numerator[0];
  operation.in[2] = b.numerator[1];
  operation.out = out;
  cuda::queue().add(operation, nullptr);
}

template <>
void ScalarPrimitives<Cuda>::square_root(double* out, const double* in) {
  cuda::ScalarOperation operation;
  operation.kind = cuda::ScalarOperation::Kind::square_root;
  operation.in[0] = in;
  operation.out = out;
  cuda::queue().add(operation, nullptr);
}

template <>
void ScalarPrimitives<Cuda>::start_monitor(MonitorState* state, const MonitorRules& rules) {
  cuda::once(cuda::unguarded, "start_monitor",
             [=] __device__() { start_monitor_at(*state, rules); });
}

template <>
void ScalarPrimitives<Cuda>::monitor_iteration(MonitorState* state,
                                               const double* residual_squared) {
  cuda::ScalarOperation operation;
  operation.kind = cuda::ScalarOperation::Kind::iteration;
  operation.in[0] = residual_squared;
  cuda::queue().add(operation, state);
}

template <>
void ScalarPrimitives<Cuda>::monitor_require(MonitorState* state, const Requirement& requirement) {
  cuda::ScalarOperation operation;
  operation.kind = cuda::ScalarOperation::Kind::require;
  operation.otherwise = requirement.otherwise;
  operation.positive = requirement.positive;
  operation.in[0] = requirement.value;
  operation.in[1] = requirement.scale[0];
  operation.in[2] = requirement.scale[1];
  cuda::queue().add(operation, state);
}

template <>
void ScalarPrimitives<Cuda>::monitor_step_length(MonitorState* state, const StepLength& step) {
  cuda::ScalarOperation operation;
  operation.kind = cuda::ScalarOperation::Kind::step_length;
  operation.in[0] = step.ts;
  operation.in[1] = step.tt;
  operation.in[2] = step.ss;
  operation.out = step.omega;
  cuda::queue().add(operation, state);
}

template <>
void ScalarPrimitives<Cuda>::start_least_squares(const LeastSquares& system) {
  cuda::once(cuda::guard(), "start_least_squares", [=] __device__() { start_rotations(system); });
}

template <>
void ScalarPrimitives<Cuda>::extend_least_squares(const LeastSquares& system, int column,
                                                  MonitorState* state) {
  cuda::extend_kernel<<<1, 32, 0, cuda::stream()>>>(cuda::guard(), system, column, state);
  cuda::check_launch("extend_kernel");
}

template <>
void ScalarPrimitives<Cuda>::solve_least_squares(const LeastSquares& system) {
  cuda::back_substitute_kernel<<<1, 32, 0, cuda::stream()>>>(system);
  cuda::check_launch("back_substitute_kernel");
}

}  // namespace hodge::linalg
