// Closed surfaces of triangles, and the points inside.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/point.hpp"
#include "sim/discrete/bodies/point_rows.hpp"
#include "sim/model/solid.hpp"

namespace hodge::sim {

struct Surface {
  std::vector<Point> points;
  std::vector<std::array<int, 3>> triangles;  // positions in points
};

// An STL file, text or binary; vertices with the very same coordinates are one point, and triangles
// without area between such points are dropped. Errors: ConfigError where there is no such file, it
// may not be read, or it holds no surface; IoError where reading fails; all with the path. Nothing
// is printed.
Surface read_stl(const std::string& file);

// Makes the winding number of the surface tell what is solid: turns triangles so that the normals
// of each closed part, which shares edges with no other one, point out of the body. A part with
// normals inwards within a body is a cavity; elsewhere it was turned inside out, and is turned with
// all parts within it. Returns what was turned, and which parts lie within others, in words; empty
// where the surface is as it should be.
//
// Errors: ConfigError, its text beginning with `name`, with an edge where the surface is open or
// has one side only.
std::string orient_shells(Surface& surface, const std::string& name);

// 1 for the points of a 3D grid that a closed surface winds around, 0 for the others; axis 0
// fastest. Points on the surface count as behind it.
std::vector<std::uint8_t> points_inside(const PointRows& rows, const Surface& surface);

// The surfaces of a problem: the key of each, its file, what orient_shells has to say of it, and
// the box around it.
struct SurfaceOfSolid {
  std::string key;  // "solids[2].surface.file"
  std::string file;
  std::string told;
  Point lower{}, upper{};
};
std::vector<SurfaceOfSolid> surfaces_of(const std::vector<Solid>& solids);

}  // namespace hodge::sim
