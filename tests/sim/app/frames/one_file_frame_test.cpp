// Frames of a .vtkhdf as read_frame gives them.
#include "sim/app/frames/one_file_frame.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "linalg/base/errors.hpp"
#include "sim/app/output/vtkhdf_file.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

using testing::HasSubstr;

// Of a box of 3 x 2 cells; `value` in every cell.
void append_frame(const std::filesystem::path& path, long step, double value,
                  const std::string& precision = "double") {
  GridSettings settings;
  settings.dim = 2;
  settings.axes[0] = {.cells = 3, .lower = 1, .upper = 4};
  settings.axes[1] = {.cells = 2, .lower = 0, .upper = 1};
  VtkhdfFile file(path);
  if (step > 0) file.read();
  const CellArray heat{"heat", 1, std::vector<double>(6, value)};
  file.append(Grid(settings), frame_of(step, 0.5 * double(step), {heat}, precision), 1);
}

std::map<std::string, std::vector<double>> arrays_of(const std::filesystem::path& path,
                                                     std::optional<std::size_t> number = {}) {
  std::map<std::string, std::vector<double>> arrays;
  const FrameContent content = read_frame(
      path, [](const StoredType&) { return true; },
      [&](const StoredType& array, const Extent& whole, const Extent& part,
          const std::vector<double>& values) {
        EXPECT_EQ(whole, part);
        EXPECT_EQ(whole, (Extent{0, 3, 0, 2, 0, 0}));
        arrays[array.name] = values;
      },
      number);
  EXPECT_EQ(content.edges[0], (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(content.edges[2].size(), 1u);
  return arrays;
}

TEST(OneFileFrame, is_the_one_that_is_asked_for_or_the_last) {
  const test::TemporaryDirectory folder;
  const auto path = folder / "a.vtkhdf";
  for (long step = 0; step < 3; ++step) append_frame(path, step, double(step));
  EXPECT_EQ(arrays_of(path, 1)["heat"], std::vector<double>(6, 1));
  EXPECT_EQ(arrays_of(path)["heat"], std::vector<double>(6, 2));
  EXPECT_EQ(check_frame(path), 1.0);
  EXPECT_THAT(test::message_of<ConfigError>([&] { arrays_of(path, 3); }),
              HasSubstr("a.vtkhdf has 3 frames, expected more than 3"));
}

TEST(OneFileFrame, has_the_names_of_arrays_that_go_on_in_another_precision) {
  const test::TemporaryDirectory folder;
  const auto path = folder / "a.vtkhdf";
  append_frame(path, 0, 1, "single");
  append_frame(path, 1, 2, "double");
  for (const std::size_t number : {0u, 1u}) {
    const auto arrays = arrays_of(path, number);
    ASSERT_EQ(arrays.size(), 1u);
    EXPECT_EQ(arrays.at("heat"), std::vector<double>(6, double(number + 1)));
  }
}

TEST(OneFileFrame, with_a_value_that_is_not_finite_is_refused) {
  const test::TemporaryDirectory folder;
  const auto path = folder / "a.vtkhdf";
  append_frame(path, 0, 1);
  append_frame(path, 1, NAN);
  EXPECT_THAT(test::message_of<ConfigError>([&] { arrays_of(path); }),
              HasSubstr("a.vtkhdf: heat of frame 1 has a value that is not finite"));
}

// Of the last frame alone: where it lies does not count.
TEST(OneFileFrame, has_a_digest_of_its_time_and_values) {
  const test::TemporaryDirectory folder;
  const auto one = folder / "a.vtkhdf", other = folder / "b.vtkhdf";
  append_frame(one, 0, 7);
  append_frame(other, 0, 5);
  append_frame(one, 1, 1);
  append_frame(other, 1, 1);
  EXPECT_EQ(digest_of_last_frame(one), digest_of_last_frame(other));
  append_frame(one, 2, 2);
  append_frame(other, 2, 3);
  EXPECT_NE(digest_of_last_frame(one), digest_of_last_frame(other));
}

}  // namespace
}  // namespace hodge::sim
