// Sums and maxima over a grid of blocks in one launch, in an order given by the launch shape.
//
// Every block reduces its K values and stores them. The block that takes the last ticket of its
// group reduces the values of the group, in the order of the blocks. With several groups, the last
// of these blocks reduces the values of the groups in the same way. Only the tickets are atomic,
// and no sum depends on their order.
#pragma once

#include "linalg/cuda/runtime.hpp"

namespace hodge::linalg::cuda {

// f(i) for i in 0 .. n-1, divided among all threads of the grid.
template <class F>
__device__ void grid_stride(int n, F f) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += stride) {
    f(static_cast<int>(i));
  }
}

// Bit k set: value k is a maximum, else a sum.
using MaximumMask = unsigned;

// `a` is a total, which begins at 0: a maximum leaves out a NaN, without the instructions by which
// fmax minds both of its arguments.
__device__ inline double combine_values(double a, double b, bool maximum) {
  return maximum ? (b > a ? b : a) : a + b;
}

// Reduces value[k] over the block; the result is valid in thread 0.
template <int K>
__device__ void reduce_block(double (&value)[K], MaximumMask maxima) {
  __shared__ double shared[K][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
#pragma unroll
  for (int k = 0; k < K; ++k) {
    const bool maximum = (maxima >> k) & 1u;
    for (int offset = 16; offset > 0; offset /= 2) {
      value[k] = combine_values(value[k], __shfl_down_sync(0xffffffffu, value[k], offset), maximum);
    }
    if (lane == 0) shared[k][warp] = value[k];
  }
  __syncthreads();
  if (warp == 0) {
#pragma unroll
    for (int k = 0; k < K; ++k) {
      const bool maximum = (maxima >> k) & 1u;
      value[k] = lane < warps ? shared[k][lane] : 0.0;
      for (int offset = 16; offset > 0; offset /= 2) {
        value[k] =
            combine_values(value[k], __shfl_down_sync(0xffffffffu, value[k], offset), maximum);
      }
    }
  }
  __syncthreads();
}

struct ReductionScratch {
  double* partial;
  unsigned* ticket;
};

__host__ inline ReductionScratch reduction_scratch() {
  return {context().partial_sums, context().tickets};
}

// Stores the values of thread 0 at position `index` of `stride`. Returns true, to all threads, in
// the block that is the last of `count` to store.
template <int K>
__device__ bool store_and_be_last(const double (&value)[K], double* partial, unsigned stride,
                                  unsigned index, unsigned* ticket, unsigned count) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    for (int k = 0; k < K; ++k) partial[k * stride + index] = value[k];
    __threadfence();
    is_last = atomicInc(ticket, count - 1) == count - 1;
  }
  __syncthreads();
  if (is_last) __threadfence();
  return is_last;
}

// Reduces the stored values first .. first + count - 1; the result is valid in thread 0.
template <int K>
__device__ void reduce_stored(double (&value)[K], MaximumMask maxima, const double* partial,
                              unsigned stride, unsigned first, unsigned count) {
#pragma unroll
  for (int k = 0; k < K; ++k) value[k] = 0.0;
  for (unsigned b = threadIdx.x; b < count; b += blockDim.x) {
#pragma unroll
    for (int k = 0; k < K; ++k) {
      value[k] =
          combine_values(value[k], __ldcg(&partial[k * stride + first + b]), (maxima >> k) & 1u);
    }
  }
  reduce_block<K>(value, maxima);
}

// Reduces value[k] over all blocks; store(k, total) runs once for each k in one thread, and then
// finish() in all threads of its block.
template <int K, class Store, class Finish>
__device__ void reduce_grid(double (&value)[K], MaximumMask maxima, ReductionScratch scratch,
                            Store store, Finish finish) {
  const unsigned blocks = gridDim.x, group = blockIdx.x / group_blocks;
  const unsigned groups = (blocks + group_blocks - 1) / group_blocks;
  const unsigned first = group * group_blocks;
  const unsigned count = min(static_cast<unsigned>(group_blocks), blocks - first);
  reduce_block<K>(value, maxima);
  if (!store_and_be_last<K>(value, scratch.partial, blocks, blockIdx.x, scratch.ticket + 1 + group,
                            count))
    return;
  reduce_stored<K>(value, maxima, scratch.partial, blocks, first, count);
  if (groups > 1) {
    double* const sums = scratch.partial + static_cast<std::size_t>(K) * blocks;
    if (!store_and_be_last<K>(value, sums, groups, group, scratch.ticket, groups)) return;
    reduce_stored<K>(value, maxima, sums, groups, 0, groups);
  }
  if (threadIdx.x == 0)
    for (int k = 0; k < K; ++k) store(k, value[k]);
  finish();
}
template <int K, class Store>
__device__ void reduce_grid(double (&value)[K], MaximumMask maxima, ReductionScratch scratch,
                            Store store) {
  reduce_grid<K>(value, maxima, scratch, store, [] {});
}

}  // namespace hodge::linalg::cuda
