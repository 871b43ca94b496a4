#include "sim/discrete/bodies/body_levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hodge::sim {
namespace {

constexpr double just_within = 1e-6;  // of a width

}  // namespace

BodyLevels::BodyLevels(const Grid& grid, const Problem& problem,
                       const std::function<bool(const Solid&)>& takes)
    : sets_(std::make_shared<const LevelSets>(
          level_sets(grid, problem.solids, problem.boundaries.periodic_axes()))) {
  for (std::size_t k = 0; k < problem.solids.size(); ++k)
    if (!takes || takes(problem.solids[k])) taken_.push_back(k);
  for (const auto [axis, side] : sides_of_box(grid.dim())) {
    const SideTraits& traits = problem.boundaries.sides[axis][side].traits();
    if (!traits.is_open() && !traits.is_inflow()) continue;
    const Axis& of = grid.axis(axis);
    const double width = side == 0 ? of.widths.front() : of.widths.back();
    mirrors_.push_back(
        {axis, side == 0 ? of.lower() : of.upper(), side == 0 ? 1.0 : -1.0, just_within * width});
  }
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
  for (const Mirror& mirror : mirrors_) {
    double& at = x[mirror.axis];
    const double inward = mirror.sign * (at - mirror.at);
    if (inward < mirror.within)
      at = mirror.at + mirror.sign * std::max(std::abs(inward), mirror.within);
  }
  return x;
}

}  // namespace hodge::sim
