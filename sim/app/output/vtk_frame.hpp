// Frames as VTK XML files: image data (.vti) on uniform grids, a rectilinear grid (.vtr) on
// stretched ones.
//
// Appended raw binary, LZ4; cell data by name; the time as the field-data array TimeValue and the
// step as StepNumber. A 2D grid is a plane of pixels at z = 0. Lengths are the grid's own.
//
// LZ4 because the doubles of a moving fluid hardly shrink: measured on a 64^3 cavity, zlib makes
// them 5 % smaller at 25 MB/s (38 s for a frame of 256^3 cells), LZ4 shrinks only what is constant,
// at 600 MB/s.
#pragma once

#include <filesystem>
#include <string_view>

#include "sim/discrete/grid/grid.hpp"
#include "sim/flow/frame.hpp"

namespace hodge::sim {

// ".vti" or ".vtr".
std::string_view frame_extension(const Grid& grid);

// Writes aside and renames. Throws IoError with the path and the reason, ShapeError if an array
// does not fit the grid.
void write_frame(const std::filesystem::path& path, const Grid& grid, const Frame& frame);

}  // namespace hodge::sim
