// Open sides whose pressure is not that of the fluid at rest beyond them: along such a side
//
//   dp/dx_d = density (force_d + sum over scalars of buoyancy_d (c - neutral)),
//
// d an axis in the side, and a pressure that is constant along d drives a flow of its own. c beyond
// the side is what enters there, what was there at the start, or what an inflow side brings.
#pragma once

#include <vector>

#include "sim/app/run/preview.hpp"

namespace hodge::sim {

// A doubt for each such side whose pressure is constant along d at t = 0, with the formula to
// write.
std::vector<Doubt> doubts_about_pressure(const Problem& problem, const Grid& grid);

}  // namespace hodge::sim
