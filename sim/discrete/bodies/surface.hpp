// Closed surfaces of triangles, and the cells whose centres are inside.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/point.hpp"
#include "sim/discrete/grid/grid.hpp"

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

// Every edge belongs to two triangles. Errors: ConfigError, its text beginning with `name`, with
// the first edge that does not.
void check_closed(const Surface& surface, const std::string& name);

// 1 for the cells of a 3D grid inside a closed surface, 0 for the others; axis 0 fastest.
std::vector<std::uint8_t> cells_inside(const Grid& grid, const Surface& surface);

}  // namespace hodge::sim
