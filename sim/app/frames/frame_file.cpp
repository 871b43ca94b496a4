#include "sim/app/frames/frame_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

// The arrays in the appended data, in the order of the file.
void collect_appended(const XmlElement& element, std::vector<const XmlElement*>& all) {
  const std::string* const format = element.find("format");
  if (format != nullptr && *format == "appended" && element.find("offset") != nullptr)
    all.push_back(&element);
  for (const XmlElement& child : element.children) collect_appended(child, all);
}

}  // namespace

FrameFile::FrameFile(FrameHeader of_file, const WantsArray& wants)
    : header_(std::move(of_file)), uniform_(uniform_grid_of(header_)) {
  const XmlElement& grid = header_.grid();
  if (grid.name.starts_with('P'))
    refuse_xml(header_.path, grid, "a list of pieces, expected a file with values");
  whole_ = extent_of(header_, grid, "WholeExtent");
  find_places();
  read_time();
  for (const XmlElement& child : grid.children)
    if (child.name == "Piece") add_part(child, wants);
  if (parts_.empty()) refuse_xml(header_.path, grid, fmt::format("{} has no Piece", grid.name));
}

void FrameFile::find_places() {
  std::vector<const XmlElement*> appended;
  collect_appended(header_.root, appended);
  std::uint64_t least = 0;
  for (std::size_t i = 0; i < appended.size(); ++i) {
    const auto offset = whole_attribute(header_.path, *appended[i], "offset");
    if (i > 0) places_[appended[i - 1]].end = offset;
    places_[appended[i]] = {offset, least, header_.format.appended_bytes};
    least = std::max(least, offset + 1);
  }
}

// Arrays stand in the file as in its header, so that an offset cannot lead to another one.
StoredArray FrameFile::array_of(const XmlElement& element, std::uint64_t tuples) {
  const auto found = places_.find(&element);
  const Place place = found == places_.end() ? Place{} : found->second;
  if (place.begin >= place.end)
    refuse_xml(header_.path, element, "its offset is not before that of the next array");
  if (place.begin < place.least)
    refuse_xml(header_.path, element, "its offset is not behind that of the array before it");
  return {header_.path, header_.file, header_.format, element, tuples, place.end};
}

void FrameFile::read_time() {
  for (const XmlElement* const parent : std::array{&std::as_const(header_.root), &header_.grid()}) {
    const XmlElement* const fields = parent->child("FieldData");
    if (fields == nullptr) continue;
    for (const XmlElement& array : fields->children) {
      const std::string* const name = array.find("Name");
      if (array.name != "DataArray" || name == nullptr || *name != "TimeValue") continue;
      if (const std::string* const tuples = array.find("NumberOfTuples"); tuples && *tuples != "1")
        refuse_xml(header_.path, array,
                   fmt::format("TimeValue with NumberOfTuples={}, expected 1", quote(*tuples)));
      time_ = array_of(array, 1).values().front();
    }
  }
}

void FrameFile::add_part(const XmlElement& element, const WantsArray& wants) {
  Part part{.extent = extent_of(header_, element, "Extent")};
  for (int e = 0; e < 3; ++e)
    if (part.extent[2 * e] < whole_[2 * e] || part.extent[2 * e + 1] > whole_[2 * e + 1])
      refuse_xml(header_.path, element,
                 fmt::format("Extent={} is not within WholeExtent={}",
                             quote(extent_text(part.extent)), quote(extent_text(whole_))));
  std::set<std::string> names;
  if (const XmlElement* const cells = element.child("CellData"))
    for (const XmlElement& array : cells->children) {
      if (array.name != "DataArray") continue;
      const StoredType type = stored_type(header_.path, array);
      if (!wants(type)) continue;
      if (!names.insert(type.name).second)
        refuse_xml(header_.path, array,
                   fmt::format("the array {} stands there twice", quote(type.name)));
      part.cells.push_back(array_of(array, cells_of(part.extent)));
    }
  if (!uniform_) {
    const XmlElement* const coordinates = element.child("Coordinates");
    if (coordinates == nullptr || coordinates->children.size() != 3)
      refuse_xml(header_.path, element, "expected Coordinates with three arrays");
    for (int e = 0; e < 3; ++e)
      part.coordinates.push_back(
          array_of(coordinates->children[static_cast<std::size_t>(e)],
                   static_cast<std::uint64_t>(std::int64_t{part.extent[2 * e + 1]} -
                                              part.extent[2 * e] + 1)));
  }
  parts_.push_back(std::move(part));
}

}  // namespace hodge::sim
