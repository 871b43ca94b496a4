// The boxes that values of the grid stand for (base/formulas/mean.hpp), as point functions and
// the host see them.
//
//   cell                    the cell
//   face of component d     the face, a point along d; what acts on u_d there: its control volume,
//                           from centre to centre along d
//   side of the box         what the face or the cell has of the side
//
// A control volume ends at the sides of the box, unless the axis is periodic.
#pragma once

#include "sim/base/formulas/mean.hpp"
#include "sim/discrete/grid/metrics.hpp"

namespace hodge::sim {

// Of the value of a location at c. The box has no extent along `flat`: -1, the axis that a side is
// normal to, or that of a face's component.
template <int Dim>
HODGE_HD MeanBox mean_box(const GridView<Dim>& grid, const BoxBounds<Dim>& bounds, int location,
                          int flat, const Index<Dim>& c) {
  MeanBox box;
  for (int e = 0; e < Dim; ++e) {
    box.place[e] = grid.coordinate(location, e, c);
    double lower = e == location ? grid.centre(e, c[e] - 1) : grid.edge(e, c[e]);
    double upper = e == location ? grid.centre(e, c[e]) : grid.edge(e, c[e] + 1);
    if (e == flat) lower = upper = box.place[e];
    if (e == location) {
      lower = lower < bounds.lower[e] ? bounds.lower[e] : lower;
      upper = upper > bounds.upper[e] ? bounds.upper[e] : upper;
    }
    box.lower[e] = lower;
    box.upper[e] = upper;
  }
  return box;
}

}  // namespace hodge::sim
