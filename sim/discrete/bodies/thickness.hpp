// Whether a body is anywhere as thick as a cell of the grid.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/discrete/bodies/level_set.hpp"

namespace hodge::sim {

// Looks for a ball with a diameter of 0.7 cells in the cells of the body (those with its number in
// `bodies`, as cell_bodies has them), at 4 places along each axis of a cell: false below 0.7 cells,
// true from 1 on.
bool is_as_thick_as_a_cell(const LevelSet& body, const Grid& grid,
                           const std::vector<std::uint8_t>& bodies, std::uint8_t number);

}  // namespace hodge::sim
