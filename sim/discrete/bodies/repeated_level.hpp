// A body and its images in periodic axes, as far as they reach the box.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "sim/discrete/bodies/level_set.hpp"

namespace hodge::sim {

// Errors: ConfigError, its text beginning with `name`, for a body of more than 16 periods. A body
// that does not reach the box gets none: whoever needs its cells refuses it.
std::unique_ptr<const LevelSet> repeated(std::unique_ptr<const LevelSet> body, const Grid& grid,
                                         const std::array<bool, 3>& periodic,
                                         const std::string& name);

}  // namespace hodge::sim
