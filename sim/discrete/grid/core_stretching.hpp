// The stretching `core` of stretching.hpp.
#pragma once

#include <string>
#include <vector>

#include "sim/model/settings.hpp"

namespace hodge::sim {

// Errors: ConfigError for a core that does not lie in the axis, or takes more cells than there are,
// or so few that those outside would be smaller than its own.
std::vector<double> core_edges(const AxisSettings& axis, const std::string& axis_name);

}  // namespace hodge::sim
