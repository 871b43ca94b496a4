// Whether a frame is whole, be it one file or pieces that a .pvti or .pvtr lists: then every piece
// has to be whole (frame_check.hpp), to have the arrays and the part of the grid that are listed,
// and the same time; together they have to be the grid.
#pragma once

#include <filesystem>

namespace hodge::sim {

// The time of the frame. Errors: IoError with what is wrong.
double check_frame(const std::filesystem::path& path);

}  // namespace hodge::sim
