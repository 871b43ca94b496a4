// Bodies as level functions: every shape tells of a point whether it is in the body, and how far
// its surface is.
//
//   level(x) < 0   in the body; else outside. The absolute value is the distance to the surface of
//                  boxes, spheres, cylinders and STL surfaces, and of the first order near the
//                  surface of all others.
//
// A point of the surface may belong to either; so that the sign tells, the level is then 0 outside
// and the negative number next to 0 within. Everything here may be called by several threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/base/point.hpp"
#include "sim/discrete/bodies/point_rows.hpp"
#include "sim/discrete/bodies/shapes.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/solid.hpp"

namespace hodge::sim {

class LevelSet {
 public:
  virtual ~LevelSet() = default;
  virtual double level(const Point& x) const = 0;
  // The body is within; infinite where that is not known.
  virtual ShapeExtent extent() const = 0;
  // Whether abs(level()) is the distance to the surface everywhere.
  virtual bool is_distance() const { return false; }
  // 1 where level() < 0, of many points, axis 0 fastest; faster than one by one.
  virtual std::vector<std::uint8_t> inside(const PointRows& rows) const;
};

using LevelSets = std::vector<std::unique_ptr<const LevelSet>>;

// Of every solid; a body that crosses a periodic side appears at the other one. Errors: KeyError
// for a shape that makes no body (no radius, say), a surface that is not closed or a file that
// holds none; IoError for a file that cannot be read.
LevelSets level_sets(const Grid& grid, const std::vector<Solid>& solids,
                     const std::array<bool, 3>& periodic);

}  // namespace hodge::sim
