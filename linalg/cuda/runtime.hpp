// The one GPU, stream and guard of the Cuda space; errors of the runtime become DeviceError.
// Included by .cu files only.
#pragma once

#include <cuda_runtime.h>

#include "linalg/space/traffic.hpp"

namespace hodge::linalg::cuda {

// The launch shapes of reductions depend on the length alone, so sums are repeatable.
inline constexpr int reduction_threads = 256;
inline constexpr int one_wave_blocks = 1024;  // about what the GPU holds at once
inline constexpr int group_blocks = 256;      // blocks of a group; one of them adds their sums
inline constexpr int most_groups = 64;
inline constexpr int most_reduction_blocks = group_blocks * most_groups;
inline constexpr int reduction_scratch_values = 16 * most_reduction_blocks;

struct Context {
  int device = 0;
  cudaStream_t stream = nullptr;
  const int* guard = nullptr;
  double* partial_sums = nullptr;  // reduction_scratch_values
  unsigned* tickets = nullptr;     // most_groups + 1, zero between launches
};

// The context, made at first use on the device that select_device() named.
Context& context();

// Launches the work that the queue has gathered (queue.hpp).
void launch_gathered();

// The stream of all work. Gathered work is launched first.
inline cudaStream_t stream() {
  launch_gathered();
  return context().stream;
}

// Throws DeviceError where `status` is a failure; `what` names the operation.
void check(cudaError_t status, const char* what);
// Of the GPU.
int attribute(cudaDeviceAttr which, const char* what);
inline void check_launch(const char* kernel) {
  check(cudaGetLastError(), kernel);
}

// kernel<<<grid, threads>>>(arguments...) on stream().
template <class... Parameters, class... Arguments>
void launch_kernel(const char* name, void (*kernel)(Parameters...), dim3 grid, dim3 threads,
                   const Arguments&... arguments) {
  kernel<<<grid, threads, 0, stream()>>>(arguments...);
  check_launch(name);
}

// A kernel takes it by value and does nothing if it is halted.
struct Guard {
  const int* flag;
  __device__ bool halted() const { return flag != nullptr && *flag != 0; }
};
inline Guard guard() {
  return {context().guard};
}

inline int blocks_for(long long n, int threads, int most) {
  const long long needed = (n + threads - 1) / threads;
  return static_cast<int>(needed < 1 ? 1 : needed > most ? most : needed);
}

// Few blocks for a short launch, whose time is that of adding the blocks' sums; many for a long
// one, in which blocks then overlap.
inline int reduction_blocks(long long n, int per_block) {
  constexpr long long is_long = 1 << 20;
  return blocks_for(n, per_block, n < is_long ? group_blocks : most_reduction_blocks);
}

}  // namespace hodge::linalg::cuda
