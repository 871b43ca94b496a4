// Diffusion of u_d through the sides of its control volumes: flux in = nu g (u_d there - u_d here).
//
//   g_e(c) = area / distance of the two points,   of the side below face c along e
//
// The side above is g_e(c + e_e). Along d the points are faces, one cell width apart; along the
// other axes they are delta apart. In units of L^(Dim - 2).
#pragma once

#include "sim/grid/metrics.hpp"

namespace hodge::sim {

template <int Dim>
HODGE_HD double conductance(const GridView<Dim>& grid, int d, int e, const Index<Dim>& c) {
  const double spacing = e == d ? grid.width(d, c[d] - 1) : grid.distance(e, c[e]);
  return grid.control_area(d, e, c) / spacing;
}

}  // namespace hodge::sim
