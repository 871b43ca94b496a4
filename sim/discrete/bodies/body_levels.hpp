// Several bodies as one level function (level_set.hpp). It repeats along periodic axes, and beyond
// sides through which fluid passes it is mirrored: nothing changes along the normal there. What is
// in such a side is that just within, so that a cavity may end in it.
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
  // The point that stands for x: itself, the one in the box on a periodic axis, or its mirror
  // image.
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
  struct Mirror {
    int axis;
    double at, sign, within;  // sign: +1 at a lower side; a point is at least `within` from it
  };
  std::vector<Mirror> mirrors_;
};

}  // namespace hodge::sim
