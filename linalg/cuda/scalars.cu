// Cuda space: scalars and the small state of a solve, by one thread.
#include "linalg/cuda/deferred.hpp"

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

// The small arrays that a new column needs, entries 0 .. column + 1 of each.
constexpr int small_arrays = 8;

// Brought into shared memory by a warp and rotated there by one thread, since every step needs the
// one before: in global memory each would wait for it.
__global__ void rotate_column_kernel(Guard guard, LeastSquares system, int column,
                                     MonitorState* state) {
  extern __shared__ double arrays[];
  if (guard.halted()) return;
  const int count = column + 2;
  double* const given[small_arrays] = {
      system.basis.norms, system.basis.dots, system.basis.left, system.basis.left_again,
      system.cosine,      system.sine,       system.rhs,        system.column(column)};
  // Entry count - 1 of some is not there yet, or beyond the last.
  const int known[small_arrays] = {count - 1, count - 1, count, count,
                                   count - 2, count - 2, count, 0};
  for (int a = 0; a < small_arrays; ++a)
    for (int i = static_cast<int>(threadIdx.x); i < known[a]; i += 32)
      arrays[a * count + i] = given[a][i];
  __syncwarp();
  LeastSquares near = system;
  near.basis.norms = arrays;
  near.basis.dots = arrays + count;
  near.basis.left = arrays + 2 * count;
  near.basis.left_again = arrays + 3 * count;
  near.cosine = arrays + 4 * count;
  near.sine = arrays + 5 * count;
  near.rhs = arrays + 6 * count;
  double* const h = arrays + 7 * count;
  const int k = column + 1, lane = static_cast<int>(threadIdx.x);
  bool oblique = false;
  for (int i = lane; i < k; i += 32) oblique = oblique || is_oblique(near.basis, k, i);
  const bool again = __any_sync(0xffffffffu, oblique) != 0;
  for (int i = lane; i <= k; i += 32) h[i] = projection(near.basis, k, i, again);
  __syncwarp();
  if (lane == 0) {
    MonitorState known_state = *state;
    rotate_column(near, column, h, known_state);
    *state = known_state;
  }
  __syncwarp();
  const int changed[small_arrays] = {count, 0, 0, 0, count - 1, count - 1, count, count};
  for (int a = 0; a < small_arrays; ++a)
    for (int i = static_cast<int>(threadIdx.x); i < changed[a]; i += 32)
      if (i >= known[a] || a >= 6) given[a][i] = arrays[a * count + i];
}

}  // namespace

void launch_scalar_operations(Guard guard, const ScalarOperations& operations) {
  scalar_operations_kernel<<<1, 32, 0, context().stream>>>(guard, operations);
  check_launch("scalar_operations_kernel");
}

}  // namespace cuda

template <>
void Primitives<Cuda>::assign(double* out, const Monomial& value) {
  cuda::once(cuda::guard(), "assign", [=] __device__() { *out = value.value(); });
}

template <>
void Primitives<Cuda>::square_root(double* out, const double* in) {
  cuda::ScalarOperation operation;
  operation.kind = cuda::ScalarOperation::Kind::square_root;
  operation.in[0] = in;
  operation.out = out;
  cuda::defer(operation, nullptr);
}

template <>
void Primitives<Cuda>::start_monitor(MonitorState* state, const MonitorRules& rules) {
  cuda::once(cuda::unguarded, "start_monitor",
             [=] __device__() { start_monitor_at(*state, rules); });
}

template <>
void Primitives<Cuda>::monitor_iteration(MonitorState* state, const double* residual_squared) {
  cuda::ScalarOperation operation;
  operation.kind = cuda::ScalarOperation::Kind::iteration;
  operation.in[0] = residual_squared;
  cuda::defer(operation, state);
}

template <>
void Primitives<Cuda>::monitor_require(MonitorState* state, const Requirement& requirement) {
  cuda::ScalarOperation operation;
  operation.kind = cuda::ScalarOperation::Kind::require;
  operation.otherwise = requirement.otherwise;
  operation.positive = requirement.positive;
  operation.in[0] = requirement.value;
  operation.in[1] = requirement.scale[0];
  operation.in[2] = requirement.scale[1];
  cuda::defer(operation, state);
}

template <>
void Primitives<Cuda>::monitor_step_length(MonitorState* state, const StepLength& step) {
  cuda::ScalarOperation operation;
  operation.kind = cuda::ScalarOperation::Kind::step_length;
  operation.in[0] = step.ts;
  operation.in[1] = step.tt;
  operation.in[2] = step.ss;
  operation.out = step.omega;
  cuda::defer(operation, state);
}

template <>
void Primitives<Cuda>::start_least_squares(const LeastSquares& system) {
  cuda::once(cuda::guard(), "start_least_squares", [=] __device__() { start_rotations(system); });
}

template <>
void Primitives<Cuda>::extend_least_squares(const LeastSquares& system, int column,
                                            MonitorState* state) {
  const std::size_t bytes = cuda::small_arrays * sizeof(double) * (column + 2);
  cuda::rotate_column_kernel<<<1, 32, bytes, cuda::stream()>>>(cuda::guard(), system, column,
                                                               state);
  cuda::check_launch("rotate_column_kernel");
}

template <>
void Primitives<Cuda>::solve_least_squares(const LeastSquares& system) {
  cuda::once(cuda::unguarded, "solve_least_squares", [=] __device__() { back_substitute(system); });
}

}  // namespace hodge::linalg
