// Solids in messages, and their surfaces as the bodies have them.
#pragma once

#include <string>

#include "sim/discrete/bodies/shapes.hpp"
#include "sim/discrete/bodies/surface.hpp"
#include "sim/model/solid.hpp"

namespace hodge::sim {

// A surface, oriented, and what had to be mended, with the names before it; empty: nothing.
struct ReadSurface {
  Surface surface;
  std::string told;
};
// Errors: ConfigError, its text beginning with the name of the solid.
ReadSurface read_surface(const SurfaceShape& shape, const std::string& solid);

ShapeExtent extent(const Surface& surface);

std::string text_of_solid(const std::string& name);  // "solid 'wing'"

// "from (0, 0, 0) to (1, 1, 2)": along the axes of the grid.
std::string text_of(const ShapeExtent& extent, int dim);

}  // namespace hodge::sim
