// Reductions of several values over a warp and a block, in a fixed order.
#pragma once

#include "linalg/cuda/device/runtime.hpp"
#include "linalg/cuda/kernels/exact_sums.cuh"

namespace hodge::linalg::cuda {

// Bit k set: value k is a maximum, else a sum.
using MaximumMask = unsigned;

// `a` is a total, which begins at 0: a maximum leaves out a NaN, without the instructions by which
// fmax minds both of its arguments.
__device__ inline double combine_values(double a, double b, bool maximum) {
  return maximum ? (b > a ? b : a) : a + b;
}

// Step of fold(): lanes that differ in bit Offset share 2 * Half values, of which each keeps Half;
// `number` is that of the first.
template <int Half, int Offset, int P>
__device__ void fold_step(double (&value)[P], int& number, MaximumMask maxima) {
  if constexpr (Half > 0) {
    const bool upper = (lane_of_warp() & Offset) != 0;
    if (upper) number += Half;
#pragma unroll
    for (int j = 0; j < Half; ++j) {
      const double sent = upper ? value[j] : value[j + Half];
      const double kept = upper ? value[j + Half] : value[j];
      value[j] = combine_values(kept, __shfl_xor_sync(all_lanes, sent, Offset),
                                (maxima >> (number + j)) & 1u);
    }
    fold_step<Half / 2, Offset / 2>(value, number, maxima);
  }
}

// Reduces P values over a warp, P a power of two of at most 32: the result is that of value
// lane / (32 / P). Takes P + log2(32 / P) shuffles, not 5 P.
template <int P>
__device__ double fold(double (&value)[P], MaximumMask maxima) {
  int number = 0;
  fold_step<P / 2, 16>(value, number, maxima);
#pragma unroll
  for (int offset = 16 / P; offset > 0; offset /= 2)
    value[0] = combine_values(value[0], __shfl_xor_sync(all_lanes, value[0], offset),
                              (maxima >> number) & 1u);
  return value[0];
}

__host__ __device__ constexpr int power_of_two_from(int count) {
  int power = 1;
  while (power < count) power *= 2;
  return power;
}

inline constexpr int most_warps = reduction_threads / 32;  // of a block that reduces

// The values First .. K-1 of a warp, folded 32 at a time, go to part[k][warp].
template <int First, int K>
__device__ void fold_values(const double (&value)[K], MaximumMask maxima,
                            double (&part)[K][most_warps]) {
  constexpr int count = K - First < 32 ? K - First : 32, P = power_of_two_from(count);
  double folded[P];
#pragma unroll
  for (int j = 0; j < P; ++j) folded[j] = j < count ? value[First + j < K ? First + j : 0] : 0.0;
  const double total = fold<P>(folded, First < 32 ? maxima >> First : 0u);
  const int lane = lane_of_warp(), number = lane / (32 / P);
  if (lane % (32 / P) == 0 && number < count) part[First + number][threadIdx.x / 32] = total;
  if constexpr (First + count < K) fold_values<First + count, K>(value, maxima, part);
}

__device__ inline double warp_maximum_of(double value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2)
    value = combine_values(value, __shfl_xor_sync(all_lanes, value, offset), true);
  return value;
}

// Reduces value[k] over a block of any number of warps; the result is valid in thread 0.
template <int K>
__device__ void reduce_block(double (&value)[K], MaximumMask maxima) {
  __shared__ double shared[K][32];
  const int lane = lane_of_warp(), warp = threadIdx.x / 32, warps = blockDim.x / 32;
#pragma unroll
  for (int k = 0; k < K; ++k) {
    const bool maximum = (maxima >> k) & 1u;
    for (int offset = 16; offset > 0; offset /= 2)
      value[k] = combine_values(value[k], __shfl_down_sync(all_lanes, value[k], offset), maximum);
    if (lane == 0) shared[k][warp] = value[k];
  }
  __syncthreads();
  if (warp == 0) {
#pragma unroll
    for (int k = 0; k < K; ++k) {
      const bool maximum = (maxima >> k) & 1u;
      value[k] = lane < warps ? shared[k][lane] : 0.0;
      for (int offset = 16; offset > 0; offset /= 2)
        value[k] = combine_values(value[k], __shfl_down_sync(all_lanes, value[k], offset), maximum);
    }
  }
  __syncthreads();
}

}  // namespace hodge::linalg::cuda
