// The v cycle over the small levels of a grid in one block (small_cycle.hpp): barriers of a block
// are cheaper than launches.
#pragma once

#include "linalg/cuda/kernels/loops.cuh"

namespace hodge::linalg::multigrid {

inline constexpr int block_cycle_threads = 1024;

template <class F>
__device__ void for_each_of_block(int n, F f) {
  for (int i = static_cast<int>(threadIdx.x); i < n; i += block_cycle_threads) f(i);
  __syncthreads();
}

template <int Dim>
__device__ Index<Dim> index_in(const LevelShape<Dim>& shape, int p) {
  return cuda::index_at(shape.box(), static_cast<unsigned>(p));
}

template <int Dim, class T, class Operation>
__device__ void rows_of_block(const StencilView<Dim, T>& a, const Operation& operation) {
  for_each_of_block(a.shape.cells(), [&](int p) {
    const Index<Dim> c = index_in(a.shape, p);
    T sum = T(0);
#pragma unroll
    for (int d = 0; d < Dim; ++d) {
      const AcrossAxis across = across_axis(a.shape, c, d);
      const int below = p + across.below, above = p + across.above;
      if (takes_below<Operation::part> && across.has_below)
        sum += a.lower(d, p, below) * operation.value(below);
      if (takes_above<Operation::part> && across.has_above)
        sum += a.upper(d, p, above) * operation.value(above);
    }
    operation.finish(p, operation.value(p), sum);
  });
}

// z = start + S r; a null start is 0.
template <int Dim, class T>
__device__ void smooth_in_block(const SmallLevel<Dim, T>& l, const SmallSmoothing<T>& by,
                                const T* r, const T* start) {
  using Read = Variables;
  const T* const inverse = l.a.inverse;
  switch (by.smoother) {
    case Smoother::ssor_sai:
      rows_of_block(l.a, LowerSweep<Read, T, T>{inverse, by.omega, r, l.s});
      return rows_of_block(l.a, UpperSweep<Read, T, T>{inverse, by.omega, l.s, start, l.z});
    case Smoother::jacobi:
      return for_each_of_block(l.a.shape.cells(), [&](int p) {
        l.z[p] = (start == nullptr ? T(0) : start[p]) + by.jacobi * inverse[p] * r[p];
      });
    case Smoother::chebyshev:
      return rows_of_block(
          l.a, SecondChebyshevStep<Read, T, T, T>{inverse, by.chebyshev, r, start, l.z});
  }
}

template <int Dim, class T>
__device__ void residual_in_block(const SmallLevel<Dim, T>& l) {
  rows_of_block(l.a, ResidualRow<Variables, T, T>{l.a.inverse, l.r, l.z, l.t});
}

// z = A^-1 r, one warp per row.
template <class T>
__device__ void solve_in_block(const DenseInverse<T>& dense, const T* r, T* z) {
  const int lane = static_cast<int>(threadIdx.x) % 32, n = dense.n;
  for (int i = static_cast<int>(threadIdx.x) / 32; i < n; i += block_cycle_threads / 32) {
    T sum = T(0);
    for (int j = lane; j < n; j += 32) sum += constant(&dense.at(i, j)) * r[j];
    for (int offset = 16; offset > 0; offset /= 2)
      sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0) z[i] = sum;
  }
  __syncthreads();
}

template <int Dim, class T>
__global__ void __launch_bounds__(block_cycle_threads)
    block_cycle_kernel(cuda::Guard guard, const SmallLevels<Dim, T> levels) {
  if (guard.halted()) return;
  const SmallSmoothing<T>& by = levels.smoothing;
  const int last = levels.count - 1;
  const auto smooth_again = [&](const SmallLevel<Dim, T>& l) {
    residual_in_block(l);
    smooth_in_block<Dim, T>(l, by, l.t, l.z);
  };
  for (int k = 0; k < last; ++k) {
    const SmallLevel<Dim, T>&l = levels.level[k], &coarse = levels.level[k + 1];
    smooth_in_block<Dim, T>(l, by, l.r, nullptr);
    for (int i = 1; i < by.count; ++i) smooth_again(l);
    residual_in_block(l);
    for_each_of_block(coarse.a.shape.cells(), [&](int P) {
      coarse.r[P] = restricted_by_axes<Dim, T>(l.to, l.t, index_in(l.to.coarse, P));
    });
  }
  solve_in_block<T>(levels.dense, levels.level[last].r, levels.level[last].z);
  for (int k = last - 1; k >= 0; --k) {
    const SmallLevel<Dim, T>&l = levels.level[k], &coarse = levels.level[k + 1];
    for_each_of_block(l.a.shape.cells(), [&](int p) {
      l.z[p] += interpolated<Dim, T>(l.to, coarse.z, index_in(l.to.fine, p));
    });
    for (int i = 0; i < by.count; ++i) smooth_again(l);
  }
}

template <>
struct SmallCycle<Cuda> {
  static constexpr int most_cells = 1024;
  template <int Dim, class T>
  static void run(const SmallLevels<Dim, T>& levels) {
    cuda::launch_kernel("block_cycle_kernel", block_cycle_kernel<Dim, T>, 1, block_cycle_threads,
                        cuda::guard(), levels);
  }
};

}  // namespace hodge::linalg::multigrid
