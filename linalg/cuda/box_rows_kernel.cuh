// The kernel that multiplies the rows of a separable system on a box (space/box_rows_view.hpp): one
// thread per row, as in diagonals_kernel.
#pragma once

#include <type_traits>

#include "linalg/cuda/row_operations.cuh"

namespace hodge::linalg::cuda {

inline constexpr int box_rows_threads = 256;

// A block takes adjacent rows. Without totals each thread takes one row; with totals several, so
// that few blocks have totals to add.
template <class T, class Operation>
__global__ void __launch_bounds__(box_rows_threads)
    box_rows_kernel(Guard guard, int rows, BoxRowsView box, Operation operation,
                    ReductionScratch scratch) {
  constexpr bool has_totals = !std::is_empty_v<typename Operation::Totals>;
  if (guard.halted()) return;
  const long long threads = static_cast<long long>(gridDim.x) * box_rows_threads;
  const long long of_thread = has_totals ? (rows + threads - 1) / threads : 1;
  const long long begin = static_cast<long long>(blockIdx.x) * box_rows_threads * of_thread;
  typename Operation::Totals totals;
  for (long long k = 0; k < of_thread; ++k) {
    const long long i = begin + k * box_rows_threads + threadIdx.x;
    if (i >= rows) break;
    const int row = static_cast<int>(i);
    const Operands operands = operation.operands(row);
    operation.finish(row, box.product(operation.x, row), operands, totals);
  }
  if constexpr (has_totals) operation.reduce(totals, scratch);
}

}  // namespace hodge::linalg::cuda
