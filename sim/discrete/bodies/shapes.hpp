// Boxes, spheres, cylinders and ellipsoids: their levels (level_set.hpp), the boxes around them,
// and checks of their numbers.
//
// In 2D the last coordinate is ignored. The boundary belongs to a box at its lower sides, and to
// none of the others.
#pragma once

#include <limits>
#include <string>

#include "sim/model/shape.hpp"

namespace hodge::sim {

struct ShapeExtent {
  Point lower{}, upper{};
};

// Of points on the surface that belong to the body.
inline constexpr double least_inside = -std::numeric_limits<double>::denorm_min();

double level(const BoxShape& box, const Point& x, int dim);
double level(const SphereShape& sphere, const Point& x, int dim);
double level(const CylinderShape& cylinder, const Point& x, int dim);
double level(const EllipseShape& ellipse, const Point& x, int dim);
double level(const EllipsoidShape& ellipsoid, const Point& x, int dim);

// Infinite along the axis of what is endless.
ShapeExtent extent(const BoxShape& box);
ShapeExtent extent(const SphereShape& sphere);
ShapeExtent extent(const CylinderShape& cylinder);
ShapeExtent extent(const EllipseShape& ellipse);
ShapeExtent extent(const EllipsoidShape& ellipsoid);

// Errors: ConfigError, its text beginning with `name`, for numbers that make no body.
void check_shape(const BoxShape& box, int dim, const std::string& name);
void check_shape(const SphereShape& sphere, int dim, const std::string& name);
void check_shape(const CylinderShape& cylinder, int dim, const std::string& name);
void check_shape(const EllipseShape& ellipse, int dim, const std::string& name);
void check_shape(const EllipsoidShape& ellipsoid, int dim, const std::string& name);

}  // namespace hodge::sim
