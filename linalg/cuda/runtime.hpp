// The one GPU, stream and guard of the Cuda space; errors of the runtime become DeviceError.
// Included by .cu files only.
#pragma once

#include <cuda_runtime.h>

#include "linalg/space.hpp"

namespace hodge::linalg::cuda {

// Most blocks of a reduction; it depends on nothing but this and the length, so sums are
// repeatable.
inline constexpr int max_reduction_blocks = 1024;
inline constexpr int reduction_threads = 256;
inline constexpr int reduction_groups =
    32;  // groups of up to reduction_width results in one launch
inline constexpr int reduction_width = 8;

struct Context {
  int device = 0;
  cudaStream_t stream = nullptr;
  const int* guard = nullptr;
  double* partial_sums = nullptr;  // max_reduction_blocks * reduction_groups * reduction_width
  unsigned* tickets = nullptr;     // reduction_groups, zero between launches
};

// The context, made at first use on the device that select_device() named.
Context& context();

// Launches what has been gathered (deferred.hpp).
void launch_deferred();

// Where everything is queued; what has been gathered comes first.
inline cudaStream_t stream() {
  launch_deferred();
  return context().stream;
}

// Throws DeviceError where `status` is a failure; `what` names the operation.
void check(cudaError_t status, const char* what);
inline void check_launch(const char* kernel) {
  check(cudaGetLastError(), kernel);
}

// Handed to kernels by value.
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

}  // namespace hodge::linalg::cuda
