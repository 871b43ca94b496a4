// A CSR matrix as the rows of a separable system on a box of cells, some of which have no row
// (space/box_rows_view.hpp): which cell a row belongs to, which rows are pinned, and whether the
// entries are those of the system.
#pragma once

#include <optional>

#include "linalg/matrices/box_window.hpp"
#include "linalg/matrices/grid_rows.hpp"
#include "linalg/matrices/separable_system.hpp"
#include "linalg/space/sparse_primitives.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

// Two ints per row where some cells have no row, otherwise the arrays of the axes alone; where
// processes share the rows, one int per cell more.
template <class Space>
class DescribedBox {
 public:
  // Of the matrix `a`, whose rows `grid` places on the box; null: they are its cells in order.
  // Empty if the entries are not those of the system to rounding, or if the rows do not ascend with
  // their cells. Costs about three products. sharing: of rows that processes share, who find the
  // same together (collective); null: `a` has all rows.
  template <class T>
  static std::optional<DescribedBox> of(const SeparableSystem& system, const GridRows<Space>* grid,
                                        const CsrView<T>& a, const RowSharing* sharing);

  const BoxRowsView& view() const { return view_; }
  bool has_all_rows() const { return view_.row_of_cell == nullptr; }

 private:
  explicit DescribedBox(const SeparableSystem& system);
  static std::optional<DescribedBox> of_whole(const SeparableSystem& system,
                                              const GridRows<Space>* grid, int rows);
  static std::optional<DescribedBox> of_window(const SeparableSystem& system,
                                               const GridRows<Space>* grid,
                                               const RowSharing& sharing);

  BoxRowsView view_;
  int own_cells_ = 0;  // from view_.first_cell on: those whose rows are in the matrix
  Buffer<double, Space> weights_[3], couplings_[3];
  Buffer<int, Space> cell_of_row_, column_of_cell_;
};

// The largest difference between an entry and that of the system, over the largest entry of the
// row; entries that one of them lacks count as 0 there. Waits for the result.
template <class Space, class T>
double box_difference(const CsrView<T>& a, const BoxRowsView& box);

}  // namespace hodge::linalg
