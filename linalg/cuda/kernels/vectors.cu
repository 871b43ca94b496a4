// Cuda space: vector primitives and reductions.
#include "linalg/base/choose.hpp"
#include "linalg/cuda/kernels/queue.hpp"
#include "linalg/cuda/kernels/reduction.cuh"
#include "linalg/cuda/kernels/row_chunks.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace cuda {

namespace {

constexpr int threads = 256;

int vector_blocks(int n) {
  return blocks_for(n, threads, 132 * 16);
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
          value[e] =
              fma(coefficient[t], static_cast<double>(combination.term[t].data[at]), value[e]);
      }
    }
#pragma unroll
    for (int e = 0; e < batch; ++e)
      if (i + e * stride < n) out[i + e * stride] = static_cast<T>(value[e]);
  }
}

struct MaximumAt {
  Guard guard;
  double* result;

  __device__ bool is_due() const { return !guard.halted(); }
  __device__ void store(int, double largest) const { *result = largest; }
  __device__ void finish() const {}
};

// All blocks see the same state: the thread that changes it runs after all blocks have read it.
struct MonitoredMaximum {
  Guard guard;
  MonitorState* state;
  MaximumWatch watch;

  __device__ bool is_due() const {
    return !guard.halted() && !(state->residual > watch.watch_from);
  }
  __device__ void store(int, double largest) const { finish_maximum(*state, largest, watch.limit); }
  __device__ void finish() const {}
};

// max_i |weight_i v_i|. The order of a maximum does not matter: each block is a chunk.
template <class T, class Results>
__global__ void weighted_maximum_kernel(int n, const T* v, const double* weights,
                                        ReductionScratch scratch, Results results) {
  if (!results.is_due()) return;
  double largest[1] = {};
  grid_stride(n, [&](int i) {
    largest[0] = fmax(largest[0], fabs(weights[i] * static_cast<double>(v[i])));
  });
  store_chunk<1>(largest, 1u, scratch, static_cast<int>(blockIdx.x));
  reduce_chunks<1>(1u, scratch, results);
}

template <class T, class Results>
void launch_maximum(int n, const T* v, const double* weights, const Results& results) {
  launch_gathered();
  const int blocks = blocks_for(n, 2 * reduction_threads, n < (1 << 20) ? group_chunks : 1 << 13);
  Communicator* const processes = processes_to_sum();
  const ReductionScratch scratch = reduction_scratch(1, blocks, processes);
  launch_kernel("weighted_maximum_kernel", weighted_maximum_kernel<T, Results>, blocks,
                reduction_threads, n, v, weights, scratch, results);
  finish_over_processes<1>(processes, 1u, scratch, results);
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
  cuda::launch_maximum(n, v, weights, cuda::MaximumAt{cuda::guard(), result});
}

template <>
template <class T>
void ScalarPrimitives<Cuda>::monitor_maximum(MonitorState* state, int n, const T* r,
                                             const MaximumWatch& watch) {
  cuda::launch_maximum(n, r, watch.weights, cuda::MonitoredMaximum{cuda::guard(), state, watch});
}

HODGE_FOR_BOTH_VALUES(HODGE_VECTORS, Cuda)
template void VectorPrimitives<Cuda>::fill(int, int, int*);

}  // namespace hodge::linalg
