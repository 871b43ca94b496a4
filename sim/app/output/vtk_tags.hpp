// What the tags of VTK XML files say of a grid, of a part of it, and of the arrays in its cells.
//
// Format: "VTK XML Formats", docs.vtk.org. Extents are those of points, "0 16 4 8 0 0": the first
// and the last one along each axis. A 2D grid is a plane of pixels at z = 0. Lengths are the grid's
// own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/frame.hpp"

namespace hodge::sim {

// The cells that a file has: all of the grid, or layers of them across its last axis, from the
// first one to one behind the last. The grid must outlive the part.
struct FramePart {
  FramePart(const Grid& of_grid)  // NOLINT(google-explicit-constructor): a grid is all of its cells
      : FramePart(of_grid, 0, of_grid.cells(of_grid.dim() - 1)) {}
  FramePart(const Grid& of_grid, int first_layer, int behind_last)
      : grid(of_grid), first(first_layer), behind(behind_last) {}

  long long cell_count() const;
  std::vector<double> edges(int d) const;  // {0} beyond the dimension

  const Grid& grid;
  int first, behind;
};

// ".vti" or ".vtr".
std::string_view frame_extension(const Grid& grid);

// "ImageData" or "RectilinearGrid".
std::string_view vtk_type(const Grid& grid);

// What stands before the tag of that type, with a blank seal (frame_seal.hpp). `declarations`:
// lines for the XML parser.
std::string file_head(std::string_view type, std::string_view declarations = "");

std::string extent_text(const FramePart& part);
std::string grid_attributes(const Grid& grid, const std::string& whole_extent);
std::string array_attributes(const FrameArrayType& array);
std::string coordinate_attributes(int d);

}  // namespace hodge::sim
