// A CSR matrix as the rows of a separable system on a box of cells, some of which have no row
// (space/box_rows_view.hpp): which cell a row belongs to, which rows are pinned, and whether the
// entries are those of the system.
#pragma once

#include <optional>

#include "linalg/matrices/grid_rows.hpp"
#include "linalg/matrices/separable_system.hpp"
#include "linalg/space/sparse_primitives.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

// Two ints per row where some cells have no row, otherwise the arrays of the axes alone.
template <class Space>
class DescribedBox {
 public:
  // Of the matrix `a`, whose rows `grid` places on the box; null: they are its cells in order.
  // Empty if the entries are not those of the system to rounding, or if the rows do not ascend with
  // their cells. Costs about three products.
  template <class T>
  static std::optional<DescribedBox> of(const SeparableSystem& system, const GridRows<Space>* grid,
                                        const CsrView<T>& a);

  const BoxRowsView& view() const { return view_; }

 private:
  DescribedBox(const SeparableSystem& system, const GridRows<Space>* grid);

  BoxRowsView view_;
  Buffer<double, Space> weights_[3], couplings_[3];
  Buffer<int, Space> cell_of_row_;
};

// The largest difference between an entry and that of the system, over the largest entry of the
// row; entries that one of them lacks count as 0 there. Waits for the result.
template <class Space, class T>
double box_difference(const CsrView<T>& a, const BoxRowsView& box);

}  // namespace hodge::linalg
