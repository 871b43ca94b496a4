// The part of a box that a process reads which holds consecutive rows of its system: the layers
// across the last axis in which these rows have cells, and the layer on either side of them, as a
// box of its own. Its last axis is not periodic, unless the window is the whole box.
//
// The products of the rows then are those of the whole box, operation by operation.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "linalg/matrices/row_sharing.hpp"
#include "linalg/matrices/separable_system.hpp"

namespace hodge::linalg {

struct BoxWindow {
  SeparableSystem system;  // beyond its layers, which only own rows read, it says nothing
  bool has_all_rows;       // each cell of the whole box has a row
  int first_cell, cells;   // in the window: those of this process
  // Of the cells that own rows read (row_sharing.hpp); -1 elsewhere, and where there is no row.
  std::vector<int> column_of_cell;
};

// own_rows_of_cells: the row of each cell of this process, -1: none; empty on all processes: each
// cell of the box has a row. The cells of all processes, one process after the other, are those of
// the box. Empty if they are not, or if a process would have more than 32-bit numbers can tell
// apart. Collective; all processes find the same.
std::optional<BoxWindow> window_of_box(const SeparableSystem& box, const RowSharing& sharing,
                                       std::span<const int> own_rows_of_cells);

}  // namespace hodge::linalg
