// The vector that a product reads: an array, or own entries and the ghosts behind them, where
// processes share the rows (matrices/row_sharing.hpp). Kernels are templates over the two, so that
// one process alone pays nothing.
#pragma once

#include "linalg/space/sparse_primitives.hpp"

namespace hodge::linalg::cuda {

template <class T>
struct WithGhosts {
  const T* own;
  const T* ghosts;
  int own_count;

  __device__ T operator[](int column) const {
    return column < own_count ? __ldg(own + column) : __ldg(ghosts + (column - own_count));
  }
};

template <class T>
__device__ T entry_of(const T* x, int column) {
  return __ldg(x + column);
}
template <class T>
__device__ T entry_of(const WithGhosts<T>& x, int column) {
  return x[column];
}

// Entry `place` of the matrix, which stands at this distance from its row. Distances of ghosts are
// those of the whole system, and lead out of the own rows.
template <class T>
__device__ T entry_at_distance(const T* x, const CsrView<T>&, int row, int distance, int) {
  return __ldg(x + row + distance);
}
template <class T>
__device__ T entry_at_distance(const WithGhosts<T>& x, const CsrView<T>& a, int row, int distance,
                               int place) {
  const int column = row + distance;
  return column >= 0 && column < x.own_count ? __ldg(x.own + column) : x[__ldg(a.columns + place)];
}

}  // namespace hodge::linalg::cuda
