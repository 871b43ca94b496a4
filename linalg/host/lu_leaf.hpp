// The narrowest panel of an LU factorisation on the Host, column by column on one thread.
#pragma once

#include <thrust/extrema.h>
#include <thrust/system/omp/execution_policy.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "linalg/host/rank_update.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg::host {

inline constexpr int lu_leaf_width = 8;

// The bits of |x|, which order as the values do. NaN is the largest, so that it becomes a pivot.
template <class T>
auto magnitude_key(T x) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  return std::bit_cast<Bits>(std::abs(x));
}

// The first row of the largest entry among column[first .. rows-1].
template <class T>
int find_pivot(const T* column, int first, int rows, PivotSearch search) {
  if (search == PivotSearch::thrust) {
    const auto smaller = [](T x, T y) { return magnitude_key(x) < magnitude_key(y); };
    return static_cast<int>(
        thrust::max_element(thrust::omp::par, column + first, column + rows, smaller) - column);
  }
  int pivot = first;
  auto best = magnitude_key(column[first]);
  for (int i = first + 1; i < rows; ++i) {
    const auto key = magnitude_key(column[i]);
    if (key > best) {
      best = key;
      pivot = i;
    }
  }
  return pivot;
}

// P A = L U of up to lu_leaf_width columns. pivots[c] is the row that row c was exchanged with,
// values[c] the pivot. A column that is zero from the diagonal down stays as it is.
template <class T>
void factor_leaf(const DenseView<T>& a, PivotSearch search, int* pivots, T* values) {
  for (int c = 0; c < a.cols; ++c) {
    T* const multiplier = &a(0, c);
    pivots[c] = find_pivot(multiplier, c, a.rows, search);
    for (int k = 0; k < a.cols; ++k) std::swap(a(c, k), a(pivots[c], k));
    const T pivot = multiplier[c];
    values[c] = pivot;
    if (pivot != T(0)) {
      for (int i = c + 1; i < a.rows; ++i) multiplier[i] /= pivot;
    }
    for (int k = c + 1; k < a.cols; ++k) {
      T* const column = &a(0, k);
      const T factor = column[c];
      for (int i = c + 1; i < a.rows; ++i) column[i] -= multiplier[i] * factor;
    }
  }
}

// C <- C - A B for a tall A: by our own kernel if A is as narrow as a leaf.
template <class T>
void update_below(const DenseView<const T>& a, const DenseView<const T>& b, const DenseView<T>& c) {
  constexpr int most = 32;
  if (a.cols != rank_update_depth || c.cols > most || c.rows == 0) {
    return Host::multiply_subtract(false, a, b, c);
  }
  T packed[rank_update_depth * most];
  for (int j = 0; j < c.cols; ++j) {
    for (int k = 0; k < rank_update_depth; ++k) packed[k + j * rank_update_depth] = b(k, j);
  }
  rank_update(c.rows, c.cols, a.data, a.stride, packed, c.data, c.stride);
}

}  // namespace hodge::linalg::host
