// Messages between the blocks of one kernel that need neither a fence nor a barrier.
//
// A value is sent in 16 bytes, as two 8-byte words. Each word holds half of the value and a flag,
// the number of the message. A word is written and read in one access, so a reader that finds the
// expected flag in both words has the value; otherwise it reads again. (This is the low-latency
// protocol of NCCL; it needs no access to the L2 cache for a fence and none for a counter.) Flags
// must never repeat in one buffer, and blocks that wait for each other must run at the same time:
// launch with cudaLaunchCooperativeKernel.
#pragma once

#include <cuda_runtime.h>

namespace hodge::linalg::cuda {

struct alignas(16) FlaggedWord {
  unsigned long long low, high;  // flag << 32 | half of the value
};

__device__ inline void send(FlaggedWord* word, unsigned long long bits, unsigned flag) {
  const unsigned long long tag = static_cast<unsigned long long>(flag) << 32;
  const unsigned long long low = tag | (bits & 0xffffffffull), high = tag | (bits >> 32);
  asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};" ::"l"(word), "l"(low), "l"(high)
               : "memory");
}

__device__ inline FlaggedWord look(const FlaggedWord* word) {
  FlaggedWord found;
  asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];"
               : "=l"(found.low), "=l"(found.high)
               : "l"(word)
               : "memory");
  return found;
}

__device__ inline bool has_arrived(const FlaggedWord& word, unsigned flag) {
  return static_cast<unsigned>(word.low >> 32) == flag &&
         static_cast<unsigned>(word.high >> 32) == flag;
}

__device__ inline unsigned long long value_of(const FlaggedWord& word) {
  return (word.low & 0xffffffffull) | word.high << 32;
}

__device__ inline unsigned long long receive(const FlaggedWord* word, unsigned flag) {
  FlaggedWord found = look(word);
  while (!has_arrived(found, flag)) found = look(word);
  return value_of(found);
}

template <class T>
__device__ unsigned long long to_bits(T value) {
  if constexpr (sizeof(T) == 8) {
    return static_cast<unsigned long long>(__double_as_longlong(value));
  } else {
    return __float_as_uint(value);
  }
}

template <class T>
__device__ T from_bits(unsigned long long bits) {
  if constexpr (sizeof(T) == 8) {
    return __longlong_as_double(static_cast<long long>(bits));
  } else {
    return __uint_as_float(static_cast<unsigned>(bits));
  }
}

// The dynamic shared memory of the launch.
__device__ inline unsigned char* dynamic_shared_memory() {
  extern __shared__ __align__(16) unsigned char memory[];
  return memory;
}

}  // namespace hodge::linalg::cuda
