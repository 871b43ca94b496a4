// Whether settings and problem fit together; everything is checked before anything is allocated.
#pragma once

#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// Errors: ConfigError naming the side, the axis, the system or the value, and what was expected.
void check(const Settings& settings, const Problem& problem, const Grid& grid);

// Whether the inflow of every region of fluid without an open side balances at t = 0; make_flow
// does it on its way. Reads the solids, where there are inflow sides. Errors: those of
// fluid_domain.
void check_inflow(const Problem& problem, const Grid& grid);

// Whether something bounds the first step where the fluid is at rest, as far as that can be said
// without computing the flow. Errors: those of next_step_size.
void check_first_step(const Settings& settings, const Problem& problem, const Grid& grid);

}  // namespace hodge::sim
