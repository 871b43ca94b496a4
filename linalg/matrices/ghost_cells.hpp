// The cells of a grid to which the ghosts of shared rows belong (row_sharing.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/matrices/row_sharing.hpp"

namespace hodge::linalg {

// The cells of this process. rows: the row of each, -1: none.
struct OwnCells {
  bool all_have_rows = false;  // each cell of the grid, in order; nobody lists rows then
  std::int64_t first = 0;      // in the whole grid
  std::span<const int> rows{};
};

// The cell of each ghost in the whole grid; its owner says. All processes call it. One message each
// way for each pair of neighbours.
std::vector<std::int64_t> cells_of_ghosts(const RowSharing& sharing, const OwnCells& own);

}  // namespace hodge::linalg
