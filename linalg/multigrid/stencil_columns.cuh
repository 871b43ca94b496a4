// Rows of a stencil on a GPU (stencil_rows.hpp): a thread goes along the last axis and keeps the
// values that the next cell needs, so that only neighbours across this axis are loaded again.
#pragma once

#include <concepts>

#include "linalg/cuda/kernels/columns.cuh"

namespace hodge::linalg::multigrid {

// The couplings of the cells of a thread's column, of which it is at cell k along the last axis, as
// they are stored.
template <int Dim, class T>
struct StoredColumn {
  StencilView<Dim, T> a;
  bool symmetric;

  __device__ StoredColumn(const StencilView<Dim, T>& of, const Index<Dim>&)
      : a(of), symmetric(of.lowers[Dim - 1] == nullptr) {}
  __device__ void move_to(int) {}
  // Across the column: of cell p with its neighbour q.
  __device__ T upper_across(int d, int p, int q) const { return a.upper(d, p, q); }
  __device__ T lower_across(int d, int p, int q) const { return a.lower(d, p, q); }
  // Along the column: of cell p, which is k, with its neighbour q.
  __device__ T upper_along(int, int p, int q) const { return a.upper(Dim - 1, p, q); }
  __device__ T lower_along(int, int p, int q) const { return a.lower(Dim - 1, p, q); }
};
template <int Dim, class T>
__device__ StoredColumn<Dim, T> column_of(const StencilView<Dim, T>& a, const Index<Dim>& c) {
  return {a, c};
}

// The same by the arrays of a box: what does not change along the column is kept.
template <int Dim, class T>
struct BoxColumn {
  static constexpr bool symmetric = true;
  const T *weights, *couplings;  // along the column
  T uppers[Dim], lowers[Dim];    // without the weight along the column
  T along;                       // area of the faces along the column
  T weight;                      // at k

  __device__ BoxColumn(const BoxStencilView<Dim, T>& a, const Index<Dim>& c)
      : weights(a.weights[Dim - 1]), couplings(a.couplings[Dim - 1]), along(a.area(c, Dim - 1)) {
#pragma unroll
    for (int d = 0; d < Dim - 1; ++d) {
      const T area = a.area(c, d, Dim - 1);
      lowers[d] = constant(a.couplings[d] + c[d]) * area;
      uppers[d] = constant(a.couplings[d] + c[d] + 1) * area;
    }
    move_to(c[Dim - 1]);
  }
  __device__ void move_to(int k) {
    weight = constant(weights + k);
  }
  __device__ T upper_across(int d, int, int) const {
    return uppers[d] * weight;
  }
  __device__ T lower_across(int d, int, int) const {
    return lowers[d] * weight;
  }
  __device__ T upper_along(int k, int, int) const {
    return along * constant(couplings + k + 1);
  }
  __device__ T lower_along(int k, int, int) const {
    return along * constant(couplings + k);
  }
};
template <int Dim, class T>
__device__ BoxColumn<Dim, T> column_of(const BoxStencilView<Dim, T>& a, const Index<Dim>& c) {
  return {a, c};
}

// The part of a row across the column. For a missing neighbour the cell itself is loaded, so that
// no load waits for a branch.
template <int Dim, class T, class Column, class Operation>
__device__ T sum_across(const Column& column, const AcrossAxis (&across)[Dim], int p,
                        const Operation& operation) {
  constexpr Neighbours Part = Operation::part;
  T sum = T(0);
#pragma unroll
  for (int d = 0; d < Dim - 1; ++d) {
    const int below = p + across[d].below, above = p + across[d].above;
    if (takes_below<Part>) {
      const T term = column.lower_across(d, p, below) * operation.value(below);
      sum += across[d].has_below ? term : T(0);
    }
    if (takes_above<Part>) {
      const T term = column.upper_across(d, p, above) * operation.value(above);
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

template <int Dim, class T, class Column, class Operation>
__device__ ColumnState<T> start_column(const LevelShape<Dim>& shape, const Column& column,
                                       const Index<Dim>& c, int p, const Operation& operation) {
  constexpr int along = Dim - 1;
  ColumnState<T> state{T(0), operation.value(p), T(0)};
  if (takes_below<Operation::part> && shape.has_below(c, along)) {
    const int below = shape.below(c, along);
    state.under = operation.value(below);
    state.coupling_under = column.lower_along(c[along], p, below);
  }
  return state;
}

template <int Dim, class T, class View, class Operation>
__global__ void __launch_bounds__(cuda::loop_threads)
    stencil_columns_kernel(cuda::Guard guard, View a, Layers layers, int depth,
                           Operation operation) {
  constexpr Neighbours Part = Operation::part;
  constexpr int along = Dim - 1;
  Index<Dim> c;
  if (guard.halted() || !cuda::column_start(a.shape.extent, layers.begin, depth, c)) return;
  const int n = a.shape.extent[along], count = min(depth, layers.end - c[along]);
  const int layer = a.shape.layer();
  c[along] = turned(c[along], n);
  AcrossAxis across[Dim];
#pragma unroll
  for (int d = 0; d < along; ++d) across[d] = across_axis(a.shape, c, d);
  int p = a.shape.position(c);
  auto column = column_of(a, c);
  ColumnState<T> state = start_column<Dim, T>(a.shape, column, c, p, operation);
  int k = c[along];
  for (int done = 0; done < count; ++done) {
    const bool inside = k + 1 < n, has_above = inside || a.shape.periodic[along];
    const int above = inside ? p + layer : has_above ? p - layer * (n - 1) : p;
    column.move_to(k);
    const T over = operation.value(above), upper = column.upper_along(k, p, above);
    const T coupling_over = has_above ? upper : T(0);
    T sum = sum_across<Dim, T>(column, across, p, operation);
    if (takes_below<Part>) sum += state.coupling_under * state.under;
    if (takes_above<Part>) sum += coupling_over * over;
    operation.finish(p, state.own, sum);
    state.under = state.own;
    state.own = over;
    if (takes_below<Part>)
      state.coupling_under =
          column.symmetric ? coupling_over : column.lower_along(inside ? k + 1 : 0, above, p);
    p = above;
    k = inside ? k + 1 : 0;
  }
}

template <int Dim, class T, class View, class Operation>
void rows_of_columns(const View& a, const Layers& layers, const Operation& operation) {
  if (layers.empty()) return;
  const cuda::ColumnLaunch launch = cuda::column_launch(a.shape.extent, layers);
  cuda::launch_kernel("stencil_columns_kernel", stencil_columns_kernel<Dim, T, View, Operation>,
                      launch.grid, launch.threads, cuda::guard(), a, layers, launch.depth,
                      operation);
}
template <std::same_as<Cuda> Space, int Dim, class T, class Operation>
void for_each_row(const StencilView<Dim, T>& a, const Layers& layers, Operation operation) {
  rows_of_columns<Dim, T>(a, layers, operation);
}
template <std::same_as<Cuda> Space, int Dim, class T, class Operation>
void for_each_row(const BoxStencilView<Dim, T>& a, const Layers& layers, Operation operation) {
  rows_of_columns<Dim, T>(a, layers, operation);
}

}  // namespace hodge::linalg::multigrid
