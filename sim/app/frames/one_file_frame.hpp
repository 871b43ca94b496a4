// A frame of those in one file (output/vtkhdf_file.hpp), as read_frame of frame_reader.hpp gives
// it.
//
// An array that a restart with another precision goes on as NAME_double or NAME_single has its name
// again. Errors: ConfigError where there is no frame of that number, or a value is not finite;
// IoError where the file is damaged or cannot be read.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sim/app/frames/frame_reader.hpp"

namespace hodge::sim {

bool has_all_frames(const std::filesystem::path& path);  // by its name

// `number`: without one the last.
FrameContent read_frame_of_one_file(const std::filesystem::path& path, const WantsArray& wants,
                                    const TakeValues& take, std::optional<std::size_t> number);

// Of the time and the values of the last frame, whatever is behind it in the file or before it.
std::string digest_of_last_frame(const std::filesystem::path& path);

}  // namespace hodge::sim
