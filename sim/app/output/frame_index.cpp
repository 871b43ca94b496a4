#include "sim/app/output/frame_index.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/read_file.hpp"
#include "sim/app/output/frame_names.hpp"
#include "sim/app/output/xml_tags.hpp"

namespace hodge::sim {
namespace {

constexpr std::string_view last_line = "</VTKFile>\n";

std::string arrays_text(const Grid& grid, const std::vector<FrameArrayType>& arrays) {
  std::string text = "    <PCellData>\n";
  for (const FrameArrayType& array : arrays)
    text += fmt::format("      <PDataArray {}/>\n", array_attributes(array));
  text += "    </PCellData>\n";
  if (grid.uniform()) return text;
  text += "    <PCoordinates>\n";
  for (int d = 0; d < 3; ++d)
    text += fmt::format("      <PDataArray {}/>\n", coordinate_attributes(d));
  return text + "    </PCoordinates>\n";
}

std::string pieces_text(const std::filesystem::path& path, const Grid& grid,
                        const std::vector<int>& first_layers) {
  std::string text;
  for (std::size_t p = 0; p + 1 < first_layers.size(); ++p) {
    if (first_layers[p] == first_layers[p + 1]) continue;
    text +=
        fmt::format("    <Piece Extent=\"{}\" Source=\"{}\"/>\n",
                    extent_text({grid, first_layers[p], first_layers[p + 1]}),
                    piece_of_frame(path.stem().string(), std::to_string(p), frame_extension(grid)));
  }
  return text;
}

}  // namespace

void write_frame_index(const std::filesystem::path& path, const Grid& grid,
                       const std::vector<FrameArrayType>& arrays,
                       const std::vector<int>& first_layers) {
  const std::string type = fmt::format("P{}", vtk_type(grid));
  write_file_atomically(
      path, fmt::format("{}  <{} {} GhostLevel=\"0\">\n{}{}  </{}>\n{}", file_head(type), type,
                        grid_attributes(grid, extent_text(grid)), arrays_text(grid, arrays),
                        pieces_text(path, grid, first_layers), type, last_line));
}

FrameIndex read_frame_index(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  FrameIndex index;
  std::string section;
  for (const XmlTag& tag : xml_tags(text)) {
    if (tag.name == "PImageData" || tag.name == "PRectilinearGrid")
      index.whole_extent = tag.attribute("WholeExtent");
    if (tag.name == "Piece")
      index.pieces.push_back(
          {tag.attribute("Extent"), path.parent_path() / tag.attribute("Source")});
    if (tag.name == "PDataArray" && section == "PCellData")
      index.arrays.push_back({tag.attribute("Name"),
                              std::atoi(tag.attribute("NumberOfComponents").c_str()),
                              tag.attribute("type") == "Float32"});
    if (tag.name != "PDataArray") section = tag.name;
  }
  if (!text.ends_with(last_line) || index.pieces.empty() || index.whole_extent.empty())
    throw IoError(path.string() + " is damaged: it lists no pieces, or is cut off");
  return index;
}

}  // namespace hodge::sim
