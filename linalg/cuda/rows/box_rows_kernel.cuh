// The kernel that multiplies the rows of a separable system on a box (space/box_rows_view.hpp): one
// thread per row, as in diagonals_kernel.
#pragma once

#include <type_traits>

#include "linalg/cuda/rows/row_operations.cuh"

namespace hodge::linalg::cuda {

inline constexpr int box_rows_threads = 256;

template <class T>
__device__ double box_product(const BoxRowsView& box, const T* x, int row) {
  return box.product(x, row);
}
// Of rows that processes share. Where they are all cells in order (row_of_cell is null), only
// neighbours on other processes are looked up.
template <class T>
__device__ double box_product(const BoxRowsView& box, const WithGhosts<T>& x, int row) {
  if (box.row_of_cell != nullptr) return box.product(x, row);
  BoxRowsView cells = box;  // which are visited in place of rows
  cells.first_cell = 0;
  const double own = static_cast<double>(x.own[row]);
  double sum = 0.0;
  cells.for_each_face(row + box.first_cell, [&](double k, int cell) {
    const auto there = static_cast<unsigned>(cell - box.first_cell);
    double beyond = 0.0;
    if (there < static_cast<unsigned>(x.own_count))
      beyond = static_cast<double>(__ldg(x.own + there));
    else if (cell >= 0)
      beyond = static_cast<double>(x[__ldg(box.column_of_cell + cell)]);
    sum += k * (own - beyond);
  });
  return sum;
}

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
          operation.finish(row, box_product(box, operation.x, row), operands, totals);
        }
        operation.store(totals, scratch, chunk);
      });
  operation.reduce(scratch);
}

}  // namespace hodge::linalg::cuda
