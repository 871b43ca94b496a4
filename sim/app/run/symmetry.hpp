// Whether a flow past bodies is its own mirror image across an axis: then nothing but rounding
// makes it leave that symmetry, which real vortices behind a body do at once.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

// Mirrored are the grid, the bodies, kinds and formulas of sides, forces, the initial velocity and,
// where they lift the fluid, scalars. Formulas are compared at some of their points, at t = 0 and
// at `later`. Fields of another run have no symmetry. `bodies`: of every cell (model/solid.hpp).
bool is_mirror_image(const Problem& problem, const Grid& grid,
                     const std::vector<std::uint8_t>& bodies, int axis, double later);

// The largest speed of the initial velocity and of the sides at t = 0, L/T.
double speed_at_start(const Problem& problem, const Grid& grid);

}  // namespace hodge::sim
