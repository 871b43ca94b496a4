// How the files of frames are called, relative to the run directory:
//
//   frames/cavity_000012.vti                     a frame in one file
//   frames/cavity_000012.pvti                    a frame in pieces: lists them
//   frames/cavity_000012/cavity_000012_3.vti     the piece of process 3
//
// Numbers are texts, so that "#" gives the patterns of a manifest.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sim/discrete/grid/grid.hpp"

namespace hodge::sim {

// "000012".
std::string frame_number(long number);

// `extension`: frame_extension() or index_extension() of the grid.
std::string frame_name(const std::string& run_name, const std::string& number,
                       std::string_view extension);
std::string piece_name(const std::string& run_name, const std::string& number,
                       const std::string& piece, std::string_view extension);

// The same relative to frames/; `stem`: "cavity_000012".
std::string piece_of_frame(const std::string& stem, const std::string& piece,
                           std::string_view extension);

// ".pvti" or ".pvtr".
std::string index_extension(const Grid& grid);

// The folder of the pieces that the .pvti or .pvtr at `frame` lists.
std::filesystem::path folder_of_pieces(const std::filesystem::path& frame);

// Whether the name of a frame is that of one in pieces, or of one in a single file, which may have
// others beside it (.vtkhdf).
bool is_frame_index(const std::filesystem::path& frame);
bool is_frame_file(const std::filesystem::path& frame);

}  // namespace hodge::sim
