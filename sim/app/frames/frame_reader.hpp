// The one reader of frames: VTK XML files of image data and rectilinear grids (.vti, .vtr), in one
// file or in pieces that a .pvti or .pvtr lists, of hodge, VTK, ParaView and other programs; and
// one frame of a .vtkhdf of hodge (one_file_frame.hpp).
//
// Checked before a value is used: the checksum, of frames that have one (output/frame_seal.hpp);
// the XML; the sizes of all arrays against the bytes that the files have; extents, origin and
// spacing or coordinates, finite and increasing; that pieces have the arrays and the parts of the
// grid that are listed, the same time, and together all cells once; that values unpack and are
// finite.
//
// Format: "VTK XML Formats", docs.vtk.org. Values in text, in base64 and appended, as they are and
// packed by zlib, LZ4 and LZMA, of either byte order. Left out: the values at points.
//
// Errors: ConfigError with file, line, what is wrong and what was expected; IoError where a file
// cannot be read. Memory: that of one array, beside what take() keeps.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "sim/app/frames/frame_file.hpp"

namespace hodge::sim {

struct FrameContent {
  std::optional<double> time;
  std::array<std::vector<double>, 3> edges;  // of the cells; one point along an axis without cells
  std::set<StoredType> arrays;               // the wanted ones
};

// Takes the values of an array in a part of the grid: axis 0 fastest, the components of a cell next
// to each other. Every wanted array comes with every part, parts in the order of the file.
using TakeValues = std::function<void(const StoredType& array, const Extent& whole,
                                      const Extent& part, std::vector<double> values)>;

// `number`: of the frame in a .vtkhdf, from 0; without one the last. Without any wanted array the
// content of other files has no edges.
FrameContent read_frame(const std::filesystem::path& path, const WantsArray& wants,
                        const TakeValues& take, std::optional<std::size_t> number = {});

// The files that a frame in pieces lists, all of which are there; of a frame in one file none.
std::vector<std::filesystem::path> pieces_of_frame(const std::filesystem::path& path);

// Reads all and keeps nothing. Returns the time, which every frame of hodge has; of several in a
// file that of the last.
std::optional<double> check_frame(const std::filesystem::path& path);

}  // namespace hodge::sim
