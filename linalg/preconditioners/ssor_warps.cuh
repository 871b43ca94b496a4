// The truncated SSOR inverse by one warp a row, with the row in shared memory, as J.-Q. Gao & Z.-C.
// Wang compute it. The same sums in the same order as by one thread a row. Cuda, for SsorProduct.
#pragma once

#include "linalg/cuda/device/runtime.hpp"
#include "linalg/preconditioners/ssor_second_order.hpp"

namespace hodge::linalg::sai {

inline constexpr int warps_of_block = 4;
inline constexpr int shared_row = 512;  // entries; a longer row stays in global memory

// The row of a warp: `columns` and `values` in shared memory, if it fits.
template <class T>
struct SharedRows {
  int columns[warps_of_block][shared_row];
  T values[warps_of_block][shared_row];
};

// A row of P that the lanes of a warp add to, each at columns of its own.
template <class T>
struct RowOfWarp {
  const int* columns;
  T* sums;
  int length;

  __device__ int find(int j) const {
    const int q = lower_bound(columns, 0, length, j);
    return q < length && columns[q] == j ? q : -1;
  }
  __device__ void add(int position, T value) { sums[position] += value; }
  __device__ void wait() const { __syncwarp(); }
};

template <class T>
__global__ void first_order_by_warps_kernel(CsrView<T> a, T factor, const T* d, CsrView<T> p,
                                            T* values) {
  __shared__ SharedRows<T> shared;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int i = blockIdx.x * warps_of_block + warp;
  if (i >= p.rows) return;
  const int first = p.row_offsets[i], length = p.row_offsets[i + 1] - first;
  const bool fits = length <= shared_row;
  for (int q = lane; q < length && fits; q += 32) shared.columns[warp][q] = p.columns[first + q];
  RowOfWarp<T> row{fits ? shared.columns[warp] : p.columns + first,
                   fits ? shared.values[warp] : values + first, length};
  for (int q = lane; q < length; q += 32) row.sums[q] = T(0);
  row.wait();
  sum_first_order(a, factor, d, i, row, lane, 32);
  for (int q = lane; q < length && fits; q += 32) values[first + q] = row.sums[q];
}

// A lane for each entry of the row of P; the row of V, which all of them need, is shared.
template <class T>
__global__ void product_by_warps_kernel(CsrView<T> p, double factor, FactorView<T> v,
                                        FactorView<T> w, const T* d, T* values) {
  __shared__ SharedRows<T> shared;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int i = blockIdx.x * warps_of_block + warp;
  if (i >= p.rows) return;
  FactorRow<T> row = v.row(i);
  if (row.length <= shared_row) {
    for (int q = lane; q < row.length; q += 32) {
      shared.columns[warp][q] = row.columns[q];
      shared.values[warp][q] = row.values[q];
    }
    __syncwarp();
    row = {shared.columns[warp], shared.values[warp], row.length};
  }
  for (int k = p.row_offsets[i] + lane; k < p.row_offsets[i + 1]; k += 32)
    values[k] = static_cast<T>(factor * inner_product(row, w.row(p.columns[k]), d));
}

template <class T>
void fill_first_order_by_warps(const CsrView<T>& a, double factor, const T* d, const CsrView<T>& p,
                               T* values) {
  if (p.rows == 0) return;
  cuda::launch_kernel("first_order_by_warps_kernel", first_order_by_warps_kernel<T>,
                      (p.rows + warps_of_block - 1) / warps_of_block, 32 * warps_of_block, a,
                      static_cast<T>(factor), d, p, values);
}

template <class T>
void fill_product_by_warps(const CsrView<T>& p, double factor, FactorView<T> v, FactorView<T> w,
                           const T* d, T* values) {
  if (p.rows == 0) return;
  cuda::launch_kernel("product_by_warps_kernel", product_by_warps_kernel<T>,
                      (p.rows + warps_of_block - 1) / warps_of_block, 32 * warps_of_block, p,
                      factor, v, w, d, values);
}

}  // namespace hodge::linalg::sai
