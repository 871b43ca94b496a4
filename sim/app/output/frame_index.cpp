#include "sim/app/output/frame_index.hpp"

#include <fmt/format.h>

#include "linalg/files/atomic_file.hpp"
#include "sim/app/output/frame_names.hpp"
#include "sim/app/output/frame_seal.hpp"

namespace hodge::sim {
namespace {

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
      path, sealed_frame(fmt::format(
                "{}  <{} {} GhostLevel=\"0\">\n{}{}  </{}>\n</VTKFile>\n", file_head(type), type,
                grid_attributes(grid, extent_text(grid)), arrays_text(grid, arrays),
                pieces_text(path, grid, first_layers), type)));
}

}  // namespace hodge::sim
