#include "sim/app/output/vtk_frame.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "linalg/base/errors.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/failing_file_system.hpp"
#include "tests/support/read_frame.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

using test::message_of;

GridSettings box_2d() {
  GridSettings settings;
  settings.dim = 2;
  settings.axes[0] = {.cells = 3, .lower = -1, .upper = 0};
  settings.axes[1] = {.cells = 2, .lower = 0.5, .upper = 0.7};
  return settings;
}

GridSettings box_3d() {
  GridSettings settings = box_2d();
  settings.dim = 3;
  settings.axes[2] = {.cells = 4, .lower = 2, .upper = 10};
  return settings;
}

CellArray numbered(const std::string& name, int components, const Grid& grid) {
  CellArray array{name, components, {}};
  for (long long i = 0; i < components * grid.cell_count(); ++i) {
    array.values.push_back(static_cast<double>(i) / 3);
  }
  return array;
}

std::vector<CellArray> arrays_on(const Grid& grid) {
  return {numbered("velocity", 3, grid), numbered("pressure", 1, grid),
          numbered("vorticity", grid.dim() == 2 ? 1 : 3, grid)};
}

Frame frame_on(const Grid& grid, const std::string& precision = "double") {
  return frame_of(17, 0.1 + 0.2, arrays_on(grid), precision);
}

// Every value as T, in the order x, y, z with the components innermost.
template <class T = double>
void expect_same_arrays(vtkDataSet* data, const std::vector<CellArray>& arrays) {
  ASSERT_EQ(data->GetCellData()->GetNumberOfArrays(), static_cast<int>(arrays.size()));
  for (const CellArray& array : arrays) {
    vtkDataArray* read = data->GetCellData()->GetArray(array.name.c_str());
    ASSERT_NE(read, nullptr) << array.name;
    ASSERT_EQ(read->GetNumberOfComponents(), array.components);
    ASSERT_EQ(read->GetNumberOfValues(), static_cast<vtkIdType>(array.values.size()));
    EXPECT_EQ(read->GetDataTypeSize(), static_cast<int>(sizeof(T)));
    for (std::size_t i = 0; i < array.values.size(); ++i) {
      const auto components = static_cast<std::size_t>(array.components);
      ASSERT_EQ(read->GetComponent(static_cast<vtkIdType>(i / components),
                                   static_cast<int>(i % components)),
                static_cast<T>(array.values[i]))
          << array.name << " value " << i;
    }
  }
}

TEST(VtkFrame, a_uniform_2d_grid_is_a_plane_of_pixels) {
  const test::TemporaryDirectory directory;
  const Grid grid(box_2d());
  EXPECT_EQ(frame_extension(grid), ".vti");
  write_frame(directory / "a.vti", grid, frame_on(grid));
  const auto data = test::read_image(directory / "a.vti");
  EXPECT_EQ(std::vector<int>(data->GetExtent(), data->GetExtent() + 6),
            (std::vector<int>{0, 3, 0, 2, 0, 0}));
  EXPECT_EQ(data->GetNumberOfCells(), 6);
  EXPECT_EQ(data->GetCellType(0), VTK_PIXEL);
  EXPECT_DOUBLE_EQ(data->GetOrigin()[0], -1);
  EXPECT_DOUBLE_EQ(data->GetOrigin()[1], 0.5);
  EXPECT_DOUBLE_EQ(data->GetOrigin()[2], 0);
  EXPECT_DOUBLE_EQ(data->GetSpacing()[0], 1.0 / 3);
  EXPECT_DOUBLE_EQ(data->GetSpacing()[1], (0.7 - 0.5) / 2);
  expect_same_arrays(data, arrays_on(grid));
}

TEST(VtkFrame, a_uniform_3d_grid_has_voxels) {
  const test::TemporaryDirectory directory;
  const Grid grid(box_3d());
  write_frame(directory / "a.vti", grid, frame_on(grid));
  const auto data = test::read_image(directory / "a.vti");
  EXPECT_EQ(std::vector<int>(data->GetExtent(), data->GetExtent() + 6),
            (std::vector<int>{0, 3, 0, 2, 0, 4}));
  EXPECT_EQ(data->GetCellType(0), VTK_VOXEL);
  EXPECT_DOUBLE_EQ(data->GetOrigin()[2], 2);
  EXPECT_DOUBLE_EQ(data->GetSpacing()[2], 2);
  expect_same_arrays(data, arrays_on(grid));
}

TEST(VtkFrame, carries_its_time_and_step) {
  const test::TemporaryDirectory directory;
  const Grid grid(box_2d());
  write_frame(directory / "a.vti", grid, frame_on(grid));
  const auto data = test::read_image(directory / "a.vti");
  EXPECT_EQ(test::time_value(data), 0.1 + 0.2);
  EXPECT_EQ(data->GetFieldData()->GetArray("StepNumber")->GetTuple1(0), 17);
}

void expect_same_coordinates(vtkDataArray* read, const std::vector<double>& edges) {
  ASSERT_EQ(read->GetNumberOfTuples(), static_cast<vtkIdType>(edges.size()));
  for (std::size_t i = 0; i < edges.size(); ++i) {
    EXPECT_EQ(read->GetTuple1(static_cast<vtkIdType>(i)), edges[i]);
  }
}

TEST(VtkFrame, a_grid_stretched_on_one_axis_is_rectilinear_with_its_own_edges) {
  const test::TemporaryDirectory directory;
  GridSettings settings = box_3d();
  settings.axes[1] = {.cells = 8, .lower = 0, .upper = 2, .stretching = "tanh", .strength = 2};
  const Grid grid(settings);
  EXPECT_EQ(frame_extension(grid), ".vtr");
  write_frame(directory / "a.vtr", grid, frame_on(grid));
  const auto data = test::read_rectilinear(directory / "a.vtr");
  expect_same_coordinates(data->GetXCoordinates(), grid.edges(0));
  expect_same_coordinates(data->GetYCoordinates(), grid.edges(1));
  expect_same_coordinates(data->GetZCoordinates(), grid.edges(2));
  EXPECT_EQ(test::time_value(data), 0.1 + 0.2);
  expect_same_arrays(data, arrays_on(grid));
}

TEST(VtkFrame, a_stretched_2d_grid_lies_at_z_0) {
  const test::TemporaryDirectory directory;
  GridSettings settings = box_2d();
  settings.axes[0].stretching = "tanh";
  settings.axes[0].strength = 1.5;
  const Grid grid(settings);
  write_frame(directory / "a.vtr", grid, frame_on(grid));
  const auto data = test::read_rectilinear(directory / "a.vtr");
  EXPECT_EQ(data->GetNumberOfCells(), 6);
  expect_same_coordinates(data->GetZCoordinates(), {0.0});
}

TEST(VtkFrame, has_no_ghost_cells_and_is_compressed_appended_raw_data) {
  const test::TemporaryDirectory directory;
  const Grid grid(box_3d());
  write_frame(directory / "a.vti", grid, frame_on(grid));
  EXPECT_FALSE(test::read_image(directory / "a.vti")->HasAnyGhostCells());
  const std::string text = test::read_text(directory / "a.vti");
  EXPECT_NE(text.find("compressor=\"vtkLZ4DataCompressor\""), std::string::npos);
  EXPECT_NE(text.find("\n  <AppendedData>\n   _"), std::string::npos);
}

// The rule of Expat that vtk_frame.hpp explains, with the pieces that VTK hands to it.
TEST(VtkFrame, the_tag_of_appended_data_is_seen_by_a_parser_that_waits_for_twice_as_many_bytes) {
  const test::TemporaryDirectory directory;
  const Grid grid(box_3d());
  write_frame(directory / "a.vti", grid, frame_on(grid));
  const std::string text = test::read_text(directory / "a.vti");
  const std::size_t begin = text.find("<AppendedData"), end = text.find('>', begin);
  const std::string pattern = "<AppendedData";
  std::size_t bytes = pattern.size(), tried = bytes;
  for (const std::size_t more : {end - begin - pattern.size(), std::size_t{1}, std::size_t{1},
                                 std::string("\n</VTKFile>\n").size()}) {
    bytes += more;
    const bool tries = bytes >= 2 * tried;
    if (tries) tried = bytes;
  }
  EXPECT_EQ(tried, bytes) << "not after the last piece";
  const std::size_t declared = text.find("<!ATTLIST AppendedData encoding CDATA \"raw\">");
  EXPECT_LT(declared, text.find("<VTKFile"));
}

TEST(VtkFrame, holds_the_same_inline_as_appended) {
  const test::TemporaryDirectory directory;
  for (const bool uniform : {true, false}) {
    GridSettings settings = box_3d();
    settings.axes[0].cells = 64;  // 600 kB of velocities: several blocks
    settings.axes[1].cells = 64;
    settings.axes[2].cells = 6;
    if (!uniform) settings.axes[1].stretching = "tanh";
    settings.axes[1].strength = 2;
    const Grid grid(settings);
    const auto path = directory / ("a" + std::string(frame_extension(grid)));
    for (const int threads : {1, 4}) {
      write_frame(path, grid, frame_on(grid), threads, FrameEncoding::in_line);
      const std::string text = test::read_text(path);
      EXPECT_EQ(text.find("AppendedData"), std::string::npos);
      EXPECT_TRUE(
          std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= ' ' && c < 127); }));
      if (uniform) {
        expect_same_arrays(test::read_image(path), arrays_on(grid));
        EXPECT_EQ(test::time_value(test::read_image(path)), 0.1 + 0.2);
      } else {
        expect_same_arrays(test::read_rectilinear(path), arrays_on(grid));
        expect_same_coordinates(test::read_rectilinear(path)->GetYCoordinates(), grid.edges(1));
      }
    }
  }
}

TEST(VtkFrame, holds_floats_in_single_precision) {
  const test::TemporaryDirectory directory;
  for (GridSettings settings : {box_2d(), box_3d()})
    for (const char* stretching : {"", "tanh"}) {
      if (*stretching)
        settings.axes[0] = {
            .cells = 8, .lower = 0, .upper = 2, .stretching = "tanh", .strength = 2};
      const Grid grid(settings);
      const auto path = directory / ("a" + std::string(frame_extension(grid)));
      write_frame(path, grid, frame_on(grid, "single"));
      if (grid.uniform())
        expect_same_arrays<float>(test::read_image(path), arrays_on(grid));
      else
        expect_same_arrays<float>(test::read_rectilinear(path), arrays_on(grid));
    }
}

TEST(VtkFrame, an_array_with_a_value_that_no_float_holds_stays_double) {
  const test::TemporaryDirectory directory;
  const Grid grid(box_2d());
  std::vector<CellArray> arrays = arrays_on(grid);
  arrays[1].values[3] = -1e39;
  write_frame(directory / "a.vti", grid, frame_of(17, 0.5, arrays, "single"));
  const auto data = test::read_image(directory / "a.vti");
  vtkCellData* const cells = data->GetCellData();
  EXPECT_EQ(cells->GetArray("pressure")->GetDataType(), VTK_DOUBLE);
  EXPECT_EQ(cells->GetArray("pressure")->GetTuple1(3), -1e39);
  EXPECT_EQ(cells->GetArray("velocity")->GetDataType(), VTK_FLOAT);
}

GridSettings box_of(int cells) {
  GridSettings settings;
  settings.dim = 3;
  for (AxisSettings& axis : settings.axes) axis = {.cells = cells};
  return settings;
}

// More than a block in every array, the last one smaller, on more threads than cores.
TEST(VtkFrame, is_the_same_by_any_number_of_threads) {
  const test::TemporaryDirectory directory;
  const Grid grid(box_of(65));
  std::vector<CellArray> arrays = arrays_on(grid);
  for (std::size_t i = 0; i < arrays[1].values.size(); ++i)
    arrays[1].values[i] = static_cast<double>(i % 1000 < 300);
  for (const char* precision : {"single", "double"}) {
    const Frame frame = frame_of(17, 0.5, arrays, precision);
    write_frame(directory / "a.vti", grid, frame);
    const std::string alone = test::read_text(directory / "a.vti");
    for (const int threads : {2, 3, 16}) {
      write_frame(directory / "b.vti", grid, frame, threads);
      EXPECT_TRUE(test::read_text(directory / "b.vti") == alone) << threads;
    }
    EXPECT_LT(alone.size(), frame.arrays[0].bytes().size() + frame.arrays[1].bytes().size() / 2 +
                                frame.arrays[2].bytes().size() + 100000);
    const auto data = test::read_image(directory / "b.vti");
    if (*precision == 's')
      expect_same_arrays<float>(data, arrays);
    else
      expect_same_arrays(data, arrays);
  }
}

TEST(VtkFrame, a_full_disk_is_an_error_that_names_the_file_and_leaves_nothing) {
  const test::TemporaryDirectory directory;
  const Grid grid(box_of(32));
  const Frame frame = frame_on(grid);
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  for (const int threads : {1, 4})
    for (const rlim_t limit_bytes : {100U, 1000U, 3000U, 100000U}) {
      const test::FileSizeLimit limit(limit_bytes);
      EXPECT_EQ(
          message_of<IoError>([&] { write_frame(directory / "a.vti", grid, frame, threads); }),
          "cannot write " + (directory / "a.vti").string() + ": File too large");
      EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
    }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(VtkFrame, a_disk_that_fills_up_at_any_byte_is_noticed) {
  const test::TemporaryDirectory directory;
  const Grid grid(box_2d());
  const Frame frame = frame_on(grid);
  write_frame(directory / "a.vti", grid, frame);
  const auto whole = std::filesystem::file_size(directory / "a.vti");
  for (std::uintmax_t bytes = whole - 1; bytes > 0; bytes -= std::min<std::uintmax_t>(bytes, 13)) {
    const test::FileSizeLimit limit(bytes);
    EXPECT_THROW(write_frame(directory / "a.vti", grid, frame), IoError) << bytes;
  }
  EXPECT_EQ(std::filesystem::file_size(directory / "a.vti"), whole);
}

TEST(VtkFrame, a_missing_folder_is_an_error_with_the_reason_and_prints_nothing) {
  const Grid grid(box_2d());
  testing::internal::CaptureStderr();
  EXPECT_EQ(message_of<IoError>([&] { write_frame("/no/such/a.vti", grid, frame_on(grid)); }),
            "cannot open /no/such/a.vti: No such file or directory");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(VtkFrame, a_read_only_folder_is_an_error_with_the_reason) {
  const test::TemporaryDirectory directory;
  const Grid grid(box_2d());
  std::filesystem::permissions(directory.path(), std::filesystem::perms(0555));
  const test::OrdinaryUser user;
  EXPECT_EQ(message_of<IoError>([&] { write_frame(directory / "a.vti", grid, frame_on(grid)); }),
            "cannot open " + (directory / "a.vti").string() + ": Permission denied");
}

TEST(VtkFrame, refuses_an_array_that_does_not_fit_the_grid) {
  const test::TemporaryDirectory directory;
  const Grid grid(box_2d());
  std::vector<CellArray> arrays = arrays_on(grid);
  arrays[1].values.pop_back();
  const Frame frame = frame_of(17, 0.5, arrays, "single");
  EXPECT_EQ(message_of<ShapeError>([&] { write_frame(directory / "a.vti", grid, frame); }),
            "frame array pressure has 5 values, its grid wants 6");
}

}  // namespace
}  // namespace hodge::sim
