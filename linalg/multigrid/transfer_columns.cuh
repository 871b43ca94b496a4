// Transfers between grids whose cells all have unknowns (transfer.hpp) on a GPU: a thread goes
// along the last axis and keeps the sums over layers that the next cell needs.
#pragma once

#include <concepts>

#include "linalg/cuda/kernels/columns.cuh"
#include "linalg/multigrid/halo.hpp"
#include "linalg/multigrid/transfer_cells.hpp"

namespace hodge::linalg::multigrid {

// The sums over two layers that the previous cell has computed.
template <class T>
struct KeptLayers {
  int first = -1, second = -1;
  T of_first = T(0), of_second = T(0);

  template <class Sum>
  __device__ T operator()(int layer, Sum sum) const {
    return layer == first ? of_first : layer == second ? of_second : sum(layer);
  }
};

template <int Dim, class T>
__global__ void __launch_bounds__(cuda::loop_threads)
    restrict_columns_kernel(cuda::Guard guard, Coarsening<Dim> to, Layers layers, int depth,
                            const T* d, T* r) {
  constexpr int along = Dim - 1;
  Index<Dim> C;
  if (guard.halted() || !cuda::column_start(to.coarse.extent, layers.begin, depth, C)) return;
  const int end = min(C[along] + depth, layers.end), layer = to.fine.layer();
  AxisGather<T> axis[Dim];
#pragma unroll
  for (int e = 0; e < along; ++e) axis[e] = axis_gather<T>(to, e, C[e]);
  const auto of_layer = [&](int i) { return gather_layer(to, axis, d + i * layer); };
  KeptLayers<T> kept;
  for (; C[along] < end; ++C[along]) {
    const AxisGather<T> by = axis_gather<T>(to, along, C[along]);
    T sum[4];
#pragma unroll
    for (int k = 0; k < 4; ++k)
      sum[k] = by.weight[k] == T(0) ? T(0) : k < 2 ? kept(by.at[k], of_layer) : of_layer(by.at[k]);
    r[to.coarse.position(C)] = by.weight[0] * sum[0] + by.weight[1] * sum[1] +
                               by.weight[2] * sum[2] + by.weight[3] * sum[3];
    kept = {by.weight[2] == T(0) ? -1 : by.at[2], by.weight[3] == T(0) ? -1 : by.at[3], sum[2],
            sum[3]};
  }
}

template <int Dim, class T>
__global__ void __launch_bounds__(cuda::loop_threads)
    prolong_columns_kernel(cuda::Guard guard, Coarsening<Dim> to, Layers layers, int depth,
                           const T* e, T* z) {
  constexpr int along = Dim - 1;
  Index<Dim> c;
  if (guard.halted() || !cuda::column_start(to.fine.extent, layers.begin, depth, c)) return;
  const int n = to.fine.extent[along], count = min(depth, layers.end - c[along]);
  const int layer = to.coarse.layer();
  c[along] = turned(c[along], n);
  AxisWeights<T> axis[Dim];
#pragma unroll
  for (int d = 0; d < along; ++d) axis[d] = axis_weights<T>(to, d, c[d]);
  const auto of_layer = [&](int I) { return interpolate_layer(to, axis, e + I * layer); };
  KeptLayers<T> kept;
  for (int done = 0; done < count; ++done, c[along] = c[along] + 1 < n ? c[along] + 1 : 0) {
    const AxisWeights<T> by = axis_weights<T>(to, along, c[along]);
    const T parent = kept(by.parent, of_layer);
    const T other = by.other == by.parent ? parent : kept(by.other, of_layer);
    z[to.fine.position(c)] += by.own * parent + by.across * other;
    kept = {by.parent, by.other, parent, other};
  }
}

template <std::same_as<Cuda> Space, int Dim, class T>
void restrict_without_holes(const Coarsening<Dim>& to, const Layers& layers, const T* d, T* r) {
  if (layers.empty()) return;
  const cuda::ColumnLaunch launch = cuda::column_launch(to.coarse.extent, layers);
  cuda::launch_kernel("restrict_columns_kernel", restrict_columns_kernel<Dim, T>, launch.grid,
                      launch.threads, cuda::guard(), to, layers, launch.depth, d, r);
}
template <std::same_as<Cuda> Space, int Dim, class T>
void prolong_without_holes(const Coarsening<Dim>& to, const Layers& layers, const T* e, T* z) {
  if (layers.empty()) return;
  const cuda::ColumnLaunch launch = cuda::column_launch(to.fine.extent, layers);
  cuda::launch_kernel("prolong_columns_kernel", prolong_columns_kernel<Dim, T>, launch.grid,
                      launch.threads, cuda::guard(), to, layers, launch.depth, e, z);
}

// A thread per cell: near holes the weights differ from cell to cell. These layers lie inside of
// the grid.
template <std::same_as<Cuda> Space, int Dim, class T>
void restrict_around_holes(const Coarsening<Dim>& to, const Holes<T>& holes, const Layers& layers,
                           const T* d, T* r) {
  for_each_guarded<Space>(to.coarse.box(layers), [=] HODGE_LAMBDA(const Index<Dim>& C) {
    const int P = to.coarse.position(C);
    r[P] =
        holes.near[P] == 0 ? restricted_by_axes(to, d, C) : restricted_near_holes(to, holes, d, C);
  });
}
template <std::same_as<Cuda> Space, int Dim, class T>
void prolong_around_holes(const Coarsening<Dim>& to, const Holes<T>& holes, const Layers& layers,
                          const T* e, T* z) {
  for_each_guarded<Space>(to.fine.box(layers), [=] HODGE_LAMBDA(const Index<Dim>& c) {
    Index<Dim> C = c;
    for (int k = 0; k < Dim; ++k) C[k] = axis_weights<T>(to, k, c[k]).parent;
    z[to.fine.position(c)] += holes.near[to.coarse.position(C)] == 0
                                  ? interpolated(to, e, c)
                                  : interpolated_near_holes(to, holes, e, c);
  });
}

}  // namespace hodge::linalg::multigrid
