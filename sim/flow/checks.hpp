// Whether settings and problem fit together; everything is checked before anything is allocated.
#pragma once

#include "sim/config/settings.hpp"
#include "sim/flow/problem.hpp"
#include "sim/grid/grid.hpp"

namespace hodge::sim {

// Errors: ConfigError naming the side, the axis, the system or the value, and what was expected.
void check(const Settings& settings, const Problem& problem, const Grid& grid);

}  // namespace hodge::sim
