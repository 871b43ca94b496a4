// A position or a direction: one number per axis.
#pragma once

#include "sim/app/config/schema.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// A list of grid.dim numbers; the dimension must be known.
ValueReader point(Point& out, const GridSettings& grid);

std::string point_text(const Point& at, const GridSettings& grid);  // "[0, 0.5]"

// Of the box.
Point lower_corner(const GridSettings& grid);
Point upper_corner(const GridSettings& grid);
Point middle_of(const GridSettings& grid);

}  // namespace hodge::sim
