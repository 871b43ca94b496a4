#include "sim/discrete/bodies/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
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

EllipsoidShape as_ellipsoid(const EllipseShape& ellipse) {
  EllipsoidShape same{ellipse.centre, {}};
  std::size_t next = 0;
  for (int d = 0; d < 3; ++d)
    same.radii[d] =
        d == ellipse.axis ? std::numeric_limits<double>::infinity() : ellipse.radii[next++];
  return same;
}

// sqrt(squared) - radius, with the sign of a comparison of the squares.
double round_level(double squared, double radius) {
  return (squared - radius * radius) / (std::sqrt(squared) + radius);
}

ShapeExtent around(const Point& centre, const Point& reach) {
  ShapeExtent result;
  for (int d = 0; d < 3; ++d) {
    result.lower[d] = centre[d] - reach[d];
    result.upper[d] = centre[d] + reach[d];
  }
  return result;
}

void check_centre(const Point& centre, int dim, const std::string& name) {
  for (int d = 0; d < dim; ++d)
    if (!std::isfinite(centre[d]))
      throw ConfigError(fmt::format("{}: its centre is at {} along {}; a finite number is needed",
                                    name, centre[d], axis_names[d]));
}

void check_size(double size, const char* what, const std::string& name) {
  if (!(size > 0) || !std::isfinite(size))
    throw ConfigError(fmt::format("{}: its {} is {}; a number > 0 is needed", name, what, size));
}

void check_axis(int axis, int dim, const char* what, const std::string& name) {
  if (axis < 0 || axis > 2)
    throw ConfigError(
        fmt::format("{}: the {}'s axis is {}; 0, 1 or 2 is needed", name, what, axis));
  if (dim == 2 && axis != 2)
    throw ConfigError(
        fmt::format("{}: the {}'s axis is {}; in 2D it is z", name, what, axis_names[axis]));
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
  const double side =
      round_level(squared_distance(x, cylinder.centre, dim, cylinder.axis), cylinder.radius);
  if (std::isinf(cylinder.length) || cylinder.axis >= dim) return side;
  const double end =
      std::abs(x[cylinder.axis] - cylinder.centre[cylinder.axis]) - 0.5 * cylinder.length;
  return side > 0 && end > 0 ? std::hypot(side, end) : std::max(side, end);
}

// k (k - 1) / |(x_d / r_d^2)| with k = |(x_d / r_d)|: near the surface the distance to first order.
double level(const EllipsoidShape& ellipsoid, const Point& x, int dim) {
  double sum = 0, slope = 0, least = std::numeric_limits<double>::infinity();
  for (int d = 0; d < dim; ++d) {
    const double radius = ellipsoid.radii[d], part = (x[d] - ellipsoid.centre[d]) / radius;
    if (std::isinf(radius)) continue;
    sum += part * part;
    slope += part * part / (radius * radius);
    least = std::min(least, radius);
  }
  if (slope == 0) return -least;
  const double root = std::sqrt(sum);
  return (sum - 1) * root / ((root + 1) * std::sqrt(slope));
}

double level(const EllipseShape& ellipse, const Point& x, int dim) {
  return level(as_ellipsoid(ellipse), x, dim);
}

ShapeExtent extent(const BoxShape& box) {
  return {box.lower, box.upper};
}

ShapeExtent extent(const SphereShape& sphere) {
  return around(sphere.centre, {sphere.radius, sphere.radius, sphere.radius});
}

ShapeExtent extent(const CylinderShape& cylinder) {
  Point reach{cylinder.radius, cylinder.radius, cylinder.radius};
  reach[cylinder.axis] = 0.5 * cylinder.length;
  return around(cylinder.centre, reach);
}

ShapeExtent extent(const EllipsoidShape& ellipsoid) {
  return around(ellipsoid.centre, ellipsoid.radii);
}

ShapeExtent extent(const EllipseShape& ellipse) {
  return extent(as_ellipsoid(ellipse));
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
  check_centre(sphere.centre, dim, name);
  check_size(sphere.radius, "radius", name);
}

void check_shape(const CylinderShape& cylinder, int dim, const std::string& name) {
  check_axis(cylinder.axis, dim, "cylinder", name);
  check_centre(cylinder.centre, dim, name);
  check_size(cylinder.radius, "radius", name);
  if (!std::isinf(cylinder.length)) check_size(cylinder.length, "length", name);
}

void check_shape(const EllipseShape& ellipse, int dim, const std::string& name) {
  check_axis(ellipse.axis, dim, "ellipse", name);
  check_centre(ellipse.centre, dim, name);
  for (const double radius : ellipse.radii) check_size(radius, "radius", name);
}

void check_shape(const EllipsoidShape& ellipsoid, int dim, const std::string& name) {
  check_centre(ellipsoid.centre, dim, name);
  for (int d = 0; d < dim; ++d) check_size(ellipsoid.radii[d], "radius", name);
}

}  // namespace hodge::sim
