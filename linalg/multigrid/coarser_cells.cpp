#include "linalg/multigrid/coarser_cells.hpp"

#include "linalg/multigrid/plan_axes.hpp"

namespace hodge::linalg {

double coarser_cells(const GridShape& shape, const std::array<std::vector<double>, 3>& widths,
                     int coarsest) {
  if (shape.dim == 2)
    return multigrid::coarser_cells<2>(multigrid::level_shape<2>(shape), {widths[0], widths[1]},
                                       coarsest);
  return multigrid::coarser_cells<3>(multigrid::level_shape<3>(shape), widths, coarsest);
}

}  // namespace hodge::linalg
