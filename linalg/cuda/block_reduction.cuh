// Reductions of some values over a block of up to 1024 threads, in a fixed order.
#pragma once

#include "linalg/cuda/fold.cuh"

namespace hodge::linalg::cuda {

// Reduces value[k] over the block; the result is valid in thread 0.
template <int K>
__device__ void reduce_block(double (&value)[K], MaximumMask maxima) {
  __shared__ double shared[K][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
#pragma unroll
  for (int k = 0; k < K; ++k) {
    const bool maximum = (maxima >> k) & 1u;
    for (int offset = 16; offset > 0; offset /= 2)
      value[k] =
          combine_values(value[k], __shfl_down_sync(0xffffffffu, value[k], offset), maximum);
    if (lane == 0) shared[k][warp] = value[k];
  }
  __syncthreads();
  if (warp == 0) {
#pragma unroll
    for (int k = 0; k < K; ++k) {
      const bool maximum = (maxima >> k) & 1u;
      value[k] = lane < warps ? shared[k][lane] : 0.0;
      for (int offset = 16; offset > 0; offset /= 2)
        value[k] =
            combine_values(value[k], __shfl_down_sync(0xffffffffu, value[k], offset), maximum);
    }
  }
  __syncthreads();
}

}  // namespace hodge::linalg::cuda
