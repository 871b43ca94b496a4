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
// A declaration says that appended data are raw, and their tag has no attributes. VTK ends the XML
// artificially where the appended data begin, by the 14 bytes "/>\n</VTKFile>\n". Expat with its
// security update of 2024 (2.6.0; 2.5.0-1+deb12u5 of Debian) looks at an unfinished tag again once
// twice as many bytes are there, so the tag may have 14 bytes at that point: "<AppendedData" has
// 13, with encoding="raw" it has 28, and VTK then parses the data as XML. Later versions of VTK
// turn that rule of Expat off, as does Debian's VTK 9.1; ParaView 5.11 of Debian 12 does not.
//
// Format: "VTK XML Formats", docs.vtk.org, and vtkXMLDataParser::ReadCompressionHeader. The header
// and the sizes are filled in at the end, when the packed sizes are known, and then the checksum of
// the file (frame_seal.hpp), for which it is read once: 2 GB/s.
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

// What the XML parser is told of appended data, and how they begin and end.
inline constexpr std::string_view appended_data_declaration =
    "<!DOCTYPE VTKFile [<!ATTLIST AppendedData encoding CDATA \"raw\">]>\n";
inline constexpr std::string_view appended_data_begin = "  <AppendedData>\n   _";
inline constexpr std::string_view appended_data_end = "\n  </AppendedData>\n</VTKFile>\n";
// And the data of an array in its place.
inline constexpr std::string_view inline_data_begin = " format=\"binary\">\n";
inline constexpr std::string_view inline_data_end = "\n      </DataArray>\n";

}  // namespace hodge::sim
