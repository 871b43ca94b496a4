// Parts of space: shapes, turned, joined, and inside out.
//
// Coordinates and sizes are lengths; a 2D problem ignores the last of them.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/formulas/expression.hpp"
#include "sim/base/point.hpp"

namespace hodge::sim {

struct BoxShape {
  Point lower{}, upper{};  // lower <= x < upper is inside: boxes that touch share no cell
};

struct SphereShape {  // a circle in 2D
  Point centre{};
  double radius = 0;
};

struct CylinderShape {  // along `axis`; along z a circle in 2D
  int axis = 2;
  Point centre{};
  double radius = 0;
  double length = std::numeric_limits<double>::infinity();  // half of it on each side of the centre
};

struct EllipseShape {  // a cylinder of elliptic section, endless along `axis`
  int axis = 2;
  Point centre{};
  std::array<double, 2> radii{};  // along the two other axes, in their order
};

struct EllipsoidShape {
  Point centre{};
  Point radii{};
};

// Closed surfaces of triangles, 3D, whose normals point out of the body: inside is what they wind
// around, the union of parts that overlap without the parts whose normals point inwards.
struct SurfaceShape {
  std::string file;  // STL, text or binary
  double scale = 1;  // times which its coordinates are lengths
  Point shift{};     // what is added to them then
};

// Where a formula of x, y, z is negative.
struct LevelShape {
  Expression level = 0;
};

struct Region;

struct UnionShape {
  std::vector<Region> parts;
};

struct DifferenceShape {
  std::vector<Region> parts;  // the first one without the others
};

// Angles in degrees, counterclockwise where the axis points to the viewer.
struct Turning {
  std::optional<double> angle{};  // about z in 2D, about `axis` in 3D
  std::optional<Point> axis{};    // of any length but 0
  std::optional<Point> angles{};  // 3D: about x, then y, then z, which stay where they are
  std::optional<Point> about{};   // what stays where it is; absent: the middle of the shape

  bool turns() const { return angle || angles; }
};

using Shape = std::variant<BoxShape, SphereShape, CylinderShape, EllipseShape, EllipsoidShape,
                           SurfaceShape, LevelShape, UnionShape, DifferenceShape>;

struct Region {
  Shape shape;
  Turning turned{};
  bool inside_out = false;  // all that is not in the shape
};

}  // namespace hodge::sim
