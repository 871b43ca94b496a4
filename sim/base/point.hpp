// A position in space, in units of length; a 2D problem ignores the last coordinate.
#pragma once

#include <array>

namespace hodge::sim {

using Point = std::array<double, 3>;

inline constexpr std::array<const char*, 3> axis_names{"x", "y", "z"};

}  // namespace hodge::sim
