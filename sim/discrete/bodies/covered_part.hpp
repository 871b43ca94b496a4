// Means over the part of a box that a body covers.
#pragma once

#include <functional>

#include "sim/base/formulas/mean.hpp"
#include "sim/discrete/bodies/level_set.hpp"

namespace hodge::sim {

// The integral over what the body covers of the box, over the box's volume: of whole() where that
// is all of it, else of at(x), which is asked in the body alone; 0 where nothing is covered. Along
// lines across the surface the level counts as linear: exact where one plane along axes cuts the
// box, else of second order.
double covered_mean(const LevelSet& body, const MeanBox& box, int dim,
                    const std::function<double()>& whole,
                    const std::function<double(const Point&)>& at);

// Of the box's volume, 0 to 1.
double covered_part(const LevelSet& body, const MeanBox& box, int dim);

}  // namespace hodge::sim
