// Cuda space: products with a sparse matrix and sweeps over its triangles, by the kernel that the
// matrix's plan names.
#include <climits>

#include "linalg/base/choose.hpp"
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

// Most blocks of a csr_two_step product whose dots are reduced over the grid.
constexpr int most_dot_blocks = 4096;
static_assert(most_dot_blocks <= most_reduction_blocks);

template <class Operation>
constexpr bool has_dots = !std::is_empty_v<typename Operation::Totals>;

template <class T, class Operation>
void launch_lanes(const CsrView<T>& a, const Operation& operation) {
  const double mean = a.rows > 0 ? static_cast<double>(a.nonzeros) / a.rows : 0.0;
  int lanes = a.plan.lanes > 0 ? a.plan.lanes : lanes_for<Cuda>(mean);
  // With dots the grid is one wave: then two lanes read rows of 7 entries faster than one (H200,
  // 256^3: 94 against 74 % of the copy bandwidth), but not rows of 5.
  if (has_dots<Operation> && lanes == 1 && mean > 6.0) lanes = 2;
  const long long work = static_cast<long long>(a.rows) * lanes;
  const int most = has_dots<Operation> ? one_wave_blocks : INT_MAX;
  with_constant<2, 4, 8, 16, 32, 1>(lanes, [&](auto count) {
    launch_kernel("lanes_kernel", lanes_kernel<count.value, T, Operation>,
                  blocks_for(work, row_threads, most), row_threads, guard(), a, operation,
                  reduction_scratch());
  });
}

template <class T, class Operation>
void launch_two_step(const CsrView<T>& a, const Operation& operation) {
  launch_kernel("products_kernel", products_kernel<T>, blocks_for(a.nonzeros, row_threads, 1 << 16),
                row_threads, guard(), a, operation.x);
  const int most = has_dots<Operation> ? most_dot_blocks : INT_MAX;
  row_sums_kernel<<<blocks_for(a.rows, staged_rows, most), staged_rows,
                    sizeof(double) * a.plan.staging, stream()>>>(guard(), a, operation,
                                                                 reduction_scratch());
  check_launch("row_sums_kernel");
}

template <class T, class Operation>
void launch_diagonals(const CsrView<T>& a, const Operation& operation) {
  const int blocks = has_dots<Operation> ? reduction_blocks(a.rows, diagonal_threads)
                                         : blocks_for(a.rows, diagonal_threads, INT_MAX);
  constexpr int most = DiagonalsView::most;
  with_constant<8, most>(a.diagonals.count <= 8 ? 8 : most, [&](auto count) {
    launch_kernel("diagonals_kernel", diagonals_kernel<count.value, T, Operation>, blocks,
                  diagonal_threads, guard(), a, operation, reduction_scratch());
  });
}

template <class T, class Operation>
void launch_box(const CsrView<T>& a, const Operation& operation) {
  const int blocks = has_dots<Operation> ? reduction_blocks(a.rows, box_rows_threads)
                                         : blocks_for(a.rows, box_rows_threads, INT_MAX);
  launch_kernel("box_rows_kernel", box_rows_kernel<T, Operation>, blocks, box_rows_threads, guard(),
                a.rows, a.box, operation, reduction_scratch());
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
void launch_rows(const CsrView<T>& a, const Operation& operation) {
  if constexpr (!has_dots<Operation>) {
    if (a.transposed) return launch_transposed_diagonals(a, operation);
  }
  if (a.plan.kernel == SpmvKernel::csr_diagonals) {
    launch_diagonals(a, operation);
  } else {
    launch_lanes(a, operation);
  }
}

template <class T, class Operation>
void launch_long_rows(const CsrView<T>& a, const Operation& operation) {
  if (a.long_rows.pieces == 0) return;
  launch_kernel("long_rows_kernel", long_rows_kernel<T, Operation>, a.long_rows.pieces, row_threads,
                guard(), a, operation, reduction_scratch());
}

template <class T, class Operation>
void launch_product(const CsrView<T>& a, const Operation& operation) {
  if (a.multiplies_by_box()) return launch_box(a, operation);
  if (a.plan.kernel == SpmvKernel::csr_two_step) {
    launch_two_step(a, operation);
  } else {
    launch_rows(a, operation);
  }
  launch_long_rows(a, operation);
}

template <bool Further, class T>
void launch_with_dots(const QueuedProduct<T>& p, Guard guard, const ScalarOperations& afterwards) {
  launch_product(
      p.a, MultiplyAndDots<T, Further>{p.x, p.w, p.v, p.y, p.dots, guard, afterwards, p.from_w});
}

}  // namespace

// Long rows are summed by a second kernel, after which the scalar operations are launched apart.
template <class T>
void launch_product_and_dots(const QueuedProduct<T>& p, Guard guard,
                             const ScalarOperations& afterwards) {
  if (p.y_transposed != nullptr) {
    const MultiplyAndDots<T, false> by_rows{p.x, p.w, nullptr, p.y, p.dots, guard, afterwards};
    return launch_diagonals(p.a, MultiplyBoth<T>{by_rows, p.y_transposed});
  }
  const bool apart = p.a.long_rows.pieces > 0;
  const ScalarOperations at_its_end = apart ? ScalarOperations{} : afterwards;
  if (p.dots.vy != nullptr) {
    launch_with_dots<true>(p, guard, at_its_end);
  } else {
    launch_with_dots<false>(p, guard, at_its_end);
  }
  if (apart && afterwards.count > 0) launch_scalar_operations(guard, afterwards);
}
template void launch_product_and_dots(const QueuedProduct<double>&, Guard, const ScalarOperations&);
template void launch_product_and_dots(const QueuedProduct<float>&, Guard, const ScalarOperations&);

}  // namespace cuda

template <>
template <class T>
void SparsePrimitives<Cuda>::spmv(const CsrView<T>& a, double alpha, const T* x, double beta,
                                  const T* b, T* y) {
  if (a.rows == 0) return;
  count_product<Cuda>(a, beta);
  cuda::launch_product(a, cuda::Multiply<T>{x, alpha, beta, b, y});
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
  cuda::launch_rows(a, operation);
  cuda::launch_long_rows(a, operation);
}

HODGE_FOR_BOTH_VALUES(HODGE_SPMV, Cuda)

}  // namespace hodge::linalg
