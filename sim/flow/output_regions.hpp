// Parts of the box that have frames of their own, `output.regions`, as cells of the grid.
#pragma once

#include "sim/discrete/bodies/body_frames.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// The cells that a region has a part of; of a plane, along its axis, the cell that it is in. A
// plane between two cells has the upper one, and at the end of the box the last one.
CellRange cells_of(const OutputRegion& region, const Grid& grid);

// Throws KeyError for a region thinner than a cell that is no plane, and for one with the name of
// the run.
void check_regions(const Settings& settings, const Grid& grid);

}  // namespace hodge::sim
