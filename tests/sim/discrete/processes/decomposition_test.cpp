#include "sim/discrete/processes/decomposition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "linalg/base/errors.hpp"
#include "linalg/processes/shared_rows.hpp"
#include "tests/support/expect_error.hpp"

namespace hodge::sim {
namespace {

using ::testing::HasSubstr;

TEST(Decomposition, cuts_an_axis_into_parts_that_differ_by_one_unit_at_most) {
  EXPECT_EQ(cut_axis(12, 3, 1), (std::vector{0, 4, 8, 12}));
  EXPECT_EQ(cut_axis(13, 4, 1), (std::vector{0, 3, 6, 9, 13}));
  EXPECT_EQ(cut_axis(65, 2, 16), (std::vector{0, 32, 65}));
  EXPECT_EQ(cut_axis(100, 3, 16), (std::vector{0, 32, 64, 100}));
}

TEST(Decomposition, gives_every_cell_to_one_process) {
  const std::array<int, 3> cells{70, 13, 11};
  const Decomposition shared(3, cells, {3, 2, 2});
  ASSERT_EQ(shared.size(), 12);
  std::set<std::array<int, 3>> seen;
  for (int p = 0; p < shared.size(); ++p) {
    EXPECT_EQ(shared.process_at(shared.place(p)), p);
    EXPECT_EQ(shared.first(p, 0) % linalg::sum_piece, 0);
    for (int x = shared.first(p, 0); x < shared.last(p, 0); ++x)
      for (int y = shared.first(p, 1); y < shared.last(p, 1); ++y)
        for (int z = shared.first(p, 2); z < shared.last(p, 2); ++z)
          EXPECT_TRUE(seen.insert({x, y, z}).second);
  }
  EXPECT_EQ(seen.size(), 70u * 13u * 11u);
}

TEST(Decomposition, neighbours_name_each_other) {
  const Decomposition shared(3, {64, 12, 12}, {4, 2, 1});
  for (int p = 0; p < shared.size(); ++p)
    for (int axis = 0; axis < 2; ++axis)
      for (int side = 0; side < 2; ++side)
        for (const bool periodic : {false, true}) {
          const int other = shared.neighbour(p, axis, side, periodic);
          const bool at_side = side == 0 ? shared.first(p, axis) == 0
                                         : shared.last(p, axis) == (axis == 0 ? 64 : 12);
          EXPECT_EQ(other < 0, at_side && !periodic);
          if (other < 0) continue;
          EXPECT_EQ(shared.neighbour(other, axis, 1 - side, periodic), p);
        }
  EXPECT_EQ(shared.neighbour(0, 0, 0, true), 3);
  EXPECT_EQ(shared.neighbour(0, 0, 0, false), -1);
}

TEST(Decomposition, refuses_parts_that_are_too_thin) {
  EXPECT_EQ(most_parts(64, 16), 4);
  EXPECT_EQ(most_parts(65, 16), 4);  // a fifth part would have one cell
  EXPECT_EQ(most_parts(67, 16), 5);
  EXPECT_EQ(most_parts(11, 1), 3);
  EXPECT_EQ(most_parts(2, 1), 1);
  EXPECT_THAT(test::message_of<ConfigError>([] {
                Decomposition(2, {64, 11, 1}, {1, 4, 1});
              }),
              HasSubstr("axis y of 11 cells cannot be shared by 4 processes"));
  EXPECT_THAT(test::message_of<ConfigError>([] {
                Decomposition(2, {64, 11, 1}, {1, 1, 2});
              }),
              HasSubstr("axis z of 1 cells cannot be shared by 2 processes"));
}

TEST(Decomposition, is_chosen_for_the_least_work_and_ghosts) {
  const std::array<bool, 3> walls{};
  EXPECT_EQ(choose_process_counts(3, {64, 64, 64}, walls, 1), (ProcessCounts{1, 1, 1}));
  EXPECT_EQ(choose_process_counts(3, {64, 64, 64}, walls, 2), (ProcessCounts{1, 1, 2}));
  EXPECT_EQ(choose_process_counts(3, {256, 256, 256}, walls, 4), (ProcessCounts{1, 2, 2}));
  EXPECT_EQ(choose_process_counts(3, {256, 256, 256}, walls, 8), (ProcessCounts{2, 2, 2}));
  EXPECT_EQ(choose_process_counts(2, {32, 128, 1}, walls, 4), (ProcessCounts{1, 4, 1}));
  EXPECT_EQ(choose_process_counts(2, {1024, 16, 1}, walls, 4), (ProcessCounts{4, 1, 1}));
  // Two neighbours per process make slabs dearer where the axis goes round.
  EXPECT_EQ(choose_process_counts(3, {64, 24, 24}, {true, true, true}, 3),
            (ProcessCounts{1, 1, 3}));
  EXPECT_THAT(
      test::message_of<ConfigError>([&] {
        (void)choose_process_counts(2, {16, 8, 1}, walls, 3);
      }),
      HasSubstr("16 x 8 cells cannot be shared by 3 processes: it can be cut into 1 x 2 parts"));
}

}  // namespace
}  // namespace hodge::sim
