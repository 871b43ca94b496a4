// Whether settings and problem fit together; everything is checked before anything is allocated.
#pragma once

#include <optional>
#include <string>

#include "sim/config/settings.hpp"
#include "sim/flow/problem.hpp"
#include "sim/grid/grid.hpp"

namespace hodge::sim {

// Errors: ConfigError naming the side, the axis, the system or the value, and what was expected.
void check(const Settings& settings, const Problem& problem, const Grid& grid);

// What is wrong with the flow through the sides at time t: without an outflow side as much must
// leave through the inflow sides as enters. The sampling of a profile on the faces may miss that by
// a little; it is balanced at every step.
std::optional<std::string> unbalanced_flux(const Boundaries& boundaries, const Grid& grid,
                                           double t);

}  // namespace hodge::sim
