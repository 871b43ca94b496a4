// Counters in the memory of GPUs by which kernels of several processes tell each other how far they
// are. Counters may overflow.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace hodge::linalg::cuda {

using PeerCounter = std::uint32_t;

inline constexpr std::size_t peer_counter_bytes = 128;  // a line of memory for each

__device__ inline PeerCounter load_acquire(const PeerCounter* at) {
  PeerCounter value;
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
  return value;
}
__device__ inline void store_release(PeerCounter* at, PeerCounter value) {
  asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}

// Waits until *counter has reached `least`.
__device__ inline void wait_for(const PeerCounter* counter, PeerCounter least) {
  while (static_cast<std::int32_t>(load_acquire(counter) - least) < 0) __nanosleep(20);
}

// Called by all threads of a kernel when they have done their work: true in one thread of the block
// that is the last one to come here, behind all that the blocks have read and written, on this GPU
// and on others. *tickets is 0 between kernels.
__device__ inline bool is_last_of_grid(PeerCounter* tickets) {
  __syncthreads();
  if (threadIdx.x != 0) return false;
  __threadfence_system();
  if (atomicAdd(tickets, 1u) != gridDim.x - 1) return false;
  *tickets = 0;
  __threadfence_system();
  return true;
}

}  // namespace hodge::linalg::cuda
