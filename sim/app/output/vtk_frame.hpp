// Frames as VTK XML files: image data (.vti) on uniform grids, a rectilinear grid (.vtr) on
// stretched ones.
//
// A file has all cells of a grid, or those of a part of it: layers of cells across the last axis.
//
// Appended raw data, or inline base64, in blocks of 256 KiB, packed by LZ4 on several threads; cell
// data by name, as floats or doubles; the time as the field-data array TimeValue and the step as
// StepNumber. A 2D grid is a plane of pixels at z = 0. Lengths are the grid's own.
//
//   header, _, for each array: number of blocks, bytes of a block, bytes of the last one if it is
//   smaller (otherwise 0), packed bytes of each block (all as UInt64), the packed blocks
//
// Inline, the same numbers and blocks follow the tag of their array, as two texts in base64.
//
// Format: "VTK XML Formats", docs.vtk.org, and vtkXMLDataParser::ReadCompressionHeader. The header
// and the sizes are filled in at the end, when the packed sizes are known.
//
// LZ4 because the values of a moving fluid hardly shrink: measured on a 64^3 cavity, zlib makes
// doubles 5 % smaller at 25 MB/s per core; LZ4 shrinks only what is constant, at 600 MB/s or more.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sim/app/output/vtk_tags.hpp"
#include "sim/flow/frame.hpp"

namespace hodge::sim {

enum class FrameEncoding { appended, in_line };

// Of the names in output.encoding.
FrameEncoding frame_encoding(const std::string& name);

// Writes aside, synchronises and renames. Throws IoError with the path and the reason, ShapeError
// if an array does not fit the part.
void write_frame(const std::filesystem::path& path, const FramePart& part, const Frame& frame,
                 int threads = 1, FrameEncoding encoding = FrameEncoding::appended);

// How the appended data of a frame begin and end.
inline constexpr std::string_view appended_data_begin = "  <AppendedData encoding=\"raw\">\n   _";
inline constexpr std::string_view appended_data_end = "\n  </AppendedData>\n</VTKFile>\n";
// And the data of an array in its place.
inline constexpr std::string_view inline_data_begin = " format=\"binary\">\n";
inline constexpr std::string_view inline_data_end = "\n      </DataArray>\n";

}  // namespace hodge::sim
