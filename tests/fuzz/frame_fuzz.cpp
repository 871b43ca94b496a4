// A frame of any kind: image data, a rectilinear grid, or a list of pieces. In a list, @0, @1 and
// @2 stand for the files of three good pieces, of image data with 4 x 3 x 7 cells and of a
// rectilinear grid: @3, @4 and @5. The files of `corpus` are those that hodge and VTK write.
#include <cmath>
#include <string>
#include <vector>

#include "sim/app/frames/frame_reader.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/target.hpp"

namespace {

// Layers first .. behind of the seven.
std::string piece(bool uniform, int first, int behind) {
  const std::string extent =
      "\"0 4 0 3 " + std::to_string(first) + " " + std::to_string(behind) + "\"";
  const std::string type = uniform ? "ImageData" : "RectilinearGrid";
  std::string text = "<VTKFile type=\"" + type + "\"><" + type + " WholeExtent=" + extent +
                     "><FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" "
                     "NumberOfTuples=\"1\">0.5</DataArray></FieldData><Piece Extent=" +
                     extent + "><CellData><DataArray type=\"Float32\" Name=\"pressure\">";
  for (int cell = 12 * first; cell < 12 * behind; ++cell) text += std::to_string(cell) + " ";
  text += "</DataArray></CellData>";
  const auto axis = [&](int begin, int end) {
    text += "<DataArray type=\"Float64\">";
    for (int i = begin; i <= end; ++i) text += std::to_string(i * i) + " ";
    text += "</DataArray>";
  };
  if (!uniform) {
    text += "<Coordinates>";
    axis(0, 4);
    axis(0, 3);
    axis(first, behind);
    text += "</Coordinates>";
  }
  return text + "</Piece></" + type + "></VTKFile>\n";
}

std::string with_pieces(std::string text) {
  static const hodge::fuzz::MemoryFile pieces[] = {
      hodge::fuzz::MemoryFile(piece(true, 0, 3)),  hodge::fuzz::MemoryFile(piece(true, 3, 4)),
      hodge::fuzz::MemoryFile(piece(true, 4, 7)),  hodge::fuzz::MemoryFile(piece(false, 0, 3)),
      hodge::fuzz::MemoryFile(piece(false, 3, 4)), hodge::fuzz::MemoryFile(piece(false, 4, 7))};
  for (std::size_t k = 0; k < std::size(pieces); ++k) {
    const std::string mark = "@" + std::to_string(k);
    if (const std::size_t at = text.find(mark); at != std::string::npos)
      text.replace(at, mark.size(), pieces[k].path().string());
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const hodge::fuzz::MemoryFile file(with_pieces(hodge::fuzz::text_of(data, size)));
  return hodge::fuzz::expect_errors_of_hodge([&] {
    const auto content = hodge::sim::read_frame(
        file.path(), [](const hodge::sim::StoredType&) { return true; },
        [](const hodge::sim::StoredType& array, const hodge::sim::Extent&,
           const hodge::sim::Extent& part, const std::vector<double>& values) {
          if (values.size() != array.components * hodge::sim::cells_of(part)) __builtin_trap();
          for (const double value : values)
            if (!std::isfinite(value)) __builtin_trap();
        });
    for (const auto& edges : content.edges)
      for (std::size_t i = 1; i < edges.size(); ++i)
        if (!(edges[i - 1] < edges[i])) __builtin_trap();
  });
}
