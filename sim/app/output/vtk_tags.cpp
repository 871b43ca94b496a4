#include "sim/app/output/vtk_tags.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "sim/app/output/frame_seal.hpp"

namespace hodge::sim {

long long FramePart::cell_count() const {
  return grid.cell_count() / grid.cells(grid.dim() - 1) * (behind - first);
}

std::vector<double> FramePart::edges(int d) const {
  if (d >= grid.dim()) return {0.0};
  const std::vector<double>& all = grid.edges(d);
  if (d < grid.dim() - 1) return all;
  return {all.begin() + first, all.begin() + behind + 1};
}

std::string_view frame_extension(const Grid& grid) {
  return grid.uniform() ? ".vti" : ".vtr";
}

std::string_view vtk_type(const Grid& grid) {
  return grid.uniform() ? "ImageData" : "RectilinearGrid";
}

std::string file_head(std::string_view type, std::string_view declarations) {
  const bool little = std::endian::native == std::endian::little;
  return fmt::format(
      "{}{}{}"
      "<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\" "
      "compressor=\"vtkLZ4DataCompressor\">\n",
      xml_declaration, blank_seal(), declarations, type, little ? "LittleEndian" : "BigEndian");
}

std::string extent_text(const FramePart& part) {
  const int last = part.grid.dim() - 1;
  std::array<int, 6> points{};
  for (int d = 0; d < last; ++d) points[2 * d + 1] = part.grid.cells(d);
  points[2 * last] = part.first;
  points[2 * last + 1] = part.behind;
  return fmt::format("{}", fmt::join(points, " "));
}

std::string grid_attributes(const Grid& grid, const std::string& whole_extent) {
  std::string text = fmt::format("WholeExtent=\"{}\"", whole_extent);
  if (!grid.uniform()) return text;
  std::array<double, 3> origin{0, 0, 0}, spacing{1, 1, 1};
  for (int d = 0; d < grid.dim(); ++d) {
    origin[d] = grid.axis(d).lower();
    spacing[d] = grid.axis(d).length() / grid.cells(d);
  }
  return text + fmt::format(" Origin=\"{}\" Spacing=\"{}\"", fmt::join(origin, " "),
                            fmt::join(spacing, " "));
}

std::string array_attributes(const FrameArrayType& array) {
  return fmt::format(R"(type="Float{}" Name="{}" NumberOfComponents="{}")", 8 * array.value_bytes(),
                     array.name, array.components);
}

std::string coordinate_attributes(int d) {
  return fmt::format(R"(type="Float64" Name="{}")", "xyz"[d]);
}

}  // namespace hodge::sim
