// The one GPU, stream and guard of the Cuda space; errors of the runtime become DeviceError.
// Included by .cu files only.
#pragma once

#include <cuda_runtime.h>

#include "linalg/space/traffic.hpp"

namespace hodge::linalg::cuda {

inline constexpr int reduction_threads = 256;
inline constexpr int one_wave_blocks = 1024;      // about what the GPU holds at once
inline constexpr int most_loop_blocks = 1 << 14;  // of loops whose threads take several elements
inline constexpr int group_chunks = 256;          // whose sums one block adds (reduction.cuh)
inline constexpr int most_groups = 1 << 12;
inline constexpr int reduction_scratch_values = 1 << 21;
inline constexpr int most_sums = 40;                  // of a reduction
inline constexpr int context_words = 71 * most_sums;  // what they need (reduction.cuh)

struct Context {
  int device = 0;
  cudaStream_t stream = nullptr;
  const int* guard = nullptr;
  double* partial_sums = nullptr;       // reduction_scratch_values
  unsigned* tickets = nullptr;          // most_groups + 1, zero between launches
  unsigned long long* words = nullptr;  // context_words, zero between launches
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

// Whether kernels may be launched while the one before them ends: programmatic dependent launch, on
// a GPU of compute capability 9.0 or more, where the device code was compiled for it.
bool launches_overlap();

// The first thing that a kernel of launch_overlapping() does: lets the next kernel take the places
// that become free, and waits until the kernels before it have ended and what they wrote is seen.
__device__ inline void wait_for_earlier_kernels() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// As launch_kernel(), of a kernel that calls wait_for_earlier_kernels() first: its blocks are
// placed while the last ones of the kernel before run. The call takes longer than that of
// launch_kernel(), which is better for short kernels.
template <class... Parameters, class... Arguments>
void launch_overlapping(const char* name, void (*kernel)(Parameters...), dim3 grid, dim3 threads,
                        const Arguments&... arguments) {
  if (!launches_overlap()) return launch_kernel(name, kernel, grid, threads, arguments...);
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t launch{};
  launch.gridDim = grid;
  launch.blockDim = threads;
  launch.stream = stream();
  launch.attrs = &overlap;
  launch.numAttrs = 1;
  check(cudaLaunchKernelEx(&launch, kernel, arguments...), name);
}

// A kernel takes it by value and does nothing if it is halted.
struct Guard {
  const int* flag;
  __device__ bool halted() const { return flag != nullptr && *flag != 0; }
};
inline Guard guard() {
  return {context().guard};
}

// The number of blocks per multiprocessor for which registers have to suffice: without it the end
// of a reduction, which needs many, would leave too few threads to keep the memory busy. sm_75
// holds 1024 threads per multiprocessor.
__host__ __device__ constexpr int blocks_with_registers([[maybe_unused]] int threads, int blocks) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
  return blocks < 1024 / threads ? blocks : 1024 / threads;
#else
  return blocks;
#endif
}

// How many blocks of a kernel the GPU holds at once: more would run as a second, short wave.
template <class... Arguments>
int blocks_at_once(void (*kernel)(Arguments...), int threads) {
  int of_multiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_multiprocessor, kernel, threads, 0),
        "asking for the blocks of a multiprocessor");
  return of_multiprocessor *
         attribute(cudaDevAttrMultiProcessorCount, "asking for the number of multiprocessors");
}

inline int blocks_for(long long n, int threads, int most) {
  const long long needed = (n + threads - 1) / threads;
  return static_cast<int>(needed < 1 ? 1 : needed > most ? most : needed);
}

}  // namespace hodge::linalg::cuda
