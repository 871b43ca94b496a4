// What the formulas of inflow sides let through, and profiles that are scaled to a flow rate:
//
//   u(x, t) = profile(x) Q(t) / P,   P = - sum over the open faces of A (mean of profile).n
//
// n outwards: Q is what enters the box, L^3/T, in 2D L^2/T. Open are the faces of cells that are
// not solid. All components are scaled, so that the direction of the profile stays. The flux of the
// grid is then Q to rounding; Q itself where no solid covers a part of the side.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/discrete/bodies/side_openings.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

// Along the axis, L^3/T.
struct SideFlux {
  double whole = 0;  // of the formula through the whole side
  double open = 0;   // of the grid, through what no solid covers of the faces
  double gross = 0;  // sum of the absolute fluxes through these
};

// `bodies`: of every cell (cell_bodies), or none; `openings` of the side beside sharp ones.
SideFlux flux_of_formula(const Boundaries& boundaries, const Grid& grid,
                         const std::vector<std::uint8_t>& bodies, const BoxSide& at, double t,
                         const SideOpenings& openings = {});

// The velocities of sides with a flow rate become those that have it. Errors: KeyError for a
// profile through which nothing passes; ConfigError as of Grid.
void scale_inflows(const GridSettings& grid, Problem& problem);

}  // namespace hodge::sim
