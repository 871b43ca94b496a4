// The steps of an LU factorisation on the Cuda space, each queued on its stream, and the launch
// shape that benchmarks vary. They are declared here for lu_factor() and for benchmarks that time
// them one by one. T is float or double.
#pragma once

#include "linalg/space/dense_view.hpp"

namespace hodge::linalg::cuda {

struct LuTuning {
  int panel_threads = 512;  // rows a block of the panel kernel, a power of two >= 32
};
LuTuning& lu_tuning();

// Factors P A = L U of a panel, rows >= cols <= lu_panel_width, in place; `first_column` is its
// place in the matrix.
template <class T>
void lu_panel(const DenseView<T>& a, const RowExchange& exchange, int first_column,
              LuStatus* status);
// The same column by column; waits for the device at every one.
template <class T>
void lu_panel_by_thrust(const DenseView<T>& a, const RowExchange& exchange, int first_column,
                        LuStatus* status);
// What a panel does to the columns beside it: exchanges the rows of `left` and `right`, and solves
// with the unit lower triangle of `panel` for the first exchange.count rows of `right`.
template <class T>
void finish_panel(const RowExchange& exchange, const DenseView<const T>& panel,
                  const DenseView<T>& left, const DenseView<T>& right);

}  // namespace hodge::linalg::cuda
