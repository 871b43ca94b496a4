// Sums over the blocks of a cooperative kernel, and barriers between neighbouring blocks.
//
// Every block stores its part of a sum and then adds the parts of all blocks itself, in the order
// of the blocks: no block waits until another has added them, and all get the same sum. A block
// that reads vectors of a few other blocks waits for these alone: each block has a word that counts
// how often it has written, so that no word is written by two blocks (a barrier of the grid by one
// counter takes 2.1 us on an H200).
#pragma once

#include <cuda/atomic>

#include "linalg/cuda/kernels/reduction.cuh"

namespace hodge::linalg::cuda {

inline constexpr int most_exchanging_blocks = 32 * 5;  // one warp adds the parts of so many blocks

// Words that are 0 when the kernel starts. A part of a sum stays 0 until it is stored; parts are
// used again every `turns` iterations.
struct Exchange {
  using Word = unsigned long long;
  Word* words;

  static constexpr int values = 3;  // of a sum
  static constexpr int turns = 4;
  static std::size_t bytes(int blocks) {
    return sizeof(Word) * (2 + turns * 2 * values) * static_cast<std::size_t>(blocks);
  }
  __device__ Word& arrivals_of(int block) const { return words[block]; }
  __device__ Word& reach_of(int block) const { return words[gridDim.x + block]; }
  __device__ Word* of(int iteration, int sum) const {
    return words + (2 + (2 * (iteration % turns) + sum) * values) * gridDim.x;
  }
  // Clears this block's parts of both sums of the iteration after the next. All blocks have
  // finished the iteration that used them before, and get the parts of the next one, which this
  // block stores after a barrier, before they look for these.
  __device__ void clear_of_block(int iteration) const {
    if (threadIdx.x < 2 * values) of(iteration + 2, 0)[threadIdx.x * gridDim.x + blockIdx.x] = 0;
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

// The barriers of a block with the blocks from first to last: those whose vectors it reads, and
// those that read its own.
class Neighbours {
 public:
  // `reads`: the first and the last block of which this thread reads; last < first: none.
  __device__ Neighbours(const Exchange& exchange, int reads_first, int reads_last)
      : exchange_(exchange) {
    __shared__ int first, last;
    const int me = static_cast<int>(blockIdx.x), other = static_cast<int>(threadIdx.x);
    if (threadIdx.x == 0) first = last = me;
    __syncthreads();
    if (reads_first <= reads_last) {
      atomicMin(&first, reads_first);
      atomicMax(&last, reads_last);
    }
    __syncthreads();
    constexpr Exchange::Word known = 1ull << 63;
    if (threadIdx.x == 0) {
      const auto reach = static_cast<Exchange::Word>(first) << 32 | static_cast<unsigned>(last);
      Shared(exchange.reach_of(me)).store(known | reach, ::cuda::memory_order_relaxed);
    }
    __syncthreads();
    if (other < static_cast<int>(gridDim.x)) {
      Exchange::Word reach = 0;
      while (reach == 0)
        reach = Shared(exchange.reach_of(other)).load(::cuda::memory_order_relaxed);
      if (static_cast<int>((reach & ~known) >> 32) <= me && me <= static_cast<int>(reach)) {
        atomicMin(&first, other);
        atomicMax(&last, other);
      }
    }
    __syncthreads();
    first_ = first;
    last_ = last;
  }

  // Makes what these blocks have written visible to this one, and the reverse.
  __device__ void meet() {
    ++times_;
    __syncthreads();
    if (threadIdx.x < 32) {
      if (threadIdx.x == 0) {
        ::cuda::atomic_thread_fence(::cuda::memory_order_acq_rel, ::cuda::thread_scope_device);
        Shared(exchange_.arrivals_of(static_cast<int>(blockIdx.x)))
            .store(times_, ::cuda::memory_order_relaxed);
      }
      for (int block = first_ + static_cast<int>(threadIdx.x); block <= last_; block += 32) {
        const Shared arrivals(exchange_.arrivals_of(block));
        while (arrivals.load(::cuda::memory_order_acquire) < times_) continue;
      }
    }
    __syncthreads();
  }

 private:
  const Exchange& exchange_;
  int first_, last_;
  Exchange::Word times_ = 0;
};

}  // namespace hodge::linalg::cuda
