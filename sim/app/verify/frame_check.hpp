// Whether a frame in one file (output/vtk_frame.hpp), or a piece of one, is whole: its XML, the
// size and place of every array, then every value as VTK's reader unpacks it.
//
// A VTK file has no checksums: a changed byte inside of packed values may pass.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "sim/flow/frame.hpp"

namespace hodge::sim {

struct FrameContent {
  double time = 0;
  std::array<int, 6> extent{};  // the first and the last point along each axis
  std::vector<FrameArrayType> arrays{};
};

// Errors: IoError with what is wrong.
FrameContent check_frame_file(const std::filesystem::path& path);

}  // namespace hodge::sim
