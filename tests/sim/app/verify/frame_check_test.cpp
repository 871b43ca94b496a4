#include "sim/app/verify/frame_check.hpp"

#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "sim/app/output/vtk_frame.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

// 12 x 8 cells, uniform or stretched along y.
Grid box(bool uniform) {
  GridSettings settings;
  settings.dim = 2;
  settings.axes[0] = {.cells = 12};
  settings.axes[1] = {.cells = 8};
  if (!uniform)
    settings.axes[1] = {.cells = 8, .lower = 0, .upper = 2, .stretching = "tanh", .strength = 2};
  return Grid(settings);
}

std::string written(const std::filesystem::path& path, const Grid& grid,
                    FrameEncoding encoding = FrameEncoding::appended) {
  std::vector<CellArray> arrays{{"velocity", 3, {}}, {"pressure", 1, {}}};
  for (int i = 0; i < 3 * 96; ++i) arrays[0].values.push_back(i % 7 == 0 ? 1e39 : 0.1 * i);
  for (int i = 0; i < 96; ++i) arrays[1].values.push_back(i % 5);  // as floats
  write_frame(path, grid, frame_of(7, 0.3, arrays, "single"), 1, encoding);
  return test::read_text(path);
}

constexpr FrameEncoding encodings[] = {FrameEncoding::appended, FrameEncoding::in_line};

struct Frames : test::TemporaryDirectory {
  std::filesystem::path path(bool uniform) const { return *this / (uniform ? "a.vti" : "a.vtr"); }
};

TEST(FrameCheck, gives_the_time_of_a_whole_frame) {
  const Frames frames;
  for (const bool uniform : {true, false})
    for (const FrameEncoding encoding : encodings) {
      written(frames.path(uniform), box(uniform), encoding);
      EXPECT_EQ(check_frame_file(frames.path(uniform)).time, 0.3);
    }
}

// As earlier versions wrote it: with the encoding in the tag, and not declared.
std::string of_earlier_version(std::string text) {
  text.replace(text.find(appended_data_declaration), appended_data_declaration.size(), "");
  text.replace(text.find(appended_data_begin), appended_data_begin.size(),
               earlier_appended_data_begin);
  return text;
}

TEST(FrameCheck, reads_frames_of_earlier_versions) {
  const Frames frames;
  for (const bool uniform : {true, false}) {
    const std::string whole = of_earlier_version(written(frames.path(uniform), box(uniform)));
    test::write_text(frames.path(uniform), whole);
    EXPECT_EQ(check_frame_file(frames.path(uniform)).time, 0.3);
    for (const std::size_t bytes : {whole.size() - 1, whole.size() - 100, whole.size() / 2}) {
      test::write_text(frames.path(uniform), whole.substr(0, bytes));
      EXPECT_THROW(check_frame_file(frames.path(uniform)), IoError) << bytes;
    }
  }
}

TEST(FrameCheck, notices_a_cut_at_every_byte_and_bytes_behind_the_end) {
  const Frames frames;
  for (const bool uniform : {true, false}) {
    const std::string whole = written(frames.path(uniform), box(uniform));
    for (std::size_t bytes = 0; bytes < whole.size(); bytes += bytes + 80 < whole.size() ? 7 : 1) {
      test::write_text(frames.path(uniform), whole.substr(0, bytes));
      EXPECT_THROW(check_frame_file(frames.path(uniform)), IoError) << bytes;
    }
    test::write_text(frames.path(uniform), whole + "\n");
    EXPECT_THROW(check_frame_file(frames.path(uniform)), IoError);
  }
}

TEST(FrameCheck, notices_a_cut_of_inline_data_and_bytes_that_moved) {
  const Frames frames;
  const std::string whole = written(frames.path(true), box(true), FrameEncoding::in_line);
  for (std::size_t bytes = 0; bytes < whole.size(); bytes += bytes + 80 < whole.size() ? 7 : 1) {
    test::write_text(frames.path(true), whole.substr(0, bytes));
    EXPECT_THROW(check_frame_file(frames.path(true)), IoError) << bytes;
  }
  const std::size_t data = whole.find(inline_data_begin) + inline_data_begin.size();
  for (const std::string& other :
       {whole + "\n", whole.substr(0, data) + "AAAA" + whole.substr(data),
        whole.substr(0, data) + std::string(32, 'A') + whole.substr(data + 32)}) {
    test::write_text(frames.path(true), other);
    EXPECT_THROW(check_frame_file(frames.path(true)), IoError);
  }
}

// Zeros are what a loss of power leaves of pages that were not written.
TEST(FrameCheck, notices_zeros_in_the_sizes_and_huge_grids) {
  const Frames frames;
  const std::string whole = written(frames.path(true), box(true));
  std::string zeros = whole;
  const std::size_t data = whole.find("_", whole.find("<AppendedData")) + 1;
  zeros.replace(data, 64, std::string(64, '\0'));
  test::write_text(frames.path(true), zeros);
  EXPECT_THROW(check_frame_file(frames.path(true)), IoError);
  for (const char* extent : {"0 2000000000 0 8 0 0", "0 -2 0 8 0 0", "0 12 0 8", "0 12 0 9 0 0"}) {
    std::string other = whole;
    const std::string before = "WholeExtent=\"0 12 0 8 0 0\"";
    other.replace(other.find(before), before.size(), std::string("WholeExtent=\"") + extent + '"');
    test::write_text(frames.path(true), other);
    EXPECT_THROW(check_frame_file(frames.path(true)), IoError) << extent;
  }
}

}  // namespace
}  // namespace hodge::sim
