// The kernel that sums the rows of a CSR matrix whose entries lie on few diagonals (csr_diagonals):
// one thread per row, columns from a mask (matrices/diagonals.hpp). The loads of a row wait only
// for its offset and mask. If a thread takes several rows, it loads the offset and mask of the next
// row before it sums the present one.
#pragma once

#include <type_traits>

#include "linalg/cuda/rows/row_operations.cuh"

namespace hodge::linalg::cuda {

inline constexpr int diagonal_threads = 256;

// The sum of value * x over the entries whose bits are in `wanted`, by ascending column. The
// entries of the row start at position `first` and lie on the diagonals of `mask`.
template <int Diagonals, class T, class X>
__device__ double sum_of_diagonals(const CsrView<T>& a, const X& x, int row, int first,
                                   unsigned mask, unsigned wanted) {
  constexpr int batch = 8;
  double sum = 0.0;
  const unsigned bits = mask & wanted;
#pragma unroll
  for (int start = 0; start < Diagonals; start += batch) {
    double left[batch];
    T right[batch];
#pragma unroll
    for (int j = 0; j < batch; ++j) {
      const int d = start + j;
      const bool on = d < Diagonals && (bits >> d & 1u) != 0;
      const int k = first + __popc(mask & ((1u << d) - 1u));
      left[j] = on ? static_cast<double>(__ldg(a.values + k)) : 0.0;
      const int distance = a.diagonals.offset[d < Diagonals ? d : 0];
      right[j] = on ? entry_at_distance(x, a, row, distance, k) : T(0);
    }
#pragma unroll
    for (int j = 0; j < batch; ++j) sum += left[j] * static_cast<double>(right[j]);
  }
  return sum;
}

// The same over a column of the matrix, by ascending row, which is a row of the transpose: the
// entries whose bits are in `wanted`. They stand apart, so each needs the offset and the mask of
// its row.
template <int Diagonals, class T>
__device__ double sum_of_column(const CsrView<T>& a, const T* x, int column, unsigned wanted) {
  constexpr int batch = 8;
  double sum = 0.0;
#pragma unroll
  for (int start = 0; start < Diagonals; start += batch) {
    int row[batch], first[batch];
    unsigned mask[batch];
#pragma unroll
    for (int j = 0; j < batch; ++j) {
      const int d = Diagonals - 1 - (start + j);  // an entry further right stands further up
      row[j] = column - a.diagonals.offset[d];
      const bool on =
          d < a.diagonals.count && (wanted >> d & 1u) != 0 && row[j] >= 0 && row[j] < a.rows;
      mask[j] = on ? __ldg(a.diagonals.mask + row[j]) : 0u;
      first[j] = on ? __ldg(a.row_offsets + row[j]) : 0;
    }
    double left[batch];
    T right[batch];
#pragma unroll
    for (int j = 0; j < batch; ++j) {
      const int d = Diagonals - 1 - (start + j);
      const bool on = (mask[j] >> d & 1u) != 0;
      const int k = first[j] + __popc(mask[j] & ((1u << d) - 1u));
      left[j] = on ? static_cast<double>(__ldg(a.values + k)) : 0.0;
      right[j] = on ? __ldg(x + row[j]) : T(0);
    }
#pragma unroll
    for (int j = 0; j < batch; ++j) sum += left[j] * static_cast<double>(right[j]);
  }
  return sum;
}

// Blocks per multiprocessor for which registers have to suffice; 0: the compiler chooses.
template <int Diagonals, class Operation>
constexpr int diagonal_blocks() {
  using Totals = typename Operation::Totals;
  if (std::is_empty_v<Totals>) return 0;
  const bool many = Diagonals > 8 || sizeof(Totals) > 3 * sizeof(double) || requires {
    &Operation::y_transposed;
  };
  return blocks_with_registers(diagonal_threads, many ? 4 : 6);
}

// A block takes adjacent rows, so that blocks that run together read the same part of x. Without
// totals each thread takes one row; with totals several, those of a chunk, so that there are few
// totals to add. The launch has a block for each chunk.
template <int Diagonals, class T, class Operation>
__global__ void __launch_bounds__(diagonal_threads, diagonal_blocks<Diagonals, Operation>())
    diagonals_kernel(Guard guard, CsrView<T> a, Operation operation, RowChunks chunks,
                     ReductionScratch scratch) {
  constexpr bool has_totals = !std::is_empty_v<typename Operation::Totals>;
  const bool halted = guard.halted();
  const unsigned wanted = operation.bits(a.diagonals);
  const int chunk = static_cast<int>(blockIdx.x);
  const bool has_chunk = !has_totals || chunk < chunks.count;
  const long long begin =
      has_totals && has_chunk ? chunks.begin(chunk) : 1LL * blockIdx.x * diagonal_threads;
  const long long end = !has_chunk ? 0
                        : has_totals
                            ? chunks.end(chunk)
                            : min(static_cast<long long>(a.rows), begin + diagonal_threads);
  long long i = begin + threadIdx.x;
  int first = i < end ? a.row_offsets[i] : 0;
  unsigned mask = i < end ? a.diagonals.mask[i] : 0u;
  if (halted) return;
  typename Operation::Totals totals;
  while (i < end) {
    const long long next = i + diagonal_threads;
    const bool goes_on = has_totals && next < end;
    const int next_first = goes_on ? a.row_offsets[next] : 0;
    const unsigned next_mask = goes_on ? a.diagonals.mask[next] : 0u;
    const int row = static_cast<int>(i);
    const Operands operands = operation.operands(row);
    const double sum = sum_of_diagonals<Diagonals>(a, operation.x, row, first, mask, wanted);
    operation.finish(row, sum, operands, totals);
    if constexpr (requires { operation.y_transposed; })
      operation.y_transposed[row] =
          static_cast<T>(sum_of_column<Diagonals>(a, operation.w, row, ~0u));
    if (!has_totals) return;
    i = next;
    first = next_first;
    mask = next_mask;
  }
  if (has_chunk) operation.store(totals, scratch, chunk);
  operation.reduce(scratch);
}

// Threads of a block (H200, 64^3 / 128^3 / 256^3, times the product with a stored transpose: 256
// take 1.36 / 1.41 / 1.52, 512 1.38 / 1.39 / 1.46, 1024 1.45 / 1.53 / 1.51).
inline constexpr int transposed_threads = 512;

// One thread per column.
template <int Diagonals, class T, class Operation>
__global__ void __launch_bounds__(transposed_threads)
    transposed_diagonals_kernel(Guard guard, CsrView<T> a, Operation operation) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (guard.halted() || i >= a.rows) return;
  const int column = static_cast<int>(i);
  const Operands operands = operation.operands(column);
  const double sum = sum_of_column<Diagonals>(a, operation.x, column, operation.bits(a.diagonals));
  typename Operation::Totals totals;
  operation.finish(column, sum, operands, totals);
}

}  // namespace hodge::linalg::cuda
