// Cuda space: scalars and the small state of a solve, by one thread.
#include "linalg/cuda/runtime.hpp"

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

}  // namespace

}  // namespace cuda

template <>
void Primitives<Cuda>::assign(double* out, const Monomial& value) {
  cuda::once(cuda::guard(), "assign", [=] __device__() { *out = value.value(); });
}

template <>
void Primitives<Cuda>::square_root(double* out, const double* in) {
  cuda::once(cuda::guard(), "square_root", [=] __device__() { *out = sqrt(*in); });
}

template <>
void Primitives<Cuda>::start_monitor(MonitorState* state, const MonitorRules& rules) {
  cuda::once(cuda::unguarded, "start_monitor",
             [=] __device__() { start_monitor_at(*state, rules); });
}

template <>
void Primitives<Cuda>::monitor_iteration(MonitorState* state, const double* residual_squared) {
  cuda::once(cuda::guard(), "monitor_iteration",
             [=] __device__() { finish_iteration(*state, *residual_squared); });
}

template <>
void Primitives<Cuda>::monitor_require(MonitorState* state, const Requirement& requirement) {
  cuda::once(cuda::guard(), "monitor_require",
             [=] __device__() { check_requirement(*state, requirement); });
}

template <>
void Primitives<Cuda>::monitor_step_length(MonitorState* state, const StepLength& step) {
  cuda::once(cuda::guard(), "monitor_step_length",
             [=] __device__() { choose_step_length(*state, step); });
}

template <>
void Primitives<Cuda>::start_least_squares(const LeastSquares& system, const double* norm) {
  cuda::once(cuda::guard(), "start_least_squares",
             [=] __device__() { start_rotations(system, *norm); });
}

template <>
void Primitives<Cuda>::extend_least_squares(const LeastSquares& system, int column,
                                            MonitorState* state) {
  cuda::once(cuda::guard(), "extend_least_squares",
             [=] __device__() { rotate_column(system, column, *state); });
}

template <>
void Primitives<Cuda>::solve_least_squares(const LeastSquares& system) {
  cuda::once(cuda::unguarded, "solve_least_squares", [=] __device__() { back_substitute(system); });
}

}  // namespace hodge::linalg
