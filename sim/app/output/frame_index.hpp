// The file of a frame in pieces, frames/cavity_000012.pvti (.pvtr on stretched grids): it lists the
// arrays and the pieces, which are whole VTK files of their own (vtk_frame.hpp). VTK's parallel
// readers put them together.
//
// Time and step are field data of every piece, where VTK reads them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/app/output/vtk_tags.hpp"
#include "sim/flow/frame.hpp"

namespace hodge::sim {

// The pieces are in folder_of_pieces(path); piece p has the layers from first_layers[p] to
// first_layers[p + 1]. Writes aside, synchronises and renames.
// Errors: IoError.
void write_frame_index(const std::filesystem::path& path, const Grid& grid,
                       const std::vector<FrameArrayType>& arrays,
                       const std::vector<int>& first_layers);

}  // namespace hodge::sim
