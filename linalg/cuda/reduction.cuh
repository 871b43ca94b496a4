// Sums and maxima over a grid of blocks in one launch, in an order that depends on the launch shape
// alone.
//
// Every block reduces its K values and stores them; the block that takes the last ticket reduces
// the stored ones in the order of the blocks. The ticket is the only atomic, and no sum depends on
// it.
#pragma once

#include "linalg/cuda/runtime.hpp"

namespace hodge::linalg::cuda {

// Bit k set: value k is a maximum, else a sum.
using MaximumMask = unsigned;

__device__ inline double combine_values(double a, double b, bool maximum) {
  return maximum ? fmax(a, b) : a + b;
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

// Scratch of one group of results.
struct ReductionScratch {
  double* partial;  // max_reduction_blocks * K
  unsigned* ticket;
};

__host__ inline ReductionScratch reduction_scratch() {
  return {context().partial_sums, context().tickets};
}

__device__ inline ReductionScratch group_scratch(ReductionScratch all, int group) {
  return {all.partial + static_cast<std::size_t>(group) * max_reduction_blocks * reduction_width,
          all.ticket + group};
}

// Reduces value[k] over all blocks of the group (gridDim.x of them); store(k, total) runs once for
// each k, and then finish(), all in one thread.
template <int K, class Store, class Finish>
__device__ void reduce_grid(double (&value)[K], MaximumMask maxima, ReductionScratch scratch,
                            Store store, Finish finish) {
  static_assert(K <= reduction_groups * reduction_width);
  reduce_block<K>(value, maxima);
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    for (int k = 0; k < K; ++k) scratch.partial[k * gridDim.x + blockIdx.x] = value[k];
    __threadfence();
    is_last = atomicInc(scratch.ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
#pragma unroll
  for (int k = 0; k < K; ++k) value[k] = 0.0;
#pragma unroll 4
  for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) {
#pragma unroll
    for (int k = 0; k < K; ++k) {
      value[k] =
          combine_values(value[k], __ldcg(&scratch.partial[k * gridDim.x + b]), (maxima >> k) & 1u);
    }
  }
  reduce_block<K>(value, maxima);
  if (threadIdx.x == 0) {
    for (int k = 0; k < K; ++k) store(k, value[k]);
    finish();
  }
}
template <int K, class Store>
__device__ void reduce_grid(double (&value)[K], MaximumMask maxima, ReductionScratch scratch,
                            Store store) {
  reduce_grid<K>(value, maxima, scratch, store, [] {});
}

}  // namespace hodge::linalg::cuda
