// The level of a closed surface of triangles: its sign by winding numbers (crossing.hpp), its size
// the distance to the nearest triangle.
#pragma once

#include <memory>

#include "sim/discrete/bodies/level_set.hpp"
#include "sim/discrete/bodies/surface.hpp"

namespace hodge::sim {

// Of an oriented surface (orient_shells).
std::unique_ptr<const LevelSet> level_set_of(Surface surface);

}  // namespace hodge::sim
