#include "linalg/space/line_blocks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace hodge::linalg {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

// Position and lines of each block.
std::vector<std::pair<std::ptrdiff_t, int>> blocks_of(const AxisShape& shape) {
  const LineBlocks blocks(shape);
  std::vector<std::pair<std::ptrdiff_t, int>> found;
  for (long long block = 0; block < blocks.count(); ++block)
    found.emplace_back(blocks.begin_of(block), blocks.lines_of(block));
  return found;
}

TEST(LineBlocks, begin_anew_behind_a_long_run) {
  // Axis 0 of 10 x 7 x 2: two runs of 7 lines.
  EXPECT_THAT(blocks_of({.points = 10, .outer = 14, .is_adjacent = true, .run = 7, .block = 4}),
              ElementsAre(Pair(0, 4), Pair(40, 3), Pair(70, 4), Pair(110, 3)));
}

TEST(LineBlocks, hold_several_short_runs) {
  // Axis 2 of 3 x 5 x 10: runs of 3 lines, two in a block.
  EXPECT_THAT(blocks_of({.inner = 15, .points = 10, .is_adjacent = false, .run = 3, .block = 8}),
              ElementsAre(Pair(0, 6), Pair(6, 6), Pair(12, 3)));
}

TEST(LineBlocks, end_with_each_layer) {
  // Axis 1 of 5 x 10 x 2.
  EXPECT_THAT(blocks_of({.inner = 5, .points = 10, .outer = 2, .is_adjacent = false, .block = 4}),
              ElementsAre(Pair(0, 4), Pair(4, 1), Pair(50, 4), Pair(54, 1)));
}

TEST(LineBlocks, are_none_without_lines) {
  EXPECT_THAT(blocks_of({.inner = 0, .points = 10, .is_adjacent = false, .run = 3, .block = 8}),
              ElementsAre());
  EXPECT_THAT(blocks_of({.points = 10, .outer = 0, .is_adjacent = true, .run = 3, .block = 8}),
              ElementsAre());
}

TEST(LineBlocks, have_lengths_that_are_those_of_the_plans) {
  for (const int run : {1, 3, 8, 16, 20})
    for (const int runs : {0, 1, 2, 5}) {
      const AxisShape shape{.points = 4, .outer = run * runs, .run = run, .block = 8};
      const auto [whole, shorter] = LineBlocks(shape).lengths();
      for (const auto& [begin, lines] : blocks_of(shape))
        EXPECT_TRUE(lines == whole || lines == shorter) << run << " " << runs << " " << lines;
    }
}

}  // namespace
}  // namespace hodge::linalg
