#include "sim/discrete/bodies/body_levels.hpp"

#include <cmath>
#include <limits>

namespace hodge::sim {

BodyLevels::BodyLevels(const Grid& grid, const Problem& problem,
                       const std::function<bool(const Solid&)>& takes)
    : sets_(std::make_shared<const LevelSets>(
          level_sets(grid, problem.solids, problem.boundaries.periodic_axes()))) {
  for (std::size_t k = 0; k < problem.solids.size(); ++k)
    if (!takes || takes(problem.solids[k])) taken_.push_back(k);
  for (int d = 0; d < grid.dim(); ++d) {
    if (!problem.boundaries.periodic(d)) continue;
    lower_[d] = grid.axis(d).lower();
    period_[d] = grid.axis(d).length();
  }
}

LevelFunction BodyLevels::least() const {
  return [levels = *this](const Point& x) { return levels.nearest_at(levels.in_box(x)).level; };
}

BodyLevels::Nearest BodyLevels::nearest_at(const Point& x) const {
  Nearest nearest{std::numeric_limits<double>::infinity(), 1};
  for (const std::size_t k : taken_)
    if (const double level = (*sets_)[k]->level(x); level < nearest.level)
      nearest = {level, static_cast<std::uint8_t>(k + 1)};
  return nearest;
}

Point BodyLevels::in_box(Point x) const {
  for (int d = 0; d < 3; ++d)
    if (period_[d] > 0) x[d] -= std::floor((x[d] - lower_[d]) / period_[d]) * period_[d];
  return x;
}

}  // namespace hodge::sim
