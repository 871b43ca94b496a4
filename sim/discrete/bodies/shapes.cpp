#include "sim/discrete/bodies/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/base/errors.hpp"
#include "sim/discrete/grid/grid.hpp"

namespace hodge::sim {
namespace {

constexpr int no_axis = -1;

double squared_distance(const Point& a, const Point& b, int dim, int ignored_axis) {
  double sum = 0;
  for (int d = 0; d < dim; ++d) sum += d == ignored_axis ? 0.0 : (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

// sqrt(squared) - radius, with the sign of a comparison of the squares.
double round_level(double squared, double radius) {
  return (squared - radius * radius) / (std::sqrt(squared) + radius);
}

Extent around(const Point& centre, double radius) {
  Extent result;
  for (int d = 0; d < 3; ++d) {
    result.lower[d] = centre[d] - radius;
    result.upper[d] = centre[d] + radius;
  }
  return result;
}

void check_round(const Point& centre, double radius, int dim, const std::string& name) {
  for (int d = 0; d < dim; ++d)
    if (!std::isfinite(centre[d]))
      throw ConfigError(fmt::format("{}: its centre is at {} along {}; a finite number is needed",
                                    name, centre[d], axis_names[d]));
  if (!(radius > 0) || !std::isfinite(radius))
    throw ConfigError(fmt::format("{}: its radius is {}; a number > 0 is needed", name, radius));
}

}  // namespace

double level(const BoxShape& box, const Point& x, int dim) {
  double squares = 0, deepest = -std::numeric_limits<double>::infinity();
  bool inside = true;
  for (int d = 0; d < dim; ++d) {
    const double beyond = std::max(box.lower[d] - x[d], x[d] - box.upper[d]);
    inside = inside && box.lower[d] <= x[d] && x[d] < box.upper[d];
    deepest = std::max(deepest, beyond);
    squares += beyond > 0 ? beyond * beyond : 0;
  }
  return inside ? std::min(deepest, least_inside) : std::sqrt(squares);
}

double level(const SphereShape& sphere, const Point& x, int dim) {
  return round_level(squared_distance(x, sphere.centre, dim, no_axis), sphere.radius);
}

double level(const CylinderShape& cylinder, const Point& x, int dim) {
  return round_level(squared_distance(x, cylinder.centre, dim, cylinder.axis), cylinder.radius);
}

Extent extent(const BoxShape& box) {
  return {box.lower, box.upper};
}

Extent extent(const SphereShape& sphere) {
  return around(sphere.centre, sphere.radius);
}

Extent extent(const CylinderShape& cylinder) {
  Extent result = around(cylinder.centre, cylinder.radius);
  result.lower[cylinder.axis] = -std::numeric_limits<double>::infinity();
  result.upper[cylinder.axis] = std::numeric_limits<double>::infinity();
  return result;
}

void check_shape(const BoxShape& box, int dim, const std::string& name) {
  for (int d = 0; d < dim; ++d) {
    if (box.lower[d] < box.upper[d]) continue;
    throw ConfigError(
        fmt::format("{}: the box goes from {} to {} along {}; lower < upper is needed", name,
                    box.lower[d], box.upper[d], axis_names[d]));
  }
}

void check_shape(const SphereShape& sphere, int dim, const std::string& name) {
  check_round(sphere.centre, sphere.radius, dim, name);
}

void check_shape(const CylinderShape& cylinder, int dim, const std::string& name) {
  if (cylinder.axis < 0 || cylinder.axis > 2)
    throw ConfigError(
        fmt::format("{}: the cylinder's axis is {}; 0, 1 or 2 is needed", name, cylinder.axis));
  if (dim == 2 && cylinder.axis != 2)
    throw ConfigError(fmt::format("{}: the cylinder's axis is {}; in 2D it is z", name,
                                  axis_names[cylinder.axis]));
  check_round(cylinder.centre, cylinder.radius, dim, name);
}

}  // namespace hodge::sim
