// Loops of the Cuda space: one thread an index, axis 0 along the threads of a warp.
#pragma once

#include <array>

#include "linalg/cuda/reduction.cuh"
#include "linalg/index.hpp"

namespace hodge::linalg {

enum class Reduction : int;
template <class Space>
struct Loops;

namespace cuda {

template <int Dim>
__device__ Index<Dim> thread_index(const Box<Dim>& box) {
  Index<Dim> c = box.lower;
  c[0] += blockIdx.x * blockDim.x + threadIdx.x;
  if constexpr (Dim > 1) c[1] += blockIdx.y * blockDim.y + threadIdx.y;
  if constexpr (Dim > 2) c[2] += blockIdx.z * blockDim.z + threadIdx.z;
  return c;
}

template <int Dim, class F>
__global__ void for_each_kernel(Guard guard, Box<Dim> box, F f) {
  if (guard.halted()) return;
  Index<Dim> c = thread_index(box);
  if constexpr (Dim == 1) {
    if (c[0] < box.upper[0]) f(c);
  } else {
    // Axes 1 and 2 may be longer than a launch can be wide.
    const int first = c[1];
    for (; Dim < 3 || c[Dim - 1] < box.upper[Dim - 1]; c[Dim - 1] += gridDim.z * blockDim.z) {
      for (c[1] = first; c[1] < box.upper[1]; c[1] += gridDim.y * blockDim.y) {
        if (c[0] < box.upper[0]) f(c);
      }
      if constexpr (Dim < 3) break;
    }
  }
}

template <int K, int Dim, class F>
__global__ void reduce_kernel(Box<Dim> box, MaximumMask maxima, F f, ReductionScratch scratch,
                              double* result) {
  double total[K] = {};
  const long long n = box.size();
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += stride) {
    Index<Dim> c = box.lower;
    unsigned rest = static_cast<unsigned>(i);
#pragma unroll
    for (int d = 0; d < Dim; ++d) {
      const unsigned extent = static_cast<unsigned>(box.extent(d));
      c[d] += static_cast<int>(rest % extent);
      rest /= extent;
    }
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

  template <class F>
  static void for_each(int n, F f) {
    for_each(Box<1>{{{0}}, {{n}}}, [f] __device__(Index<1> c) mutable { f(c[0]); });
  }

  template <class F>
  static void for_each_guarded(int n, F f) {
    for_each_guarded(Box<1>{{{0}}, {{n}}}, [f] __device__(Index<1> c) mutable { f(c[0]); });
  }

  template <int K, int Dim, class F>
  static void reduce(const Box<Dim>& box, const std::array<Reduction, K>& kinds, F f,
                     double* result) {
    cuda::MaximumMask maxima = 0;
    for (int k = 0; k < K; ++k) maxima |= (kinds[k] == Reduction{} ? 0u : 1u) << k;
    const int blocks = cuda::blocks_for(box.size(), cuda::reduction_threads, cuda::one_wave_blocks);
    cuda::reduce_kernel<K><<<blocks, cuda::reduction_threads, 0, cuda::stream()>>>(
        box, maxima, f, cuda::reduction_scratch(), result);
    cuda::check_launch("reduce_kernel");
  }

 private:
  template <int Dim, class F>
  static void launch(cuda::Guard guard, const Box<Dim>& box, F f) {
    if (box.size() == 0) return;
    constexpr int most = 65535;
    const dim3 threads = Dim == 1 ? dim3(256) : Dim == 2 ? dim3(64, 4) : dim3(64, 2, 2);
    const auto blocks = [&box](int d, unsigned width) {
      return static_cast<unsigned>(
          cuda::blocks_for(box.extent(d), static_cast<int>(width), d == 0 ? 1 << 30 : most));
    };
    const dim3 grid(blocks(0, threads.x), Dim > 1 ? blocks(Dim > 1 ? 1 : 0, threads.y) : 1,
                    Dim > 2 ? blocks(Dim > 2 ? 2 : 0, threads.z) : 1);
    cuda::for_each_kernel<<<grid, threads, 0, cuda::stream()>>>(guard, box, f);
    cuda::check_launch("for_each_kernel");
  }
};

}  // namespace hodge::linalg
