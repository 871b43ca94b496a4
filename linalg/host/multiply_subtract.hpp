// Products of dense blocks without a BLAS: C <- C - op(A) B.
#pragma once

#include <algorithm>
#include <vector>

#include "linalg/host/rank_update.hpp"
#include "linalg/space/dense_view.hpp"

namespace hodge::linalg::host {

inline constexpr int thin_strip = 512;  // rows of a thin product that a thread takes at a time
// A packed block of A has packed_rows x packed_depth entries (256 kB of doubles: the second cache).
inline constexpr int packed_rows = 128, packed_depth = 256;

// Entries (k, i) of op(A) in the order in which tiles read them, rows beyond the end as zeros.
template <class T>
void pack_left(bool transposed, const DenseView<const T>& a, int row, int rows, int k0, int depth,
               T* packed) {
  for (int i0 = 0; i0 < rows; i0 += tile_rows) {
    for (int k = 0; k < depth; ++k) {
      for (int i = 0; i < tile_rows; ++i) {
        const bool inside = i0 + i < rows;
        *packed++ = !inside ? T(0) : transposed ? a(k0 + k, row + i0 + i) : a(row + i0 + i, k0 + k);
      }
    }
  }
}

template <class T>
void pack_right(const DenseView<const T>& b, int k0, int depth, int col, int cols, T* packed) {
  for (int k = 0; k < depth; ++k) {
    for (int j = 0; j < tile_cols; ++j) *packed++ = j < cols ? b(k0 + k, col + j) : T(0);
  }
}

// The rows [row, row + rows) of C for k in [k0, k0 + depth).
template <class T>
void multiply_rows(bool transposed, const DenseView<const T>& a, const DenseView<const T>& b,
                   const DenseView<T>& c, int row, int k0, int depth) {
  thread_local std::vector<T> left(static_cast<std::size_t>(packed_rows) * packed_depth);
  thread_local std::vector<T> right(static_cast<std::size_t>(tile_cols) * packed_depth);
  const int rows = std::min(packed_rows, c.rows - row);
  pack_left(transposed, a, row, rows, k0, depth, left.data());
  for (int col = 0; col < c.cols; col += tile_cols) {
    const int cols = std::min(tile_cols, c.cols - col);
    pack_right(b, k0, depth, col, cols, right.data());
    for (int i0 = 0; i0 < rows; i0 += tile_rows) {
      T sum[tile_rows * tile_cols];
      multiply_tile(depth, left.data() + static_cast<std::ptrdiff_t>(i0) * depth, right.data(),
                    sum);
      const int count = std::min(tile_rows, rows - i0);
      for (int j = 0; j < cols; ++j) {
        for (int i = 0; i < count; ++i) c(row + i0 + i, col + j) -= sum[j * tile_rows + i];
      }
    }
  }
}

template <class T>
void subtract_column_products(const DenseView<const T>& a, const T* x, T* y, int first, int last) {
  for (int k = 0; k < a.cols; ++k) {
    const T factor = x[k];
    const T* const column = &a(0, k);
    for (int i = first; i < last; ++i) y[i] -= factor * column[i];
  }
}

// In four partial sums, so that the result does not depend on the number of threads.
template <class T>
T column_dot(const T* column, const T* x, int n) {
  T sum[4] = {};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    for (int s = 0; s < 4; ++s) sum[s] += column[i + s] * x[i + s];
  }
  for (; i < n; ++i) sum[0] += column[i] * x[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// For few columns of C: reads A once, on all threads, limited by memory.
template <class T>
void multiply_subtract_thin(bool transposed, const DenseView<const T>& a,
                            const DenseView<const T>& b, const DenseView<T>& c) {
  const long long work = static_cast<long long>(a.rows) * a.cols;
  [[maybe_unused]] const bool parallel = work > 500000;
  for (int j = 0; j < c.cols; ++j) {
    const T* const x = &b(0, j);
    T* const y = &c(0, j);
    if (transposed) {
#pragma omp parallel for schedule(static) if (parallel)
      for (int i = 0; i < c.rows; ++i) y[i] -= column_dot(&a(0, i), x, a.rows);
    } else {
#pragma omp parallel for schedule(static) if (parallel)
      for (int first = 0; first < c.rows; first += thin_strip) {
        subtract_column_products(a, x, y, first, std::min(first + thin_strip, c.rows));
      }
    }
  }
}

// For more columns: tiles of C stay in registers, and A and B are copied into the order of use.
// Runs on the calling thread; callers divide C into strips.
template <class T>
void multiply_subtract_blocked(bool transposed, const DenseView<const T>& a,
                               const DenseView<const T>& b, const DenseView<T>& c) {
  for (int k0 = 0; k0 < b.rows; k0 += packed_depth) {
    const int depth = std::min(packed_depth, b.rows - k0);
    for (int row = 0; row < c.rows; row += packed_rows) {
      multiply_rows(transposed, a, b, c, row, k0, depth);
    }
  }
}

}  // namespace hodge::linalg::host
