// The faces of the grid that make the surface of a body, as a staircase has it, or a side of the
// box: each is a face of a fluid cell.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/point.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

struct GridFace {
  std::array<int, 3> cell{};  // the fluid cell
  int axis = 0, side = 0;     // the face lies across the axis, below the cell (0) or above it (1)
};

// A side of the box or a body by its name: sides are x_lower, ..., z_upper.
struct FacedSurface {
  std::string name;
  std::vector<GridFace> faces;
};

// `bodies`: of every cell, or none; the names are those of sides that are not periodic, and of
// bodies. Errors: ConfigError for another name.
FacedSurface surface_of(const Grid& grid, const Problem& problem,
                        std::span<const std::uint8_t> bodies, const std::string& name);

// The middle of a face and its corners: 2 in 2D, 4 in 3D, around it.
Point middle_of(const Grid& grid, const GridFace& face);
std::vector<Point> corners_of(const Grid& grid, const GridFace& face);

}  // namespace hodge::sim
