// Cuda space: products and sweeps of rows that processes share.
//
// The ghosts are fetched first (device_ghosts.hpp), then one kernel sums all rows, each in the
// order of one process: by the same diagonals, or with the same lanes, which the rows of all
// processes have chosen.
#include <string>

#include "linalg/base/errors.hpp"
#include "linalg/matrices/device_ghosts.hpp"
#include "linalg/matrices/row_launch.cuh"

namespace hodge::linalg::cuda {

namespace {

template <class T>
WithGhosts<T> with_ghosts(const CsrView<T>& a, const T* x) {
  if (a.long_rows.length < INT_MAX || a.transposed || a.plan.kernel == SpmvKernel::csr_two_step)
    throw ShapeError(
        "rows that processes share on a GPU: expected none that is very long, no transpose that is "
        "read by columns, and another kernel than csr_two_step");
  return {x, a.ghosts.on_device->fetch(x), a.cols};
}

template <class T, class Operation>
void launch_entries(const CsrView<T>& a, const Operation& operation, const RowLaunch& rows) {
  if (a.plan.kernel == SpmvKernel::csr_diagonals) {
    launch_diagonals(a, operation, rows);
  } else {
    launch_lanes(a, operation, rows);
  }
}

template <class T, class Operation>
void launch_whole_rows(const CsrView<T>& a, const Operation& operation, const RowLaunch& rows) {
  if (!a.multiplies_by_box()) return launch_entries(a, operation, rows);
  if (a.box.row_of_cell == nullptr && a.box.cell_of_row == nullptr)
    return launch_box(a, operation, rows);
  CsrView<T> by_columns = a;
  by_columns.box.row_of_cell = a.box.column_of_cell;
  launch_box(by_columns, operation, rows);
}

template <bool Further, class T>
void launch_with_dots(const QueuedProduct<T>& p, const WithGhosts<T>& x, const SummedRows& rows,
                      const ProductResults& results) {
  const MultiplyAndDots<T, Further, WithGhosts<T>> multiply{x, p.w, p.v, p.y, results, p.from_w};
  launch_with_totals(rows, multiply, [&](const auto& operation, const RowLaunch& chunks) {
    launch_whole_rows(p.a, operation, chunks);
  });
}

}  // namespace

template <class T>
void launch_shared_product(const CsrView<T>& a, double alpha, const T* x, double beta, const T* b,
                           T* y) {
  const WithGhosts<T> all = with_ghosts(a, x);
  if (a.rows > 0)
    launch_whole_rows(a, Multiply<T, WithGhosts<T>>{all, alpha, beta, b, y}, RowLaunch{});
}

template <class T>
void launch_shared_product_and_dots(const QueuedProduct<T>& p, const SummedRows& rows,
                                    const ProductResults& results) {
  const WithGhosts<T> x = with_ghosts(p.a, p.x);
  if (p.dots.vy != nullptr) {
    launch_with_dots<true>(p, x, rows, results);
  } else {
    launch_with_dots<false>(p, x, rows, results);
  }
}

template <class T>
void launch_shared_sweep(const CsrView<T>& a, const Sweep<T>& s) {
  const WithGhosts<T> x = with_ghosts(a, s.x);
  if (a.rows > 0)
    launch_entries(
        a, Sweep<T, WithGhosts<T>>{x, s.part, s.diagonal, s.values, s.d, s.b, s.factor, s.y},
        RowLaunch{});
}

#define HODGE_SHARED_SPMV(T)                                                                      \
  template void launch_shared_product(const CsrView<T>&, double, const T*, double, const T*, T*); \
  template void launch_shared_product_and_dots(const QueuedProduct<T>&, const SummedRows&,        \
                                               const ProductResults&);                            \
  template void launch_shared_sweep(const CsrView<T>&, const Sweep<T>&);
HODGE_SHARED_SPMV(double)
HODGE_SHARED_SPMV(float)

}  // namespace hodge::linalg::cuda
