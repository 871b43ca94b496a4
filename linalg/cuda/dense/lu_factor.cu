// Cuda space: the blocked right-looking LU factorisation, all of it queued.
#include <algorithm>

#include "linalg/cuda/dense/dense.hpp"
#include "linalg/cuda/dense/dense_rows.cuh"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace cuda {

namespace {

// Factors the panels of one block of columns; after each panel, updates the rest of the block.
template <class T>
void factor_panels(const DenseView<T>& a, int first, int width, const RowExchange& exchanges,
                   const LuBlocking& blocking, LuStatus* status) {
  const int n = a.cols, end = first + width;
  for (int j = first; j < end; j += blocking.panel) {
    const int columns = std::min(blocking.panel, end - j), next = j + columns, rest = end - next;
    const DenseView<T> panel = a.block(j, j, n - j, columns);
    const RowExchange exchange = exchanges.from(j, columns);
    if (blocking.search == PivotSearch::fused) {
      lu_panel(panel, exchange, j, status);
    } else {
      lu_panel_by_thrust(panel, exchange, j, status);
    }
    finish_panel(exchange, panel.as_const(), a.block(j, first, n - j, j - first),
                 a.block(j, next, n - j, rest));
    Cuda::multiply_subtract(false, a.block(next, j, n - next, columns).as_const(),
                            a.block(j, next, columns, rest).as_const(),
                            a.block(next, next, n - next, rest));
  }
}

}  // namespace

}  // namespace cuda

// For each block of columns: factors its panels, exchanges the rows of all other columns, computes
// U to its right, and updates A22 <- A22 - L21 U12.
template <>
template <class T>
void DensePrimitives<Cuda>::lu_factor(const DenseView<T>& a, const RowExchange& exchanges,
                                      const LuBlocking& blocking, LuStatus* status) {
  const int n = a.cols;
  for (int first = 0; first < n; first += blocking.block) {
    const int width = std::min(blocking.block, n - first), next = first + width, rest = n - next;
    cuda::factor_panels(a, first, width, exchanges, blocking, status);
    const RowExchange exchange = exchanges.from(first, width);
    exchange_rows(exchange, blocking.panel, a.block(first, 0, n - first, first));
    const DenseView<T> right = a.block(first, next, n - first, rest);
    const DenseView<T> u12 = right.block(0, 0, width, rest);
    exchange_rows(exchange, blocking.panel, right);
    solve_triangular(Factor::unit_lower, a.block(first, first, width, width).as_const(), u12);
    multiply_subtract(false, a.block(next, first, rest, width).as_const(), u12.as_const(),
                      a.block(next, next, rest, rest));
  }
}

HODGE_FOR_BOTH_VALUES(HODGE_LU_FACTOR, Cuda)

}  // namespace hodge::linalg
