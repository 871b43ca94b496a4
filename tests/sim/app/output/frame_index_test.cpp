#include "sim/app/output/frame_index.hpp"

#include <gtest/gtest.h>

#include "sim/app/output/frame_names.hpp"
#include "sim/app/output/vtk_frame.hpp"
#include "tests/support/read_frame.hpp"
#include "tests/support/same_runs.hpp"

namespace hodge::sim {
namespace {

// 4 x 3 x 7 cells, or 4 x 7 in 2D; stretched along the last axis, or uniform.
Grid seven_layers(int dim, bool uniform) {
  GridSettings settings;
  settings.dim = dim;
  settings.axes[0] = {.cells = 4};
  settings.axes[1] = {.cells = 3};
  auto& last = settings.axes[static_cast<std::size_t>(dim - 1)];
  last = {.cells = 7, .lower = 0.5, .upper = 2.75};
  if (!uniform) {
    last.stretching = "tanh";
    last.strength = 1.5;
  }
  return Grid(settings);
}

// Of the layers from `first` to one before `behind`: values that know their cell.
Frame frame_of_layers(const Grid& grid, int first, int behind) {
  const FramePart part(grid, first, behind);
  const auto cells = static_cast<std::size_t>(part.cell_count());
  const std::size_t before =
      cells / static_cast<std::size_t>(behind - first) * static_cast<std::size_t>(first);
  CellArray velocity{"velocity", 3, {}}, pressure{"pressure", 1, {}};
  for (std::size_t cell = before; cell < before + cells; ++cell) {
    for (int c = 0; c < 3; ++c) velocity.values.push_back(0.1 * static_cast<double>(3 * cell) + c);
    pressure.values.push_back(1.0 / (1.0 + static_cast<double>(cell)));
  }
  return frame_of(12, 0.3, {velocity, pressure}, "single");
}

TEST(FrameIndex, pieces_that_it_lists_are_the_frame_for_vtk) {
  const test::TemporaryDirectory folder;
  std::filesystem::create_directory(folder / "a_000012");
  const std::vector<int> first_layers{0, 3, 4, 7};
  for (const int dim : {2, 3})
    for (const bool uniform : {true, false})
      for (const FrameEncoding encoding : {FrameEncoding::appended, FrameEncoding::in_line}) {
        const Grid grid = seven_layers(dim, uniform);
        const auto whole = folder / ("whole" + std::string(frame_extension(grid)));
        const auto index = folder / ("a_000012" + index_extension(grid));
        const Frame frame = frame_of_layers(grid, 0, 7);
        write_frame(whole, grid, frame, 1, encoding);
        for (int p = 0; p < 3; ++p)
          write_frame(folder / ("a_000012/a_000012_" + std::to_string(p) +
                                std::string(frame_extension(grid))),
                      {grid, first_layers[p], first_layers[p + 1]},
                      frame_of_layers(grid, first_layers[p], first_layers[p + 1]), 1, encoding);
        write_frame_index(index, grid, {frame.arrays.begin(), frame.arrays.end()}, first_layers);
        test::expect_same_frame(whole, index);
      }
}

TEST(FrameIndex, is_a_text_that_names_arrays_and_pieces) {
  const test::TemporaryDirectory folder;
  write_frame_index(folder / "a_000012.pvti", seven_layers(2, true), {{"velocity", 3, true}},
                    {0, 3, 7});
  const std::string text = test::read_text(folder / "a_000012.pvti");
  EXPECT_EQ(text.substr(text.find("  <P")),
            "  <PImageData WholeExtent=\"0 4 0 7 0 0\" Origin=\"0 0.5 0\" "
            "Spacing=\"0.25 0.32142857142857145 1\" GhostLevel=\"0\">\n"
            "    <PCellData>\n"
            "      <PDataArray type=\"Float32\" Name=\"velocity\" NumberOfComponents=\"3\"/>\n"
            "    </PCellData>\n"
            "    <Piece Extent=\"0 4 0 3 0 0\" Source=\"a_000012/a_000012_0.vti\"/>\n"
            "    <Piece Extent=\"0 4 3 7 0 0\" Source=\"a_000012/a_000012_1.vti\"/>\n"
            "  </PImageData>\n</VTKFile>\n");
}

TEST(FrameNames, are_those_of_one_file_or_of_pieces) {
  EXPECT_EQ(frame_name("a", frame_number(12), ".vti"), "frames/a_000012.vti");
  EXPECT_EQ(piece_name("a", frame_number(12), "3", ".vtr"), "frames/a_000012/a_000012_3.vtr");
  EXPECT_EQ(folder_of_pieces("out/frames/a_000012.pvti"), "out/frames/a_000012");
  EXPECT_EQ(index_extension(seven_layers(2, true)), ".pvti");
  EXPECT_EQ(index_extension(seven_layers(2, false)), ".pvtr");
  EXPECT_TRUE(is_frame_index("a.pvtr"));
  EXPECT_FALSE(is_frame_index("a.vtr"));
  EXPECT_TRUE(is_frame_file("a.vtr"));
}

}  // namespace
}  // namespace hodge::sim
