// The kernel that multiplies the rows of a separable system on a box (space/box_rows_view.hpp): one
// thread per row, as in diagonals_kernel.
#pragma once

#include <type_traits>

#include "linalg/cuda/row_operations.cuh"

namespace hodge::linalg::cuda {

inline constexpr int box_rows_threads = 256;

// A block takes adjacent rows. Without totals each thread takes one row; with totals several, those
// of a chunk, so that there are few totals to add.
template <class T, class Operation>
__global__ void __launch_bounds__(box_rows_threads, blocks_for_totals<Operation>(box_rows_threads))
    box_rows_kernel(Guard guard, int rows, BoxRowsView box, Operation operation, RowChunks chunks,
                    ReductionScratch scratch) {
  constexpr bool has_totals = !std::is_empty_v<typename Operation::Totals>;
  if (guard.halted()) return;
  for_each_rows_of_block<box_rows_threads, has_totals>(
      rows, chunks, [&](int begin, int end, int chunk) {
        typename Operation::Totals totals;
        for (long long i = static_cast<long long>(begin) + threadIdx.x; i < end;
             i += box_rows_threads) {
          const int row = static_cast<int>(i);
          const Operands operands = operation.operands(row);
          operation.finish(row, box.product(operation.x, row), operands, totals);
        }
        operation.store(totals, scratch, chunk);
      });
  operation.reduce(scratch);
}

}  // namespace hodge::linalg::cuda
