// Kernels on short blocks of rows over many columns: row exchanges, and triangular solves with a
// block of up to 64 rows. A warp works on a column, its lanes are the rows.
#pragma once

#include "linalg/cuda/device/runtime.hpp"
#include "linalg/space/dense_view.hpp"
#include "linalg/space/triangular_recursion.hpp"

namespace hodge::linalg::cuda {

inline constexpr int row_threads = 256;
inline constexpr int leaf_rows = 64;  // of the triangle that one kernel solves with

// Applies the permutation `e` to the rows of one column, except for the top rows: returns the new
// value of top row `lane`, which the caller writes.
template <class T>
__device__ T exchange_column(const RowExchange& e, T* column, int lane) {
  const bool inside = lane < e.count;
  const T top = inside ? column[e.source[lane]] : T(0);
  const int destination = inside ? e.destination[lane] : -1;
  const T leaving = destination >= 0 ? column[lane] : T(0);
  __syncwarp();  // every lane has read before a lane writes
  if (destination >= 0) column[destination] = leaving;
  return top;
}

// One warp per column.
inline int blocks_of_columns(int columns) {
  constexpr int most = 4096;
  return blocks_for(static_cast<long long>(columns) * 32, row_threads, most);
}

template <class T>
__global__ void __launch_bounds__(row_threads)
    finish_panel_kernel(RowExchange exchange, DenseView<const T> panel, DenseView<T> left,
                        DenseView<T> right) {
  __shared__ T lower[lu_panel_width][lu_panel_width];  // entry (i, k) at [k][i]
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = row_threads / 32;
  for (int e = threadIdx.x; e < lu_panel_width * lu_panel_width; e += row_threads) {
    const int k = e / lu_panel_width, i = e % lu_panel_width;
    lower[k][i] = k < i && i < exchange.count ? panel(i, k) : T(0);
  }
  __syncthreads();
  for (int j = blockIdx.x * warps + warp; j < left.cols + right.cols; j += gridDim.x * warps) {
    const bool is_right = j >= left.cols;
    T* const column = is_right ? &right(0, j - left.cols) : &left(0, j);
    T x = exchange_column(exchange, column, lane);
    if (is_right) {
#pragma unroll 8
      for (int k = 0; k < lu_panel_width; ++k) {
        x -= lower[k][lane] * __shfl_sync(0xffffffffu, x, k);
      }
    }
    if (lane < exchange.count) column[lane] = x;
  }
}

// Applies a panel to the columns beside it: exchanges the rows of `left` and `right`, and solves
// with the unit lower triangle of `panel` for the first exchange.count rows of `right`.
template <class T>
void finish_panel(const RowExchange& exchange, const DenseView<const T>& panel,
                  const DenseView<T>& left, const DenseView<T>& right) {
  if (left.cols + right.cols == 0) return;
  launch_kernel("finish_panel_kernel", finish_panel_kernel<T>,
                blocks_of_columns(left.cols + right.cols), row_threads, exchange, panel, left,
                right);
}

template <class T>
__global__ void __launch_bounds__(row_threads)
    exchange_rows_kernel(RowExchange exchanges, int width, DenseView<T> a) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = row_threads / 32;
  for (int j = blockIdx.x * warps + warp; j < a.cols; j += gridDim.x * warps) {
    for (int first = 0; first < exchanges.count; first += width) {
      const RowExchange e = exchanges.from(first, min(width, exchanges.count - first));
      T* const column = &a(first, j);
      const T top = exchange_column(e, column, lane);
      if (lane < e.count) column[lane] = top;
      __syncwarp();
    }
  }
}

// x / d where r = 1 / d, rounded (almost) as the quotient is.
template <class T>
__device__ T divide_with_reciprocal(T x, T d, T r) {
  const T q = x * r;
  return q + r * (x - d * q);
}

// B <- op(F)^-1 B for a triangle of up to 64 rows, two rows per lane. The reciprocals of the
// diagonal are computed beforehand, so that no row waits for a division.
template <class T>
__global__ void __launch_bounds__(row_threads)
    solve_leaf_kernel(TriangleShape shape, DenseView<const T> f, DenseView<T> b) {
  __shared__ T m[leaf_rows][leaf_rows + 1];  // entry (i, k) at [k][i]; zero outside the triangle
  const int n = f.rows, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  constexpr int warps = row_threads / 32;
  for (int e = threadIdx.x; e < leaf_rows * leaf_rows; e += row_threads) {
    const int row = e % leaf_rows, col = e / leaf_rows;  // in memory
    const int i = shape.transposed ? col : row, k = shape.transposed ? row : col;
    const bool inside = i < n && k < n && (shape.backward ? i < k : i > k);
    m[k][i] = inside ? f(row, col) : T(0);
  }
  T d[2], r[2];
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int i = lane + 32 * h;
    d[h] = shape.unit || i >= n ? T(1) : f(i, i);
    r[h] = T(1) / d[h];
  }
  __syncthreads();
  for (int j = blockIdx.x * warps + warp; j < b.cols; j += gridDim.x * warps) {
    T* const column = &b(0, j);
    T x[2] = {lane < n ? column[lane] : T(0), lane + 32 < n ? column[lane + 32] : T(0)};
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int h = shape.backward ? 1 - half : half;
#pragma unroll 8
      for (int step = 0; step < 32; ++step) {
        const int source = shape.backward ? 31 - step : step, k = 32 * h + source;
        const T mine = h == 0 ? x[0] : x[1];
        const T quotient = divide_with_reciprocal(mine, h == 0 ? d[0] : d[1], h == 0 ? r[0] : r[1]);
        const T solved = __shfl_sync(0xffffffffu, quotient, source);
        x[0] = lane == k ? solved : x[0] - m[k][lane] * solved;
        x[1] = lane + 32 == k ? solved : x[1] - m[k][lane + 32] * solved;
      }
    }
    if (lane < n) column[lane] = x[0];
    if (lane + 32 < n) column[lane + 32] = x[1];
  }
}

}  // namespace hodge::linalg::cuda
