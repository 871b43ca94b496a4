// The map of a region of space (model/shape.hpp): one shape, turned, inside out.
#pragma once

#include <vector>

#include "sim/app/config/schema.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/model/shape.hpp"

namespace hodge::sim {

// `keys`: what else the map may hold, before the shapes; `depth`: how many unions and differences
// it is in. The grid must outlive the reader, and its dimension be known when a value is read.
ValueReader region_map(Region& region, std::vector<Key> keys, const FormulaScope& scope,
                       const GridSettings& grid, int depth = 0);

}  // namespace hodge::sim
