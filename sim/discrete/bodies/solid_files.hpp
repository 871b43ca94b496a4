// Solids in messages, and their surfaces as the bodies have them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/discrete/bodies/surface.hpp"
#include "sim/model/solid.hpp"

namespace hodge::sim {

// A surface, oriented, and what had to be mended, with the names before it; empty: nothing.
struct ReadSurface {
  Surface surface;
  std::string told;
};
// Errors: ConfigError, its text beginning with the name of the solid.
ReadSurface read_surface(const std::string& file, const std::string& solid);

std::string text_of_solid(const std::string& name);  // "solid 'wing'"

// What says the shape of a solid of the problem: "solids[2].surface.file".
std::string key_of_solid(const std::vector<Solid>& solids, std::size_t k);

}  // namespace hodge::sim
