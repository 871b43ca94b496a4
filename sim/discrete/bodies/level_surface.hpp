// The surface of a level set, made of triangles (level_set.hpp, signed_distance.hpp).
#pragma once

#include "sim/discrete/bodies/level_set.hpp"
#include "sim/discrete/bodies/surface.hpp"
#include "sim/discrete/grid/grid.hpp"

namespace hodge::sim {

// Within the box; in 2D the triangles are strips across the plane z = 0. Corners are not shared.
Surface surface_of(const LevelSet& body, const Grid& grid);

}  // namespace hodge::sim
