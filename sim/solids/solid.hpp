// Solid bodies in the fluid. A cell whose centre is inside a body is solid.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "sim/grid/grid.hpp"
#include "sim/grid/point.hpp"

namespace hodge::sim {

struct BoxShape {
  Point lower{}, upper{};
};

struct SphereShape {  // a circle in 2D
  Point centre{};
  double radius = 0;
};

struct CylinderShape {  // infinite along `axis`; along z a circle in 2D
  int axis = 2;
  Point centre{};
  double radius = 0;
};

struct SurfaceShape {  // a closed surface; 3D
  std::string file;    // STL
};

struct Solid {
  std::string name;
  std::variant<BoxShape, SphereShape, CylinderShape, SurfaceShape> shape;
};

// For every cell (axis 0 fastest, no ghosts) 0, or 1 + the first body that contains its centre.
// Errors: ConfigError for a shape that makes no body, a surface that is not closed, more than 254
// bodies; IoError for a file that cannot be read.
std::vector<std::uint8_t> cell_bodies(const Grid& grid, const std::vector<Solid>& solids);

// The connected regions of fluid cells (neighbours share a face; periodic axes wrap).
struct FluidRegions {
  std::vector<int> region;       // of each cell, -1 in solids
  std::vector<long long> cells;  // of each region
};
FluidRegions fluid_regions(const Grid& grid, const std::vector<std::uint8_t>& bodies,
                           const std::array<bool, 3>& periodic);

}  // namespace hodge::sim
