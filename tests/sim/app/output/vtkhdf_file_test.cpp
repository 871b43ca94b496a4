// Frames in one file: what was appended is read again, and the file is whole at every moment. That
// VTK and h5py read it is seen in tests/python/vtkhdf_test.py.
#include "sim/app/output/vtkhdf_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "linalg/base/errors.hpp"
#include "linalg/files/read_file.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

Grid box_of(std::vector<int> cells) {
  GridSettings settings;
  settings.dim = static_cast<int>(cells.size());
  for (std::size_t d = 0; d < cells.size(); ++d)
    settings.axes[d] = {.cells = cells[d], .lower = 1, .upper = 3};
  return Grid(settings);
}

CellArray counted(const std::string& name, int components, const Grid& grid, double from) {
  CellArray array{name, components, {}};
  for (long long i = 0; i < components * grid.cell_count(); ++i)
    array.values.push_back(from + 0.25 * static_cast<double>(i % 1000));
  return array;
}

Frame frame_number(long k, const Grid& grid) {
  const auto from = static_cast<double>(100 * k);
  std::vector<CellArray> arrays{counted("velocity", 3, grid, from),
                                counted("pressure", 1, grid, 1)};
  if (k >= 2) arrays.push_back(counted("late", 1, grid, from));
  return frame_of(10 * k, 0.5 * static_cast<double>(k), arrays, "single");
}

// Of a file with frames of frame_number().
void expect_frames(const fs::path& path, const Grid& grid, std::size_t count) {
  VtkhdfFile file(path);
  file.read();
  ASSERT_EQ(file.index().times.size(), count) << path;
  for (std::size_t k = 0; k < count; ++k) {
    EXPECT_EQ(file.index().steps[k], static_cast<long>(10 * k));
    EXPECT_EQ(file.index().times[k], 0.5 * static_cast<double>(k));
    for (const VtkhdfArray& array : file.index().arrays) {
      const std::string& name = array.type.name;
      const double from = name == "pressure" ? 1 : static_cast<double>(100 * k);
      const std::vector<double> wanted =
          name == "late" && k < 2 ? std::vector<double>()
                                  : counted(name, array.type.components, grid, from).values;
      EXPECT_EQ(file.values(array, k), wanted) << name << " of frame " << k;
    }
  }
}

TEST(VtkhdfFile, has_what_was_appended) {
  const test::TemporaryDirectory folder;
  for (const auto& cells : {std::vector{7, 5}, std::vector{4, 3, 5}, std::vector{120, 110, 90}}) {
    const fs::path path = folder / "a.vtkhdf";
    const Grid grid = box_of(cells);
    VtkhdfFile file(path);
    for (long k = 0; k < 4; ++k) file.append(grid, frame_number(k, grid), 2);
    expect_frames(path, grid, 4);
    EXPECT_EQ(file.index().edges(0).back(), 3);
    EXPECT_EQ(file.index().edges(2).size(), cells.size() == 3 ? cells[2] + 1 : 1);
    fs::remove(path);
  }
}

// A kill leaves the superblock of before and any part of what is written ahead of it.
TEST(VtkhdfFile, is_whole_wherever_a_process_is_killed) {
  const test::TemporaryDirectory folder;
  const Grid grid = box_of({9, 6});
  VtkhdfFile file(folder / "a.vtkhdf", 0);
  file.append(grid, frame_number(0, grid), 1);
  for (long k = 1; k < 9; ++k) {  // objects come to lie behind all, and where older ones were
    std::string before = read_file(file.path());
    file.append(grid, frame_number(k, grid), 1);
    const std::string after = read_file(file.path());
    before.resize(after.size());
    for (std::size_t cut = 48; cut <= after.size(); cut += 1 + after.size() / 7) {
      write_text(folder / "killed.vtkhdf",
                 before.substr(0, 48) + after.substr(48, cut - 48) + before.substr(cut));
      expect_frames(folder / "killed.vtkhdf", grid, static_cast<std::size_t>(k));
    }
    expect_frames(file.path(), grid, static_cast<std::size_t>(k) + 1);
  }
}

// The objects of n frames are n entries for each array; they must not add up to n^2.
TEST(VtkhdfFile, objects_take_the_place_of_older_ones) {
  const test::TemporaryDirectory folder;
  const Grid grid = box_of({2, 2});
  VtkhdfFile file(folder / "a.vtkhdf", 0);
  std::uintmax_t half = 0;
  for (long k = 0; k < 400; ++k) {
    file.append(grid, frame_number(k, grid), 1);
    if (k == 199) half = fs::file_size(file.path());
  }
  EXPECT_LT(fs::file_size(file.path()), 3 * half);
}

TEST(VtkhdfFile, leaves_readers_what_they_have_found) {
  const test::TemporaryDirectory folder;
  const Grid grid = box_of({4, 3});
  VtkhdfFile file(folder / "a.vtkhdf");
  file.append(grid, frame_number(0, grid), 1);
  file.append(grid, frame_number(1, grid), 1);
  const std::string then = read_file(file.path());
  for (long k = 2; k < 9; ++k) file.append(grid, frame_number(k, grid), 1);
  write_text(folder / "b.vtkhdf", then.substr(0, 48) + read_file(file.path()).substr(48));
  expect_frames(folder / "b.vtkhdf", grid, 2);
}

TEST(VtkhdfFile, goes_on_after_some_of_its_frames) {
  const test::TemporaryDirectory folder;
  const Grid grid = box_of({4, 3});
  const fs::path path = folder / "a.vtkhdf";
  VtkhdfFile file(path);
  for (long k = 0; k < 5; ++k) file.append(grid, frame_number(k, grid), 1);
  VtkhdfFile again(path);
  again.read();
  again.keep(2);
  expect_frames(path, grid, 2);
  for (long k = 2; k < 4; ++k) again.append(grid, frame_number(k, grid), 1);
  expect_frames(path, grid, 4);
  again.keep(9);
  expect_frames(path, grid, 4);
  again.keep(0);
  EXPECT_FALSE(fs::exists(path));
  again.append(grid, frame_number(0, grid), 1);
  expect_frames(path, grid, 1);
}

TEST(VtkhdfFile, keeps_values_beyond_a_float_as_doubles_in_an_array_of_their_own) {
  const test::TemporaryDirectory folder;
  const Grid grid = box_of({2, 2});
  VtkhdfFile file(folder / "a.vtkhdf");
  for (const double value : {1.0, 1e300, 2.0})
    file.append(grid, frame_of(1, value, {{"p", 1, std::vector<double>(4, value)}}, "single"), 1);
  ASSERT_EQ(file.index().arrays.size(), 2u);
  EXPECT_EQ(file.index().arrays[1].type.name, "p_double");
  EXPECT_EQ(file.values(file.index().arrays[1], 1), std::vector<double>(4, 1e300));
  EXPECT_EQ(file.values(file.index().arrays[0], 1), std::vector<double>());
  EXPECT_EQ(file.values(file.index().arrays[0], 2), std::vector<double>(4, 2.0));
}

TEST(VtkhdfFile, says_what_is_damaged) {
  const test::TemporaryDirectory folder;
  const Grid grid = box_of({9, 6});
  VtkhdfFile file(folder / "a.vtkhdf");
  for (long k = 0; k < 3; ++k) file.append(grid, frame_number(k, grid), 1);
  const std::string whole = read_file(file.path());
  const fs::path path = folder / "b.vtkhdf";
  const auto complaint_of = [&](const std::string& text) {
    write_text(path, text);
    return test::message_of<IoError>([&] {
      VtkhdfFile damaged(path);
      damaged.read();
      damaged.check();
    });
  };
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{40}, whole.size() / 2, whole.size() - 1})
    EXPECT_THAT(complaint_of(whole.substr(0, size)), HasSubstr("b.vtkhdf is damaged: it"));
  const auto changed_at = [&](std::size_t at) {
    std::string text = whole;
    text[at] = static_cast<char>(text[at] ^ 0x10);
    return complaint_of(text);
  };
  for (std::size_t at = 0; at < 48; ++at)
    EXPECT_THAT(changed_at(at), HasSubstr("does not begin as a file of frames of hodge")) << at;
  const Hdf5Chunk chunk = file.index().arrays[0].chunks[1];
  EXPECT_THAT(changed_at(chunk.at), HasSubstr("velocity of frame 1 has changed"));
  EXPECT_THAT(changed_at(chunk.at + chunk.bytes - 1), HasSubstr("velocity of frame 1 has changed"));
  EXPECT_THAT(changed_at(whole.rfind("\"cells\"") + 1), HasSubstr("its index has changed"));
  EXPECT_THAT(changed_at(whole.rfind("hodgeidx")),
              HasSubstr("its index is not where it should be"));
}

}  // namespace
}  // namespace hodge::sim
