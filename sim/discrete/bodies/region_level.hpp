// The level of a region: that of its shape, turned, repeated in periodic axes, and inside out.
//
// Unions have the least of the levels of their parts, differences the largest of the level of the
// first and those of the others inside out: their sign is right, and their size is at most the
// distance where the levels of their parts are distances.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "sim/discrete/bodies/level_set.hpp"
#include "sim/model/shape.hpp"

namespace hodge::sim {

// What messages call a region: "solid 'wing'", and its key.
struct RegionName {
  std::string text, key;
};

// Errors: KeyError of the part that makes no region, or whose file holds none; IoError.
std::unique_ptr<const LevelSet> level_set_of(const Region& region, const Grid& grid,
                                             const std::array<bool, 3>& periodic,
                                             const RegionName& name);

// What says the shape of a region: its key and "", or ".surface.file".
std::string key_of_shape(const Region& region, const std::string& key);

// visit(surface, its key) for every surface of a region, parts included.
void for_each_surface(
    const Region& region, const std::string& key,
    const std::function<void(const SurfaceShape& surface, const std::string& key)>& visit);

}  // namespace hodge::sim
