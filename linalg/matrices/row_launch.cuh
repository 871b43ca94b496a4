// Launches of the kernels that sum the rows of a matrix, for products (spmv_cuda.cu) and for those
// of rows that processes share (shared_spmv_cuda.cu).
#pragma once

#include <climits>
#include <type_traits>

#include "linalg/base/choose.hpp"
#include "linalg/cuda/kernels/queue.hpp"
#include "linalg/cuda/rows/box_rows_kernel.cuh"
#include "linalg/cuda/rows/diagonal_kernels.cuh"
#include "linalg/cuda/rows/row_kernels.cuh"
#include "linalg/matrices/spmv.hpp"

namespace hodge::linalg::cuda {

template <class Operation>
constexpr bool has_dots = !std::is_empty_v<typename Operation::Totals>;

// The rows that a block takes, and where it keeps their totals. Without dot products a block takes
// any rows.
struct RowLaunch {
  RowChunks chunks;
  ReductionScratch scratch{};

  // Of a kernel whose blocks take `of_block` rows each, with dot products `most` blocks at most.
  template <class Operation>
  int blocks(int rows, int of_block, int most = INT_MAX) const {
    return has_dots<Operation> ? blocks_for_chunks(chunks.count, most)
                               : blocks_for(rows, of_block, INT_MAX);
  }
};

template <class T, class Operation>
void launch_lanes(const CsrView<T>& a, const Operation& operation, const RowLaunch& rows) {
  const double mean = a.plan.mean > 0 ? a.plan.mean
                      : a.rows > 0    ? static_cast<double>(a.nonzeros) / a.rows
                                      : 0.0;
  int lanes = a.plan.lanes > 0 ? a.plan.lanes : lanes_for<Cuda>(mean);
  // With dots the grid is one wave: then two lanes read rows of 7 entries faster than one (H200,
  // 256^3: 94 against 74 % of the copy bandwidth), but not rows of 5.
  if (has_dots<Operation> && lanes == 1 && mean > 6.0) lanes = 2;
  with_constant<2, 4, 8, 16, 32, 1>(lanes, [&](auto count) {
    const auto kernel = lanes_kernel<count.value, T, Operation>;
    static const int most = blocks_at_once(kernel, row_threads);
    launch_kernel("lanes_kernel", kernel,
                  rows.blocks<Operation>(a.rows, row_threads / count.value, most), row_threads,
                  guard(), a, operation, rows.chunks, rows.scratch);
  });
}

template <class T, class Operation>
void launch_diagonals(const CsrView<T>& a, const Operation& operation, const RowLaunch& rows) {
  const int blocks = rows.blocks<Operation>(a.rows, diagonal_threads);
  constexpr int most = DiagonalsView::most;
  with_constant<8, most>(a.diagonals.count <= 8 ? 8 : most, [&](auto count) {
    launch_kernel("diagonals_kernel", diagonals_kernel<count.value, T, Operation>, blocks,
                  diagonal_threads, guard(), a, operation, rows.chunks, rows.scratch);
  });
}

template <class T, class Operation>
void launch_box(const CsrView<T>& a, const Operation& operation, const RowLaunch& rows) {
  launch_kernel("box_rows_kernel", box_rows_kernel<T, Operation>,
                rows.blocks<Operation>(a.rows, box_rows_threads), box_rows_threads, guard(), a.rows,
                a.box, operation, rows.chunks, rows.scratch);
}

// launch(operation, rows) with the chunks of the rows, and then what processes that share them have
// to do together.
template <class Operation, class Launch>
void launch_with_totals(const SummedRows& rows, const Operation& operation, Launch launch) {
  constexpr int count = Operation::count;
  const ReductionScratch scratch = reduction_scratch(count, rows.chunks.count, rows.processes);
  launch(operation, RowLaunch{rows.chunks, scratch});
  finish_over_processes<count>(rows.processes, 0u, scratch, operation.results);
}

// Rows that processes share: fetches the ghosts, and sums the rows with them.
template <class T>
void launch_shared_product(const CsrView<T>& a, double alpha, const T* x, double beta, const T* b,
                           T* y);
template <class T>
void launch_shared_product_and_dots(const QueuedProduct<T>& product, const SummedRows& rows,
                                    const ProductResults& results);
template <class T>
void launch_shared_sweep(const CsrView<T>& a, const Sweep<T>& sweep);

}  // namespace hodge::linalg::cuda
