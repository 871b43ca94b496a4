// Cuda space: scalars and the small state of a solve, by one thread or one warp.
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
  launch_kernel(name, once_kernel<F>, 1, 1, guard, f);
}

constexpr Guard unguarded{nullptr};
using Kind = ScalarOperation::Kind;

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
void ScalarPrimitives<Cuda>::assign(double* out, const Monomial& value) {
  if (value.numerators != 1 || value.denominators > 1) {
    return cuda::once(cuda::guard(), "assign", [=] __device__() { *out = value.value(); });
  }
  const bool divides = value.denominators == 1;
  cuda::queue().add({.kind = cuda::Kind::assign,
                     .factor = value.factor,
                     .divides = divides,
                     .in = {value.numerator[0], divides ? value.denominator[0] : nullptr},
                     .out = out},
                    nullptr);
}

template <>
void ScalarPrimitives<Cuda>::assign_difference(double* out, const double* a, const Monomial& b) {
  if (b.numerators != 2 || b.denominators != 0) {
    return cuda::once(cuda::guard(), "assign_difference",
                      [=] __device__() { *out = *a - b.value(); });
  }
  cuda::queue().add({.kind = cuda::Kind::difference,
                     .factor = b.factor,
                     .in = {a, b.numerator[0], b.numerator[1]},
                     .out = out},
                    nullptr);
}

template <>
void ScalarPrimitives<Cuda>::square_root(double* out, const double* in) {
  cuda::queue().add({.kind = cuda::Kind::square_root, .in = {in}, .out = out}, nullptr);
}

template <>
void ScalarPrimitives<Cuda>::start_monitor(MonitorState* state, const MonitorRules& rules) {
  cuda::once(cuda::unguarded, "start_monitor",
             [=] __device__() { start_monitor_at(*state, rules); });
}

template <>
void ScalarPrimitives<Cuda>::monitor_iteration(MonitorState* state,
                                               const double* residual_squared) {
  cuda::queue().add({.kind = cuda::Kind::iteration, .in = {residual_squared}}, state);
}

template <>
void ScalarPrimitives<Cuda>::monitor_require(MonitorState* state, const Requirement& requirement) {
  cuda::queue().add({.kind = cuda::Kind::require,
                     .otherwise = requirement.otherwise,
                     .positive = requirement.positive,
                     .in = {requirement.value, requirement.scale[0], requirement.scale[1]}},
                    state);
}

template <>
void ScalarPrimitives<Cuda>::monitor_step_length(MonitorState* state, const StepLength& step) {
  cuda::queue().add(
      {.kind = cuda::Kind::step_length, .in = {step.ts, step.tt, step.ss}, .out = step.omega},
      state);
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
