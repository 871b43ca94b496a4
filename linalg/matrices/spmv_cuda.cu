// Cuda space: products with a sparse matrix and sweeps over its triangles, by the kernel that the
// matrix's plan names.
#include "linalg/base/errors.hpp"
#include "linalg/cuda/rows/two_step_kernels.cuh"
#include "linalg/matrices/row_launch.cuh"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace cuda {

namespace {

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
  const ProductResults results{p.dots, guard, apart ? ScalarOperations{} : afterwards};
  if (p.a.ghosts.on_device != nullptr) return launch_shared_product_and_dots(p, rows, results);
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
  if (a.rows == 0 && a.ghosts.on_device == nullptr) return;
  count_product<Cuda>(a, beta);
  if (a.ghosts.on_device != nullptr) return cuda::launch_shared_product(a, alpha, x, beta, b, y);
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
  if (a.rows == 0 && a.ghosts.on_device == nullptr) return;
  count_sweep<Cuda>(a, part, b == x);
  const cuda::Sweep<T> operation{x, part, a.diagonal, a.values, d, b, factor, y};
  if (a.ghosts.on_device != nullptr) return cuda::launch_shared_sweep(a, operation);
  cuda::launch_rows(a, operation, {});
  cuda::launch_long_rows(a, operation);
}

HODGE_FOR_BOTH_VALUES(HODGE_SPMV, Cuda)

}  // namespace hodge::linalg
