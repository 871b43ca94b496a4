// Sums over the blocks of a cooperative kernel, and barriers.
//
// Every block stores its part of a sum and then adds the parts of all blocks itself, in the order
// of the blocks: no block waits until another has added them, and all get the same sum.
#pragma once

#include <cuda/atomic>

#include "linalg/cuda/reduction.cuh"

namespace hodge::linalg::cuda {

inline constexpr int most_exchanging_blocks = 32 * 5;  // one warp adds the parts of so many blocks

// Parts of the sums of two consecutive iterations, 0 until a part is stored.
struct Exchange {
  using Word = unsigned long long;
  Word* arrivals;
  Word* parts;

  static constexpr int values = 3;  // of a sum
  static std::size_t bytes(int blocks) {
    return sizeof(Word) * (1 + 2 * 2 * values * static_cast<std::size_t>(blocks));
  }
  __device__ Word* of(int iteration, int sum) const {
    return parts + (2 * (iteration % 2) + sum) * values * gridDim.x;
  }
  // Clears this block's parts of both sums of a future iteration. All blocks have finished the
  // iteration that used them before.
  __device__ void clear_of_block(int iteration) const {
    if (threadIdx.x < 2 * values) of(iteration, 0)[threadIdx.x * gridDim.x + blockIdx.x] = 0;
  }
};

using Shared = ::cuda::atomic_ref<Exchange::Word, ::cuda::thread_scope_device>;

__device__ inline void store_part(Exchange::Word* to, double value) {
  const double never_zero = value == 0.0 ? -0.0 : value;
  Shared(*to).store(static_cast<Exchange::Word>(__double_as_longlong(never_zero)),
                    ::cuda::memory_order_relaxed);
}

// The sum of all blocks' parts, in every lane of the warp that asks.
__device__ inline double add_parts(Exchange::Word* parts) {
  constexpr int most = most_exchanging_blocks / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32, blocks = static_cast<int>(gridDim.x);
  double part[most];
  bool complete;
  do {
    complete = true;
#pragma unroll
    for (int j = 0; j < most; ++j) {
      const int block = lane + 32 * j;
      part[j] = 0.0;
      if (block >= blocks) continue;
      const Exchange::Word word = Shared(parts[block]).load(::cuda::memory_order_relaxed);
      complete = complete && word != 0;
      part[j] = __longlong_as_double(static_cast<long long>(word));
    }
  } while (!complete);
  double sum = 0.0;
#pragma unroll
  for (int j = 0; j < most; ++j) sum += part[j];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  return sum;
}

// Adds value[] over the grid and calls use(totals) in one thread of each block; all threads of the
// block see the shared memory that use() has written.
template <class Use>
__device__ void sum_over_grid(double (&value)[Exchange::values], Exchange::Word* parts, Use use) {
  reduce_block<Exchange::values>(value, 0u);
  if (threadIdx.x < 32) {
    double total[Exchange::values];
#pragma unroll
    for (int k = 0; k < Exchange::values; ++k) {
      Exchange::Word* const of_value = parts + k * gridDim.x;
      if (threadIdx.x == 0) store_part(of_value + blockIdx.x, value[k]);
    }
#pragma unroll
    for (int k = 0; k < Exchange::values; ++k) total[k] = add_parts(parts + k * gridDim.x);
    if (threadIdx.x == 0) use(total);
  }
  __syncthreads();
}

// A barrier of the grid, the `times`-th in this kernel; makes earlier writes visible to all.
__device__ inline void meet(const Exchange& exchange, unsigned times) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const Shared arrivals(*exchange.arrivals);
    const Exchange::Word all = static_cast<Exchange::Word>(times) * gridDim.x;
    arrivals.fetch_add(1, ::cuda::memory_order_release);
    while (arrivals.load(::cuda::memory_order_acquire) < all) continue;
  }
  __syncthreads();
}

}  // namespace hodge::linalg::cuda
