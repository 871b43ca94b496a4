// Cuda space: vector primitives and reductions.
#include "linalg/cuda/grid_stride.cuh"
#include "linalg/cuda/queue.hpp"
#include "linalg/cuda/reduction.cuh"

namespace hodge::linalg {

namespace cuda {

namespace {

constexpr int threads = 256;
constexpr int most_blocks = 132 * 16;

int vector_blocks(int n) {
  return blocks_for(n, threads, most_blocks);
}

template <class F>
__global__ void each_kernel(Guard guard, int n, F f) {
  if (guard.halted()) return;
  grid_stride(n, f);
}

template <class F>
void each(int n, const char* name, F f) {
  if (n == 0) return;
  each_kernel<<<vector_blocks(n), threads, 0, stream()>>>(guard(), n, f);
  check_launch(name);
}

// The first Terms terms have data; those after them are constants.
template <int Terms, class T>
__global__ void combine_kernel(Guard guard, int n, Combination<T> combination, T* out) {
  const bool halted = guard.halted();
  double coefficient[Terms > 0 ? Terms : 1];
#pragma unroll
  for (int t = 0; t < Terms; ++t) coefficient[t] = combination.term[t].coefficient.value();
  double constant = 0.0;
  for (int t = Terms; t < combination.terms; ++t)
    constant += combination.term[t].coefficient.value();
  if (halted) return;
  constexpr int batch = 2;  // elements that are asked for together
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += batch * stride) {
    double value[batch];
#pragma unroll
    for (int e = 0; e < batch; ++e) {
      const long long at = i + e * stride;
      value[e] = constant;
#pragma unroll
      for (int t = 0; t < Terms; ++t) {
        if (coefficient[t] != 0.0 && at < n)
          value[e] += coefficient[t] * static_cast<double>(combination.term[t].data[at]);
      }
    }
#pragma unroll
    for (int e = 0; e < batch; ++e)
      if (i + e * stride < n) out[i + e * stride] = static_cast<T>(value[e]);
  }
}

template <int Terms, class T>
void launch_combine_terms(int n, const Combination<T>& combination, T* out, Guard guard) {
  combine_kernel<Terms>
      <<<vector_blocks(n), threads, 0, context().stream>>>(guard, n, combination, out);
  check_launch("combine_kernel");
}

// store(max_i |weight_i v_i|) by one thread.
template <class T, class Store>
__device__ void reduce_maximum(int n, const T* v, const double* weights, ReductionScratch scratch,
                               Store store) {
  double largest[1] = {};
  grid_stride(n, [&](int i) {
    largest[0] = fmax(largest[0], fabs(weights[i] * static_cast<double>(v[i])));
  });
  reduce_grid<1>(largest, 1u, scratch, [&](int, double value) { store(value); });
}

template <class T>
__global__ void weighted_maximum_kernel(Guard guard, int n, const T* v, const double* weights,
                                        ReductionScratch scratch, double* result) {
  if (guard.halted()) return;
  reduce_maximum(n, v, weights, scratch, [=](double value) { *result = value; });
}

// All blocks see the same state: the thread that changes it runs after they have all arrived.
template <class T>
__global__ void monitor_maximum_kernel(Guard guard, MonitorState* state, int n, const T* r,
                                       MaximumWatch watch, ReductionScratch scratch) {
  if (guard.halted() || state->residual > watch.watch_from) return;
  reduce_maximum(n, r, watch.weights, scratch,
                 [=](double value) { finish_maximum(*state, value, watch.limit); });
}

}  // namespace

template <class T>
void launch_combine(int n, const Combination<T>& combination, T* out, Guard guard) {
  Combination<T> sorted;  // vectors first, constants last
  int vectors = 0;
  for (int t = 0; t < combination.terms; ++t) {
    if (combination.term[t].data != nullptr) sorted.term[vectors++] = combination.term[t];
  }
  sorted.terms = vectors;
  for (int t = 0; t < combination.terms; ++t) {
    if (combination.term[t].data == nullptr) sorted.term[sorted.terms++] = combination.term[t];
  }
  switch (vectors) {
    case 0:
      return launch_combine_terms<0>(n, sorted, out, guard);
    case 1:
      return launch_combine_terms<1>(n, sorted, out, guard);
    case 2:
      return launch_combine_terms<2>(n, sorted, out, guard);
    case 3:
      return launch_combine_terms<3>(n, sorted, out, guard);
    case 4:
      return launch_combine_terms<4>(n, sorted, out, guard);
    case 5:
      return launch_combine_terms<5>(n, sorted, out, guard);
    default:
      return launch_combine_terms<6>(n, sorted, out, guard);
  }
}
template void launch_combine(int, const Combination<double>&, double*, Guard);
template void launch_combine(int, const Combination<float>&, float*, Guard);

}  // namespace cuda

template <>
template <class T>
void VectorPrimitives<Cuda>::fill(int n, T value, T* out) {
  cuda::each(n, "fill", [=] __device__(int i) { out[i] = value; });
}

template <>
template <class T>
void VectorPrimitives<Cuda>::combine(int n, const Combination<T>& combination, T* out) {
  cuda::queue().combine(n, combination, out);
}

template <>
template <class T>
void VectorPrimitives<Cuda>::multiply_elements(int n, const T* a, const T* b, T* out) {
  cuda::queue().multiply_elements(n, a, b, out);
}

template <>
template <class T, class U>
void VectorPrimitives<Cuda>::convert(int n, const T* in, U* out) {
  cuda::each(n, "convert", [=] __device__(int i) { out[i] = static_cast<U>(in[i]); });
}

template <>
template <class T>
void VectorPrimitives<Cuda>::dots(int n, const DotPairs<T>& pairs) {
  cuda::queue().dots(n, pairs);
}

template <>
template <class T>
void VectorPrimitives<Cuda>::weighted_maximum(int n, const T* v, const double* weights,
                                              double* result) {
  const int blocks = cuda::reduction_blocks(n, 2 * cuda::reduction_threads);
  cuda::weighted_maximum_kernel<<<blocks, cuda::reduction_threads, 0, cuda::stream()>>>(
      cuda::guard(), n, v, weights, cuda::reduction_scratch(), result);
  cuda::check_launch("weighted_maximum_kernel");
}

template <>
template <class T>
void ScalarPrimitives<Cuda>::monitor_maximum(MonitorState* state, int n, const T* r,
                                             const MaximumWatch& watch) {
  const int blocks = cuda::reduction_blocks(n, 2 * cuda::reduction_threads);
  cuda::monitor_maximum_kernel<<<blocks, cuda::reduction_threads, 0, cuda::stream()>>>(
      cuda::guard(), state, n, r, watch, cuda::reduction_scratch());
  cuda::check_launch("monitor_maximum_kernel");
}

#define HODGE_VECTORS(T)                                                                         \
  template void VectorPrimitives<Cuda>::fill(int, T, T*);                                        \
  template void VectorPrimitives<Cuda>::combine(int, const Combination<T>&, T*);                 \
  template void VectorPrimitives<Cuda>::multiply_elements(int, const T*, const T*, T*);          \
  template void VectorPrimitives<Cuda>::dots(int, const DotPairs<T>&);                           \
  template void VectorPrimitives<Cuda>::weighted_maximum(int, const T*, const double*, double*); \
  template void ScalarPrimitives<Cuda>::monitor_maximum(MonitorState*, int, const T*,            \
                                                        const MaximumWatch&);
HODGE_VECTORS(double)
HODGE_VECTORS(float)
template void VectorPrimitives<Cuda>::fill(int, int, int*);
template void VectorPrimitives<Cuda>::convert(int, const double*, float*);
template void VectorPrimitives<Cuda>::convert(int, const float*, double*);

}  // namespace hodge::linalg
