// Diffusion through the sides of control volumes: flux in = D g (q there - q here).
//
//   g_e(c) = area / distance of the two points,   of the side below c along e
//
// The side above is g_e(c + e_e). For a velocity component d along d the points are faces, one cell
// width apart; otherwise they are delta apart. In units of L^(Dim - 2).
#pragma once

#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/grid/metrics.hpp"

namespace hodge::sim {

template <int Dim, class Grid>
HODGE_HD double conductance(const Grid& grid, int location, int e, const Index<Dim>& c) {
  return grid.control_area(location, e, c) * grid.inverse_spacing(location, e, c);
}

// The value beside c that a solid has excluded, as a multiple of that at c: 0 on a face in the
// solid's surface, -1 on one behind it (no slip half-way), 1 for a scalar (no flux).
template <int Dim>
HODGE_HD double solid_slope(const BodyView<Dim>& bodies, int location, int e,
                            const Index<Dim>& excluded) {
  if (location == at_cells) return 1.0;
  return e != location && bodies.buried(location, excluded) ? -1.0 : 0.0;
}

// q there - q here across the side below or above c.
template <int Dim>
HODGE_HD double difference_across(const ConstFieldView<Dim>& q, const BodyView<Dim>& bodies,
                                  int location, int e, int side, const Index<Dim>& c) {
  const Index<Dim> there = c.shifted(e, side == 0 ? -1 : 1);
  const double value =
      bodies.excludes(location, there) ? solid_slope(bodies, location, e, there) * q(c) : q(there);
  return value - q(c);
}

}  // namespace hodge::sim
