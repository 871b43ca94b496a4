// A body and its images in periodic axes, as far as they reach the box.
#pragma once

#include <array>
#include <memory>

#include "sim/discrete/bodies/level_set.hpp"

namespace hodge::sim {

// A body that is endless along an axis, or does not reach the box, has no images there: whoever
// needs its cells refuses it.
std::unique_ptr<const LevelSet> repeated(std::unique_ptr<const LevelSet> body, const Grid& grid,
                                         const std::array<bool, 3>& periodic);

}  // namespace hodge::sim
