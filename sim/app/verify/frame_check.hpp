// Whether a frame (output/vtk_frame.hpp) is whole: its XML, the size and place of every array, then
// every value as VTK's reader unpacks it.
//
// A VTK file has no checksums: a changed byte inside of packed values may pass.
#pragma once

#include <filesystem>

namespace hodge::sim {

// The time of the frame. Errors: IoError with what is wrong.
double check_frame(const std::filesystem::path& path);

}  // namespace hodge::sim
