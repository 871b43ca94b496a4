// The steps of an LU factorisation on the Cuda space, queued on its stream, and the launch shape.
// lu_factor() runs the steps; benchmarks time each and vary the launch shape. T is float or double.
#pragma once

#include "linalg/space/dense_view.hpp"

namespace hodge::linalg::cuda {

struct LuTuning {
  int panel_threads = 512;  // rows per block of the panel kernel, a power of two >= 32
};
LuTuning& lu_tuning();

// Factors P A = L U of a panel in place, rows >= cols <= lu_panel_width. `first_column` is the
// panel's first column in the matrix.
template <class T>
void lu_panel(const DenseView<T>& a, const RowExchange& exchange, int first_column,
              LuStatus* status);
// The same column by column; waits for the device at every column.
template <class T>
void lu_panel_by_thrust(const DenseView<T>& a, const RowExchange& exchange, int first_column,
                        LuStatus* status);
// Applies a panel to the columns beside it: exchanges the rows of `left` and `right`, and solves
// with the unit lower triangle of `panel` for the first exchange.count rows of `right`.
template <class T>
void finish_panel(const RowExchange& exchange, const DenseView<const T>& panel,
                  const DenseView<T>& left, const DenseView<T>& right);

}  // namespace hodge::linalg::cuda
