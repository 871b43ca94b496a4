// The pressure's matrix (pressure.hpp) of a box without solids as a separable system: the weights
// of an axis are its widths, its couplings one over the distances of the centres, and two over the
// width of the last cell at an open side.
#pragma once

#include "linalg/matrices/separable_system.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/boundaries.hpp"

namespace hodge::sim {

inline linalg::SeparableAxis separable_axis(const Axis& axis, const Boundaries& boundaries, int d) {
  const int n = axis.cells();
  const auto open = [&](int side) { return boundaries.sides[d][side].traits().is_open(); };
  linalg::SeparableAxis along{axis.widths, {}, boundaries.periodic(d)};
  const std::vector<double>& h = axis.widths;
  const double around = 1.0 / (0.5 * (h[n - 1] + h[0]));
  along.couplings.push_back(along.periodic ? around : open(0) ? 2.0 / h[0] : 0.0);
  for (int i = 1; i < n; ++i) along.couplings.push_back(1.0 / (0.5 * (h[i - 1] + h[i])));
  along.couplings.push_back(along.periodic ? around : open(1) ? 2.0 / h[n - 1] : 0.0);
  return along;
}

inline linalg::SeparableSystem separable_pressure(const Grid& grid, const Boundaries& boundaries) {
  linalg::SeparableSystem system;
  for (int d = 0; d < grid.dim(); ++d)
    system.axes.push_back(separable_axis(grid.axis(d), boundaries, d));
  return system;
}

}  // namespace hodge::sim
