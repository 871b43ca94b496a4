// What stands in front of the values of a VTK XML file: its elements, how its values are stored,
// and its grid.
//
// Errors: ConfigError with the file, the line, what is wrong and what was expected; IoError where
// the file cannot be read.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "linalg/files/file_descriptor.hpp"
#include "sim/app/frames/stored_array.hpp"
#include "sim/app/output/xml_document.hpp"

namespace hodge::sim {

using Extent = std::array<int, 6>;  // the first and the last point along each axis

// Of an axis with one point: 1. 0 where all are more than 2^63.
std::uint64_t cells_of(const Extent& extent);
std::string extent_text(const Extent& extent);

// The text of a file up to its appended data, as elements.
struct FrameHeader {
  explicit FrameHeader(const std::filesystem::path& path);

  std::string path;  // for messages
  FileDescriptor file;
  std::string text;
  XmlElement root;  // VTKFile
  FrameFormat format;

  // The element of the grid: ImageData, ...
  const XmlElement& grid() const;
};

// Attributes of elements.
Extent extent_of(const FrameHeader& header, const XmlElement& element, const char* key);
// Origin and spacing of image data; nothing for rectilinear grids.
struct UniformGrid {
  std::array<double, 3> origin{0, 0, 0}, spacing{1, 1, 1};
};
std::optional<UniformGrid> uniform_grid_of(const FrameHeader& header);

}  // namespace hodge::sim
