// How much the coarser grids of a multigrid cycle add, for SystemSize::coarser_cells: where only
// thin cells are joined, on strongly stretched grids, levels shrink slowly.
#pragma once

#include <array>
#include <vector>

#include "linalg/matrices/grid_rows.hpp"

namespace hodge::linalg {

// Cells of all coarser grids over those of the finest one, for cells of these widths along each of
// shape.dim axes; the hierarchy ends where there are no more than `coarsest` cells.
double coarser_cells(const GridShape& shape, const std::array<std::vector<double>, 3>& widths,
                     int coarsest);

}  // namespace hodge::linalg
