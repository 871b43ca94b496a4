// The one GPU, stream and guard of the Cuda space; errors of the runtime become DeviceError.
// Included by .cu files only.
#pragma once

#include <cuda_runtime.h>

#include "linalg/space/space.hpp"

namespace hodge::linalg::cuda {

// Reductions. Their launch shapes depend on the length alone, so sums are repeatable.
inline constexpr int reduction_threads = 256;
inline constexpr int one_wave_blocks = 1024;  // about what the GPU holds at once
inline constexpr int group_blocks = 256;      // whose sums one block adds
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

// Launches what has been gathered (queue.hpp).
void launch_gathered();

// Where everything is queued; what has been gathered comes first.
inline cudaStream_t stream() {
  launch_gathered();
  return context().stream;
}

// Throws DeviceError where `status` is a failure; `what` names the operation.
void check(cudaError_t status, const char* what);
inline void check_launch(const char* kernel) {
  check(cudaGetLastError(), kernel);
}

// Counts what a kernel on vectors or matrices reads and writes (Traffic::moved).
double& moved_bytes();
template <class T>
void count_vectors(long long n, long long vectors) {
  moved_bytes() += static_cast<double>(n * vectors) * sizeof(T);
}
// Values, and what says their columns, of `part` of a matrix; row offsets.
template <class T>
void count_entries(const CsrView<T>& a, double part) {
  const bool by_diagonals = a.plan.kernel == SpmvKernel::csr_diagonals;
  const double columns = by_diagonals ? 2.0 * a.rows : part * sizeof(int) * a.nonzeros;
  moved_bytes() += part * sizeof(T) * a.nonzeros + columns + sizeof(int) * (a.rows + 1.0);
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

// Few blocks where a launch is short, since its end waits for their sums to be added; many where it
// is long, since they then overlap.
inline int reduction_blocks(long long n, int per_block) {
  constexpr long long is_long = 1 << 20;
  return blocks_for(n, per_block, n < is_long ? group_blocks : most_reduction_blocks);
}

}  // namespace hodge::linalg::cuda
