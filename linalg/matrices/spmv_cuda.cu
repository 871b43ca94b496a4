// Cuda space: products with a sparse matrix and sweeps over its triangles, by the kernel that the
// matrix's plan names.
#include <climits>

#include "linalg/base/choose.hpp"
#include "linalg/base/errors.hpp"
#include "linalg/cuda/box_rows_kernel.cuh"
#include "linalg/cuda/diagonal_kernels.cuh"
#include "linalg/cuda/queue.hpp"
#include "linalg/cuda/row_kernels.cuh"
#include "linalg/cuda/two_step_kernels.cuh"
#include "linalg/matrices/spmv.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace cuda {

namespace {

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
  const double mean = a.rows > 0 ? static_cast<double>(a.nonzeros) / a.rows : 0.0;
  int lanes = a.plan.lanes > 0 ? a.plan.lanes : lanes_for<Cuda>(mean);
  // With dots the grid is one wave: then two lanes read rows of 7 entries faster than one (H200,
  // 256^3: 94 against 74 % of the copy bandwidth), but not rows of 5.
  if (has_dots<Operation> && lanes == 1 && mean > 6.0) lanes = 2;
  const int blocks = rows.blocks<Operation>(a.rows, row_threads / lanes, one_wave_blocks);
  with_constant<2, 4, 8, 16, 32, 1>(lanes, [&](auto count) {
    launch_kernel("lanes_kernel", lanes_kernel<count.value, T, Operation>, blocks, row_threads,
                  guard(), a, operation, rows.chunks, rows.scratch);
  });
}

template <class T, class Operation>
void launch_two_step(const CsrView<T>& a, const Operation& operation, const RowLaunch& rows) {
  launch_kernel("products_kernel", products_kernel<T>, blocks_for(a.nonzeros, row_threads, 1 << 16),
                row_threads, guard(), a, operation.x);
  row_sums_kernel<<<rows.blocks<Operation>(a.rows, staged_rows), staged_rows,
                    sizeof(double) * a.plan.staging, stream()>>>(guard(), a, operation, rows.chunks,
                                                                 rows.scratch);
  check_launch("row_sums_kernel");
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

template <class T, class Operation>
void launch_transposed_diagonals(const CsrView<T>& a, const Operation& operation) {
  constexpr int most = DiagonalsView::most;
  with_constant<8, most>(a.diagonals.count <= 8 ? 8 : most, [&](auto count) {
    launch_kernel(
        "transposed_diagonals_kernel", transposed_diagonals_kernel<count.value, T, Operation>,
        blocks_for(a.rows, transposed_threads, INT_MAX), transposed_threads, guard(), a, operation);
  });
}

template <class T, class Operation>
void launch_rows(const CsrView<T>& a, const Operation& operation, const RowLaunch& rows) {
  if constexpr (!has_dots<Operation>) {
    if (a.transposed) return launch_transposed_diagonals(a, operation);
  }
  if (a.plan.kernel == SpmvKernel::csr_diagonals) {
    launch_diagonals(a, operation, rows);
  } else {
    launch_lanes(a, operation, rows);
  }
}

template <class T, class Operation>
void launch_long_rows(const CsrView<T>& a, const Operation& operation) {
  if (a.long_rows.pieces == 0 || a.multiplies_by_box()) return;
  launch_kernel("long_rows_kernel", long_rows_kernel<T, Operation>, a.long_rows.pieces, row_threads,
                guard(), a, operation, reduction_scratch(1, a.long_rows.pieces, nullptr));
}

template <class T, class Operation>
void launch_product(const CsrView<T>& a, const Operation& operation, const RowLaunch& rows) {
  if (a.multiplies_by_box()) return launch_box(a, operation, rows);
  if (a.plan.kernel == SpmvKernel::csr_two_step) {
    launch_two_step(a, operation, rows);
  } else {
    launch_rows(a, operation, rows);
  }
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

template <bool Further, class T>
void launch_with_dots(const QueuedProduct<T>& p, const SummedRows& rows,
                      const ProductResults& results) {
  const MultiplyAndDots<T, Further> multiply{p.x, p.w, p.v, p.y, results, p.from_w};
  launch_with_totals(rows, multiply, [&](const auto& operation, const RowLaunch& chunks) {
    launch_product(p.a, operation, chunks);
  });
  launch_long_rows(p.a, multiply);
}

}  // namespace

// Long rows are summed by a second kernel, after which the scalar operations are launched apart.
template <class T>
void launch_product_and_dots(const QueuedProduct<T>& p, const SummedRows& rows, Guard guard,
                             const ScalarOperations& afterwards) {
  if (p.y_transposed != nullptr) {
    const MultiplyAndDots<T, false> by_rows{p.x, p.w, nullptr, p.y, {p.dots, guard, afterwards}};
    return launch_with_totals(rows, MultiplyBoth<T>{by_rows, p.y_transposed},
                              [&](const auto& operation, const RowLaunch& chunks) {
                                launch_diagonals(p.a, operation, chunks);
                              });
  }
  const bool apart = p.a.long_rows.pieces > 0;
  if (apart && rows.processes != nullptr)
    throw ShapeError("rows that processes share on a GPU have some that are very long");
  const ProductResults results{p.dots, guard, apart ? ScalarOperations{} : afterwards};
  if (p.dots.vy != nullptr) {
    launch_with_dots<true>(p, rows, results);
  } else {
    launch_with_dots<false>(p, rows, results);
  }
  if (apart && afterwards.count > 0) launch_scalar_operations(guard, afterwards);
}
template void launch_product_and_dots(const QueuedProduct<double>&, const SummedRows&, Guard,
                                      const ScalarOperations&);
template void launch_product_and_dots(const QueuedProduct<float>&, const SummedRows&, Guard,
                                      const ScalarOperations&);

}  // namespace cuda

template <>
template <class T>
void SparsePrimitives<Cuda>::spmv(const CsrView<T>& a, double alpha, const T* x, double beta,
                                  const T* b, T* y) {
  if (a.rows == 0) return;
  count_product<Cuda>(a, beta);
  const cuda::Multiply<T> operation{x, alpha, beta, b, y};
  cuda::launch_product(a, operation, {});
  cuda::launch_long_rows(a, operation);
}

template <>
template <class T>
void SparsePrimitives<Cuda>::spmv_dots(const CsrView<T>& a, const T* x, const T* w, T* y,
                                       const ProductDots& dots, const T* v) {
  cuda::queue().product<T>({a, x, w, v, y, dots});
}

template <>
template <class T>
void SparsePrimitives<Cuda>::residual_dots(const CsrView<T>& a, const T* x, const T* b, T* r,
                                           const ProductDots& dots) {
  cuda::queue().product<T>({a, x, b, nullptr, r, dots, nullptr, true});
}

template <>
template <class T>
void SparsePrimitives<Cuda>::spmv_both(const CsrView<T>& a, const T* x, const T* w, T* y,
                                       T* y_transposed, const ProductDots& dots) {
  cuda::queue().product<T>({a, x, w, nullptr, y, dots, y_transposed});
}

template <>
template <class T>
void SparsePrimitives<Cuda>::sweep(const CsrView<T>& a, Triangle part, const T* d, const T* x,
                                   const T* b, double factor, T* y) {
  if (a.rows == 0) return;
  count_sweep<Cuda>(a, part, b == x);
  const cuda::Sweep<T> operation{x, part, a.diagonal, a.values, d, b, factor, y};
  cuda::launch_rows(a, operation, {});
  cuda::launch_long_rows(a, operation);
}

HODGE_FOR_BOTH_VALUES(HODGE_SPMV, Cuda)

}  // namespace hodge::linalg
