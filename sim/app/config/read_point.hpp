// A position or a direction: one number an axis.
#pragma once

#include "sim/app/config/schema.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// A list of grid.dim numbers; the dimension must be known by the time the value is read.
ValueReader point(Point& out, const GridSettings& grid);

}  // namespace hodge::sim
