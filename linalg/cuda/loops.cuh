// Loops of the Cuda space: one thread per index, axis 0 along the threads of a warp.
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include "linalg/base/index.hpp"
#include "linalg/cuda/reduction.cuh"

namespace hodge::linalg {

enum class Reduction : int;
template <class Space>
struct Loops;

namespace cuda {

inline constexpr int loop_threads = 256;  // a block; warps lie along axis 0

template <int Dim>
__device__ Index<Dim> thread_index(const Box<Dim>& box) {
  Index<Dim> c = box.lower;
  c[0] += blockIdx.x * blockDim.x + threadIdx.x;
  if constexpr (Dim > 1) c[1] += blockIdx.y * blockDim.y + threadIdx.y;
  if constexpr (Dim > 2) c[2] += blockIdx.z * blockDim.z + threadIdx.z;
  return c;
}

// f(c) for the indices of a thread, also for those beyond the end of axis 0, so that all lanes of a
// warp call f together.
template <int Dim, class F>
__device__ void for_each_of_thread(const Box<Dim>& box, F f) {
  Index<Dim> c = thread_index(box);
  if constexpr (Dim == 1) {
    f(c);
  } else {
    // Axes 1 and 2 may be longer than a launch can be wide.
    const int first = c[1];
    for (; Dim < 3 || c[Dim - 1] < box.upper[Dim - 1]; c[Dim - 1] += gridDim.z * blockDim.z) {
      for (c[1] = first; c[1] < box.upper[1]; c[1] += gridDim.y * blockDim.y) f(c);
      if constexpr (Dim < 3) break;
    }
  }
}

template <int Dim, int Count, class F, int... Part>
__device__ void call_parts(const Box<Dim> (&boxes)[Count], const Index<Dim>& c, const F& f,
                           std::integer_sequence<int, Part...>) {
  ((boxes[Part].contains(c) ? f(std::integral_constant<int, Part>(), c) : void()), ...);
}

template <int Dim, int Count, class F>
struct EachPart {
  Box<Dim> boxes[Count];
  F f;
  __device__ void operator()(const Index<Dim>& c) const {
    call_parts(boxes, c, f, std::make_integer_sequence<int, Count>());
  }
};

template <int Dim, class F>
__global__ void for_each_kernel(Guard guard, Box<Dim> box, F f) {
  if (guard.halted()) return;
  for_each_of_thread(box, [&](const Index<Dim>& c) {
    if (c[0] < box.upper[0]) f(c);
  });
}

// The runs of a warp are gathered in shared memory and stored together. With an odd `Most` the
// lanes hit different banks.
template <int Most, int Dim, class T, class Start, class F>
__global__ void fill_runs_kernel(Box<Dim> box, T* values, Start start, F f) {
  __shared__ T gathered[loop_threads / 32][32 * Most];
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned lane = thread % 32, everyone = 0xffffffffu;
  T* const of_warp = gathered[thread / 32];
  for_each_of_thread(box, [&](const Index<Dim>& c) {
    const int position = c[0] < box.upper[0] ? start(c) : -1;
    const unsigned owners = __ballot_sync(everyone, position >= 0);
    if (owners == 0) return;
    const int first = __shfl_sync(everyone, position, __ffs(owners) - 1);
    const int count = position >= 0 ? f(c, of_warp + (position - first)) : 0;
    const int end = __shfl_sync(everyone, position + count, 31 - __clz(owners));
    if (values == nullptr) return;
    __syncwarp();
    for (int i = lane; i < end - first; i += 32) values[first + i] = of_warp[i];
    __syncwarp();
  });
}

// The index at a position of a box, axis 0 fastest, relative to its lower corner.
template <int Dim>
__device__ Index<Dim> index_at(const Box<Dim>& box, unsigned position) {
  Index<Dim> c;
#pragma unroll
  for (int d = 0; d < Dim; ++d) {
    const unsigned extent = static_cast<unsigned>(box.extent(d));
    c[d] = static_cast<int>(position % extent);
    position /= extent;
  }
  return c;
}

// Moves c forward by a number of positions; `step` is the index at that position.
template <int Dim>
__device__ void advance(const Box<Dim>& box, const Index<Dim>& step, Index<Dim>& c) {
#pragma unroll
  for (int d = 0; d < Dim; ++d) {
    c[d] += step[d];
    if (d == Dim - 1 || c[d] < box.upper[d]) continue;
    c[d] -= box.extent(d);
    ++c[d + 1];
  }
}

template <int K, int Dim, class F>
__global__ void reduce_kernel(Box<Dim> box, MaximumMask maxima, F f, ReductionScratch scratch,
                              double* result) {
  double total[K] = {};
  const long long n = box.size();
  const unsigned stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
  const Index<Dim> step = index_at(box, stride);
  Index<Dim> c = index_at(box, first);
#pragma unroll
  for (int d = 0; d < Dim; ++d) c[d] += box.lower[d];
  for (long long i = first; i < n; i += stride, advance(box, step, c)) {
    double value[K];
    f(c, value);
#pragma unroll
    for (int k = 0; k < K; ++k) total[k] = combine_values(total[k], value[k], (maxima >> k) & 1u);
  }
  reduce_grid<K>(total, maxima, scratch, [=](int k, double value) { result[k] = value; });
}

}  // namespace cuda

template <>
struct Loops<Cuda> {
  template <int Dim, class F>
  static void for_each(const Box<Dim>& box, F f) {
    launch(cuda::Guard{nullptr}, box, f);
  }

  template <int Dim, class F>
  static void for_each_guarded(const Box<Dim>& box, F f) {
    launch(cuda::guard(), box, f);
  }

  template <int Dim, int... Part, class F>
  static void for_each_of(const std::array<Box<Dim>, sizeof...(Part)>& boxes, const Box<Dim>& whole,
                          std::integer_sequence<int, Part...>, F f) {
    for_each(whole, cuda::EachPart<Dim, sizeof...(Part), F>{{boxes[Part]...}, f});
  }

  template <class F>
  static void for_each(int n, F f) {
    for_each(Box<1>{{{0}}, {{n}}}, [f] __device__(Index<1> c) mutable { f(c[0]); });
  }

  template <class F>
  static void for_each_guarded(int n, F f) {
    for_each_guarded(Box<1>{{{0}}, {{n}}}, [f] __device__(Index<1> c) mutable { f(c[0]); });
  }

  template <int Most, int Dim, class T, class Start, class F>
  static void fill_runs(const Box<Dim>& box, T* values, Start start, F f) {
    if (box.size() == 0) return;
    const Launch launch = launch_over(box, 32);
    cuda::launch_kernel("fill_runs_kernel", cuda::fill_runs_kernel<Most, Dim, T, Start, F>,
                        launch.grid, launch.threads, box, values, start, f);
  }

  template <int K, int Dim, class F>
  static void reduce(const Box<Dim>& box, const std::array<Reduction, K>& kinds, F f,
                     double* result) {
    cuda::MaximumMask maxima = 0;
    for (int k = 0; k < K; ++k) maxima |= (kinds[k] == Reduction{} ? 0u : 1u) << k;
    const int blocks = cuda::blocks_for(box.size(), cuda::reduction_threads, cuda::one_wave_blocks);
    cuda::launch_kernel("reduce_kernel", cuda::reduce_kernel<K, Dim, F>, blocks,
                        cuda::reduction_threads, box, maxima, f, cuda::reduction_scratch(), result);
  }

 private:
  struct Launch {
    dim3 grid, threads;
  };

  // Along axis 0 a block is as wide as the box, between `least` and 64 threads, so that in a narrow
  // box no threads are idle.
  template <int Dim>
  static Launch launch_over(const Box<Dim>& box, unsigned least) {
    constexpr int most = 65535;
    constexpr unsigned depth = Dim < 3 ? 1 : 2;
    unsigned width = Dim == 1 ? cuda::loop_threads : 64;
    while (width > least && width / 2 >= static_cast<unsigned>(box.extent(0))) width /= 2;
    const dim3 threads(width, Dim == 1 ? 1 : cuda::loop_threads / (width * depth), depth);
    const auto blocks = [&box](int d, unsigned count) {
      return static_cast<unsigned>(
          cuda::blocks_for(box.extent(d), static_cast<int>(count), d == 0 ? 1 << 30 : most));
    };
    return {dim3(blocks(0, threads.x), Dim > 1 ? blocks(Dim > 1 ? 1 : 0, threads.y) : 1,
                 Dim > 2 ? blocks(Dim > 2 ? 2 : 0, threads.z) : 1),
            threads};
  }

  template <int Dim, class F>
  static void launch(cuda::Guard guard, const Box<Dim>& box, F f) {
    if (box.size() == 0) return;
    const Launch launch = launch_over(box, 1);
    cuda::launch_kernel("for_each_kernel", cuda::for_each_kernel<Dim, F>, launch.grid,
                        launch.threads, guard, box, f);
  }
};

}  // namespace hodge::linalg
