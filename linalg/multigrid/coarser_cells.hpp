// The number of cells of the coarser grids, for SystemSize::coarser_cells: on strongly stretched
// grids, where only thin cells are joined, levels shrink slowly.
#pragma once

#include <array>
#include <vector>

#include "linalg/matrices/grid_rows.hpp"

namespace hodge::linalg {

// Cells of all coarser grids over those of the finest, for cells of these widths along each of
// shape.dim axes; the last grid has at most `coarsest` cells.
double coarser_cells(const GridShape& shape, const std::array<std::vector<double>, 3>& widths,
                     int coarsest);

}  // namespace hodge::linalg
