// Rows of a stencil on a GPU (stencil_rows.hpp): a thread goes along the last axis and keeps the
// values that the next cell needs, so that only neighbours across this axis are loaded again.
#pragma once

#include <concepts>

#include "linalg/cuda/columns.cuh"

namespace hodge::linalg::multigrid {

// The part of a row across the column. For a missing neighbour the cell itself is loaded, so that
// no load waits for a branch.
template <int Dim, class T, class Operation>
__device__ T sum_across(const StencilView<Dim, T>& a, const AcrossAxis (&across)[Dim], int p,
                        const Operation& operation) {
  constexpr Neighbours Part = Operation::part;
  T sum = T(0);
#pragma unroll
  for (int d = 0; d < Dim - 1; ++d) {
    const int below = p + across[d].below, above = p + across[d].above;
    if (takes_below<Part>) {
      const T term = a.lower(d, p, below) * operation.value(below);
      sum += across[d].has_below ? term : T(0);
    }
    if (takes_above<Part>) {
      const T term = a.upper(d, p, above) * operation.value(above);
      sum += across[d].has_above ? term : T(0);
    }
  }
  return sum;
}

// The values that a cell hands on to the next cell of its column.
template <class T>
struct ColumnState {
  T under, own, coupling_under;
};

template <int Dim, class T, class Operation>
__device__ ColumnState<T> start_column(const StencilView<Dim, T>& a, const Index<Dim>& c, int p,
                                       const Operation& operation) {
  constexpr int along = Dim - 1;
  ColumnState<T> state{T(0), operation.value(p), T(0)};
  if (takes_below<Operation::part> && a.shape.has_below(c, along)) {
    const int below = a.shape.below(c, along);
    state.under = operation.value(below);
    state.coupling_under = a.lower(along, p, below);
  }
  return state;
}

template <int Dim, class T, class Operation>
__global__ void __launch_bounds__(cuda::loop_threads)
    stencil_columns_kernel(cuda::Guard guard, StencilView<Dim, T> a, int depth,
                           Operation operation) {
  constexpr Neighbours Part = Operation::part;
  constexpr int along = Dim - 1;
  Index<Dim> c;
  if (guard.halted() || !cuda::column_start(a.shape.extent, depth, c)) return;
  const int n = a.shape.extent[along], end = min(c[along] + depth, n), layer = a.shape.layer();
  const bool symmetric = a.lowers[along] == nullptr;
  AcrossAxis across[Dim];
#pragma unroll
  for (int d = 0; d < along; ++d) across[d] = across_axis(a.shape, c, d);
  int p = a.shape.position(c);
  ColumnState<T> state = start_column(a, c, p, operation);
  for (int k = c[along]; k < end; ++k, p += layer) {
    const bool inside = k + 1 < n, has_above = inside || a.shape.periodic[along];
    const int above = inside ? p + layer : has_above ? p - layer * (n - 1) : p;
    const T over = operation.value(above), upper = a.upper(along, p, above);
    const T coupling_over = has_above ? upper : T(0);
    T sum = sum_across(a, across, p, operation);
    if (takes_below<Part>) sum += state.coupling_under * state.under;
    if (takes_above<Part>) sum += coupling_over * over;
    operation.finish(p, state.own, sum);
    state.under = state.own;
    state.own = over;
    if (takes_below<Part>)
      state.coupling_under = symmetric ? coupling_over : a.lower(along, above, p);
  }
}

template <std::same_as<Cuda> Space, int Dim, class T, class Operation>
void for_each_row(const StencilView<Dim, T>& a, Operation operation) {
  const cuda::ColumnLaunch launch = cuda::column_launch(a.shape.extent, a.shape.cells());
  cuda::launch_kernel("stencil_columns_kernel", stencil_columns_kernel<Dim, T, Operation>,
                      launch.grid, launch.threads, cuda::guard(), a, launch.depth, operation);
}

}  // namespace hodge::linalg::multigrid
