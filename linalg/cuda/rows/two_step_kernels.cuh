// csr_two_step: writes all products values[k] * x[columns[k]] to memory, then adds them by rows.
//
// Y.-Q. Liu, K.-X. Yin & E.-H. Wu, J. Computer-Aided Design & Computer Graphics (2011). A block of
// 128 threads takes 128 rows. It loads their products, coalesced, into a buffer of `staging`
// entries in shared memory, and each thread adds those of its own row that are in the buffer. Moves
// 16 bytes per non-zero more than the other kernels.
#pragma once

#include "linalg/cuda/rows/row_operations.cuh"

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

// The rows start .. stop-1, at most staged_rows.
template <class T, class Operation>
__device__ void sum_staged_rows(const CsrView<T>& a, const Operation& operation, long long start,
                                long long stop, typename Operation::Totals& totals) {
  extern __shared__ double staged[];
  const long long i = start + threadIdx.x;
  const int row = static_cast<int>(i), end = a.row_offsets[stop];
  RowRange range = i < stop ? a.row(row) : RowRange{end, end};
  const bool too_long = range.size() > a.long_rows.length;
  const bool mine = i < stop && !too_long;
  if (too_long) range = {range.last, range.last};
  // With a long row among the 128, the buffer skips its products.
  const bool jumps = __syncthreads_or(too_long) != 0;
  double sum = 0.0;
  for (long long begin = a.row_offsets[start]; begin < end; begin += a.plan.staging) {
    if (jumps) begin = smallest(range.first < range.last ? range.first : end);
    const int count = min(a.plan.staging, static_cast<int>(end - begin));
    for (int j = threadIdx.x; j < count; j += staged_rows) staged[j] = a.products[begin + j];
    __syncthreads();
    for (; range.first < min(static_cast<long long>(range.last), begin + count); ++range.first)
      sum += staged[range.first - begin];
    __syncthreads();
  }
  if (mine) operation.finish(row, sum, operation.operands(row), totals);
}

template <class T, class Operation>
__global__ void __launch_bounds__(staged_rows)
    row_sums_kernel(Guard guard, CsrView<T> a, Operation operation, RowChunks chunks,
                    ReductionScratch scratch) {
  if (guard.halted()) return;
  constexpr bool has_totals = !std::is_empty_v<typename Operation::Totals>;
  for_each_rows_of_block<staged_rows, has_totals>(
      a.rows, chunks, [&](int begin, int end, int chunk) {
        typename Operation::Totals totals;
        for (long long start = begin; start < end; start += staged_rows)
          sum_staged_rows(a, operation, start,
                          min(start + staged_rows, static_cast<long long>(end)), totals);
        operation.store(totals, scratch, chunk);
      });
  operation.reduce(scratch);
}

}  // namespace hodge::linalg::cuda
