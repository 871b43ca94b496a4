// Points turned with a shape, and back.
#pragma once

#include <array>
#include <string>

#include "sim/discrete/bodies/shapes.hpp"

namespace hodge::sim {

class Rotation {
 public:
  // `middle`: about which it turns unless it says so. Errors: ConfigError, its text beginning with
  // `name`, for an angle without an axis in 3D, more than one way, or an axis of length 0.
  Rotation(const Turning& turned, const Point& middle, int dim, const std::string& name);

  Point back(const Point& x) const;                     // where a point of the turned shape was
  ShapeExtent turned(const ShapeExtent& extent) const;  // the box around a turned box

 private:
  std::array<Point, 3> rows_;
  Point about_;
};

}  // namespace hodge::sim
