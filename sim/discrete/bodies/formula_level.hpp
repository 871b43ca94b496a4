// The level of a formula of x, y, z: as it is written, its size included.
//
// Where the formula is negative nowhere one period beyond the box, the body is bounded there, and
// has images in that axis; one that goes on (a layer, a wave) is taken as it is.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "sim/base/formulas/expression.hpp"
#include "sim/discrete/bodies/level_set.hpp"

namespace hodge::sim {

// inside() throws ConfigError, its text beginning with `name`, where the formula has no value.
std::unique_ptr<const LevelSet> level_set_of(const Expression& formula, const Grid& grid,
                                             const std::array<bool, 3>& periodic,
                                             const std::string& name);

}  // namespace hodge::sim
