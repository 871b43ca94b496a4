// A position in space, in units of length; a 2D problem ignores the last coordinate.
#pragma once

#include <array>

namespace hodge::sim {

using Point = std::array<double, 3>;

}  // namespace hodge::sim
