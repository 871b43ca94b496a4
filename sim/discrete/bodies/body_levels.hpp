// Several bodies as one level function (level_set.hpp), which repeats along periodic axes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "sim/discrete/bodies/cut_grid.hpp"
#include "sim/discrete/bodies/level_set.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

class BodyLevels {
 public:
  // Of the solids for which `takes` is true; without it of all.
  BodyLevels(const Grid& grid, const Problem& problem,
             const std::function<bool(const Solid&)>& takes = {});

  bool any() const { return !taken_.empty(); }
  LevelFunction least() const;
  // The number of the body that is nearest, from 1.
  std::uint8_t nearest(const Point& x) const { return nearest_at(in_box(x)).body; }
  // The point that stands for x: itself, or on a periodic axis the one in the box.
  Point in_box(Point x) const;

 private:
  struct Nearest {
    double level;
    std::uint8_t body;
  };
  Nearest nearest_at(const Point& x) const;

  std::shared_ptr<const LevelSets> sets_;
  std::vector<std::size_t> taken_;
  Point lower_{}, period_{};  // period 0: not periodic
};

}  // namespace hodge::sim
