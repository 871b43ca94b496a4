// The search for the largest entry of a column. Of equal |value| the smaller row wins, so that the
// pivot is the one that a search from top to bottom finds.
#pragma once

#include "linalg/cuda/kernels/flagged_words.cuh"

namespace hodge::linalg::cuda {

// `key` is the bits of |value|, which order as the values do. Infinity is larger than every number,
// and NaN larger than infinity, so that both become pivots and are found.
struct Candidate {
  unsigned long long key = 0;
  int position = 0x7fffffff;  // row in the panel after the exchanges so far; 0x7fffffff: no row
};

__device__ inline unsigned long long magnitude_key(double x) {
  return to_bits(fabs(x));
}
__device__ inline unsigned long long magnitude_key(float x) {
  return to_bits(fabsf(x)) << 32;
}
__device__ inline bool is_finite_key(unsigned long long key, double) {
  return key < 0x7ff0000000000000ull;
}
__device__ inline bool is_finite_key(unsigned long long key, float) {
  return key < 0x7f80000000000000ull;
}

__device__ inline bool is_better(const Candidate& a, const Candidate& b) {
  return a.key > b.key || (a.key == b.key && a.position < b.position);
}

template <int Width>
__device__ Candidate best_by_exchange(Candidate mine) {
#pragma unroll
  for (int offset = Width / 2; offset > 0; offset /= 2) {
    Candidate other;
    other.key = __shfl_xor_sync(0xffffffffu, mine.key, offset);
    other.position = __shfl_xor_sync(0xffffffffu, mine.position, offset);
    if (is_better(other, mine)) mine = other;
  }
  return mine;
}

// The best candidate of each group of Width adjacent lanes, in all of them.
template <int Width = 32>
__device__ Candidate best_of_lanes(const Candidate& mine) {
#if __CUDA_ARCH__ >= 800
  if constexpr (Width == 32) {
    constexpr unsigned all = 0xffffffffu;
    const unsigned high = static_cast<unsigned>(mine.key >> 32);
    const unsigned best_high = __reduce_max_sync(all, high);
    const unsigned low = high == best_high ? static_cast<unsigned>(mine.key) : 0u;
    const unsigned best_low = __reduce_max_sync(all, low);
    const bool equal = high == best_high && static_cast<unsigned>(mine.key) == best_low;
    Candidate best;
    best.position = __reduce_min_sync(all, equal ? mine.position : 0x7fffffff);
    best.key = static_cast<unsigned long long>(best_high) << 32 | best_low;
    return best;
  } else {
    return best_by_exchange<Width>(mine);
  }
#else
  return best_by_exchange<Width>(mine);
#endif
}

}  // namespace hodge::linalg::cuda
