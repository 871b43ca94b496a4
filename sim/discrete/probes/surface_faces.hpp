// The faces of the grid that make the surface of a body, as a staircase has it, or a side of the
// box: each is a face of a fluid cell. Of a sharp body the patches that it has in the cells which
// it cuts (sharp_surface.hpp).
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

// A piece of a surface, with its normal into the fluid and its corners around it.
struct SurfacePatch {
  std::array<int, 3> cell{};           // that has it
  std::array<int, 3> pressure_cell{};  // whose pressure, and gradient of it, hold there
  int body = 0;                        // from 1; 0: of a side
  Point middle{}, normal{};
  double area = 0;  // 2D: length
  std::vector<Point> corners{};
};

// A side of the box or a body by its name: sides are x_lower, ..., z_upper. It has faces or, of a
// sharp body, patches.
struct FacedSurface {
  std::string name;
  std::vector<GridFace> faces;
  std::vector<SurfacePatch> patches{};

  std::size_t size() const { return faces.size() + patches.size(); }
};

// `bodies`: of every cell, or none; the names are those of sides that are not periodic, and of
// bodies, those of sharp ones too. Errors: ConfigError for another name.
FacedSurface surface_of(const Grid& grid, const Problem& problem,
                        std::span<const std::uint8_t> bodies, const std::string& name);

std::vector<FacedSurface> surfaces_of(const Grid& grid, const Problem& problem,
                                      std::span<const std::uint8_t> bodies,
                                      const std::vector<std::string>& names);

// The faces as patches, or the patches.
std::vector<SurfacePatch> patches_of(const Grid& grid, const FacedSurface& surface);

// The middle of a face and its corners: 2 in 2D, 4 in 3D, around it.
Point middle_of(const Grid& grid, const GridFace& face);
std::vector<Point> corners_of(const Grid& grid, const GridFace& face);

}  // namespace hodge::sim
