// The number of cells of the coarser grids, for SystemSize::coarser_cells: on strongly stretched
// grids, where only thin cells are joined, levels shrink slowly.
#pragma once

#include <array>
#include <vector>

#include "linalg/multigrid/plan_axes.hpp"

namespace hodge::linalg {

// Cells of all coarser grids over those of the finest, for cells of these widths along each of
// shape.dim axes; the last grid has at most `coarsest` cells.
inline double coarser_cells(const GridShape& shape,
                            const std::array<std::vector<double>, 3>& widths, int coarsest) {
  if (shape.dim == 2)
    return multigrid::coarser_cells<2>(multigrid::level_shape<2>(shape), {widths[0], widths[1]},
                                       coarsest);
  return multigrid::coarser_cells<3>(multigrid::level_shape<3>(shape), widths, coarsest);
}

}  // namespace hodge::linalg
