// csr_two_step: writes all products values[k] * x[columns[k]] to memory, then adds them by rows.
//
// Y.-Q. Liu, K.-X. Yin & E.-H. Wu, J. Computer-Aided Design & Computer Graphics (2011). A block of
// 128 threads takes 128 rows. It loads their products, coalesced, into a buffer of `staging`
// entries in shared memory, and each thread adds those of its own row that are in the buffer. Moves
// 16 bytes per non-zero more than the other kernels.
#pragma once

#include "linalg/cuda/row_operations.cuh"

namespace hodge::linalg::cuda {

inline constexpr int staged_rows = 128;

template <class T>
__global__ void products_kernel(Guard guard, CsrView<T> a, const T* x) {
  if (guard.halted()) return;
  grid_stride(a.nonzeros, [&](int k) {
    a.products[k] = static_cast<double>(a.values[k]) * static_cast<double>(__ldg(x + a.columns[k]));
  });
}

// The smallest `mine` of the block's threads.
__device__ inline int smallest(int mine) {
  __shared__ int least;
  if (threadIdx.x == 0) least = INT_MAX;
  __syncthreads();
  atomicMin(&least, mine);
  __syncthreads();
  const int result = least;
  __syncthreads();
  return result;
}

template <class T, class Operation>
__global__ void __launch_bounds__(staged_rows)
    row_sums_kernel(Guard guard, CsrView<T> a, Operation operation, ReductionScratch scratch) {
  if (guard.halted()) return;
  extern __shared__ double staged[];
  typename Operation::Totals totals;
  for (long long start = static_cast<long long>(blockIdx.x) * staged_rows; start < a.rows;
       start += static_cast<long long>(gridDim.x) * staged_rows) {
    const int row = static_cast<int>(start) + threadIdx.x;
    const int end = a.row_offsets[min(start + staged_rows, static_cast<long long>(a.rows))];
    RowRange range = row < a.rows ? a.row(row) : RowRange{end, end};
    const bool too_long = range.size() > a.long_rows.length;
    const bool mine = row < a.rows && !too_long;
    if (too_long) range = {range.last, range.last};
    // With a long row among the 128, the buffer skips its products.
    const bool jumps = __syncthreads_or(too_long) != 0;
    double sum = 0.0;
    for (long long begin = a.row_offsets[start]; begin < end; begin += a.plan.staging) {
      if (jumps) begin = smallest(range.first < range.last ? range.first : end);
      const int count = min(a.plan.staging, static_cast<int>(end - begin));
      for (int i = threadIdx.x; i < count; i += staged_rows) staged[i] = a.products[begin + i];
      __syncthreads();
      for (; range.first < min(static_cast<long long>(range.last), begin + count); ++range.first)
        sum += staged[range.first - begin];
      __syncthreads();
    }
    if (mine) operation.finish(row, sum, operation.operands(row), totals);
  }
  operation.reduce(totals, scratch);
}

}  // namespace hodge::linalg::cuda
