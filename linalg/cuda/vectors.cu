// Cuda space: vector primitives and reductions.
#include "linalg/base/choose.hpp"
#include "linalg/cuda/queue.hpp"
#include "linalg/cuda/reduction.cuh"
#include "linalg/space/instantiate.hpp"

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
  launch_kernel(name, each_kernel<F>, vector_blocks(n), threads, guard(), n, f);
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
  constexpr int batch = 2;  // elements whose loads overlap
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

// One thread calls store(max_i |weight_i v_i|).
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

// All blocks see the same state: the thread that changes it runs after all blocks have read it.
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
  with_constant<0, 1, 2, 3, 4, 5, 6>(vectors, [&](auto terms) {
    launch_kernel("combine_kernel", combine_kernel<terms.value, T>, vector_blocks(n), threads,
                  guard, n, sorted, out);
  });
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
template <class T, class U>
void VectorPrimitives<Cuda>::convert(int n, const T* in, U* out) {
  count_moved<Cuda>(static_cast<double>(n) * (sizeof(T) + sizeof(U)));
  cuda::each(n, "convert", [=] __device__(int i) { out[i] = static_cast<U>(in[i]); });
}

template <>
template <class T>
void VectorPrimitives<Cuda>::weighted_maximum(int n, const T* v, const double* weights,
                                              double* result) {
  cuda::launch_kernel("weighted_maximum_kernel", cuda::weighted_maximum_kernel<T>,
                      cuda::reduction_blocks(n, 2 * cuda::reduction_threads),
                      cuda::reduction_threads, cuda::guard(), n, v, weights,
                      cuda::reduction_scratch(), result);
}

template <>
template <class T>
void ScalarPrimitives<Cuda>::monitor_maximum(MonitorState* state, int n, const T* r,
                                             const MaximumWatch& watch) {
  cuda::launch_kernel("monitor_maximum_kernel", cuda::monitor_maximum_kernel<T>,
                      cuda::reduction_blocks(n, 2 * cuda::reduction_threads),
                      cuda::reduction_threads, cuda::guard(), state, n, r, watch,
                      cuda::reduction_scratch());
}

HODGE_FOR_BOTH_VALUES(HODGE_VECTORS, Cuda)
template void VectorPrimitives<Cuda>::fill(int, int, int*);

}  // namespace hodge::linalg
