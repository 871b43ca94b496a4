// One VTK XML file that holds a grid and its cells: image data (.vti) or a rectilinear grid (.vtr),
// of any program; its grid and the places of its arrays are checked before any value is read.
//
// Errors: ConfigError with the file, the line, what is wrong and what was expected; IoError where
// the file cannot be read.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/app/frames/frame_header.hpp"
#include "sim/app/frames/stored_array.hpp"
#include "sim/app/output/xml_document.hpp"

namespace hodge::sim {

// Which arrays of cells are read. Throws what it wants to say of those that do not serve.
using WantsArray = std::function<bool(const StoredType&)>;

class FrameFile {
 public:
  FrameFile(FrameHeader of_file, const WantsArray& wants);
  FrameFile(FrameFile&&) = delete;  // its arrays refer to it

  // A part of the grid with its cells; a file has one of them, or several.
  struct Part {
    Extent extent{};
    std::vector<StoredArray> coordinates{};  // of rectilinear grids: three
    std::vector<StoredArray> cells{};        // the wanted ones
  };

  const FrameHeader& header() const { return header_; }
  const Extent& whole_extent() const { return whole_; }
  std::optional<double> time() const { return time_; }
  const std::optional<UniformGrid>& uniform_grid() const { return uniform_; }
  std::list<Part>& parts() { return parts_; }

 private:
  // Where an array begins in the appended data, the least that it may be, and the next one begins.
  struct Place {
    std::uint64_t begin = 0, least = 0, end = 1;
  };

  void find_places();
  void read_time();
  void add_part(const XmlElement& element, const WantsArray& wants);
  StoredArray array_of(const XmlElement& element, std::uint64_t tuples);

  FrameHeader header_;
  std::unordered_map<const XmlElement*, Place> places_;
  Extent whole_{};
  std::optional<double> time_;
  std::optional<UniformGrid> uniform_;
  std::list<Part> parts_;
};

}  // namespace hodge::sim
