// Kernels that sum the rows of a CSR matrix: Lanes threads per row (csr_scalar, csr_vector), and
// whole blocks for the pieces of long rows.
#pragma once

#include <type_traits>

#include "linalg/cuda/rows/row_operations.cuh"

namespace hodge::linalg::cuda {

inline constexpr int row_threads = 256;

// Entry k of a matrix in memory, as sum_of_products() reads it.
template <class T>
struct StoredEntries {
  const int* columns;
  const T* values;
  __device__ int column(unsigned k) const { return __ldg(columns + k); }
  __device__ double value(unsigned k) const { return static_cast<double>(__ldg(values + k)); }
};

// The sum of value(k) * x[column(k)] for k = first, first + Stride, ... < last, in this order.
// Batch entries of x are loaded before the first of them is used.
template <int Batch, int Stride, class Entries, class X>
__device__ double sum_of_products(const Entries& entries, const X& x, unsigned first,
                                  unsigned last) {
  using T = decltype(entry_of(x, 0));
  double sum = 0.0;
  for (unsigned k = first; k < last; k += Batch * Stride) {
    T right[Batch];
    double left[Batch];
#pragma unroll
    for (int j = 0; j < Batch; ++j) {
      const unsigned e = k + j * Stride;  // may pass 2^31, where an int would overflow
      left[j] = e < last ? entries.value(e) : 0.0;
      right[j] = e < last ? entry_of(x, entries.column(e)) : T(0);
    }
#pragma unroll
    for (int j = 0; j < Batch; ++j) sum += left[j] * static_cast<double>(right[j]);
  }
  return sum;
}

template <int Lanes, class T, class Operation>
__global__ void __launch_bounds__(row_threads, blocks_for_totals<Operation>(row_threads))
    lanes_kernel(Guard guard, CsrView<T> a, Operation operation, RowChunks chunks,
                 ReductionScratch scratch) {
  if (guard.halted()) return;
  constexpr bool has_totals = !std::is_empty_v<typename Operation::Totals>;
  constexpr int batch = Lanes > 1 ? 2 : has_totals ? 8 : 4;  // fastest on an H200
  for_each_rows_of_block<row_threads / Lanes, has_totals>(
      a.rows, chunks, [&](int begin, int end, int chunk) {
        const StoredEntries<T> entries{a.columns, a.values};
        typename Operation::Totals totals;
        const int lane = static_cast<int>(threadIdx.x % Lanes);
        for (long long first = begin; first < end; first += row_threads / Lanes) {
          const long long i = first + threadIdx.x / Lanes;
          const int row = static_cast<int>(i);
          RowRange range{0, 0};
          bool mine = i < end;  // all lanes of a warp take part in the shuffles
          if (mine) {
            range = a.row(row);
            mine = range.size() <= a.long_rows.length;
            range = mine ? operation.range(a, row, range) : RowRange{0, 0};
          }
          double sum =
              sum_of_products<batch, Lanes>(entries, operation.x, range.first + lane, range.last);
#pragma unroll
          for (int offset = Lanes / 2; offset > 0; offset /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, offset);
          if (mine && lane == 0) operation.finish(row, sum, operation.operands(row), totals);
        }
        operation.store(totals, scratch, chunk);
      });
  operation.reduce(scratch);
}

// Runs after the kernel that leaves the long rows out. Block p sums piece p, and the block that
// ends last adds the pieces of each row in ascending order, one thread per row.
template <class T, class Operation>
__global__ void __launch_bounds__(row_threads)
    long_rows_kernel(Guard guard, CsrView<T> a, Operation operation, ReductionScratch scratch) {
  if (guard.halted()) return;
  const LongRowsView& l = a.long_rows;
  const int piece = blockIdx.x, j = l.owner[piece], row = l.rows[j];
  const RowRange whole = a.row(row), range = operation.range(a, row, whole);
  const int begin = whole.first + (piece - l.first_piece[j]) * l.piece_length;
  const int first = max(begin, range.first);
  const int last = min(begin + min(l.piece_length, whole.last - begin), range.last);
  double sum[1] = {sum_of_products<8, row_threads>(StoredEntries<T>{a.columns, a.values},
                                                   operation.x, first + threadIdx.x, last)};
  reduce_block<1>(sum, 0u);
  if (threadIdx.x == 0) scratch.partial[piece] = sum[0];
  if (!is_last_of(scratch.ticket, gridDim.x)) return;
  typename Operation::Totals totals;
  for (int i = threadIdx.x; i < l.count; i += blockDim.x) {
    double total = 0.0;
    for (int p = l.first_piece[i]; p < l.first_piece[i + 1]; ++p)
      total += __ldcg(&scratch.partial[p]);
    operation.finish(l.rows[i], total, operation.operands(l.rows[i]), totals);
  }
  operation.add_to_results(totals);
}

}  // namespace hodge::linalg::cuda
