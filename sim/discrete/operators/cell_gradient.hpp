// dp/dx_d in a cell beside sharp bodies: the mean of the gradients at its two faces across d, of
// those that have an unknown and a pressure on both sides; 0 where neither has.
#pragma once

#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/operators/gradient.hpp"

namespace hodge::sim {

template <int Dim>
HODGE_HD double gradient_in_cell(const GridView<Dim>& grid, const BodyView<Dim>& bodies,
                                 const ConstFieldView<Dim>& p, int d, const Index<Dim>& c) {
  double sum = 0.0, count = 0.0;
  for (int side = 0; side < 2; ++side) {
    const Index<Dim> face = c.shifted(d, side);
    if (bodies.excludes(d, face) || bodies.excludes(at_cells, face) ||
        bodies.excludes(at_cells, face.shifted(d, -1)))
      continue;
    sum += gradient(grid, p, d, face);
    count += 1.0;
  }
  return count > 0.0 ? sum / count : 0.0;
}

}  // namespace hodge::sim
