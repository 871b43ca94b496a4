#include "sim/discrete/processes/decomposition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "sim/model/settings.hpp"
#include "tests/support/expect_error.hpp"

namespace hodge::sim {
namespace {

TEST(Decomposition, cuts_slabs_that_differ_by_one_unit_at_most) {
  EXPECT_EQ(Decomposition(12, 3).first_layers(), (std::vector{0, 4, 8, 12}));
  EXPECT_EQ(Decomposition(13, 4).first_layers(), (std::vector{0, 3, 6, 9, 13}));
  EXPECT_EQ(Decomposition(65, 2, 16).first_layers(), (std::vector{0, 32, 65}));
  EXPECT_EQ(Decomposition(100, 3, 16).first_layers(), (std::vector{0, 32, 64, 100}));
  EXPECT_EQ(Decomposition(100, 3, 16).most_layers(), 36);
  EXPECT_EQ(Decomposition(100, 3, 16).largest_share(), 0.36);
}

TEST(Decomposition, neighbours_name_each_other) {
  const Decomposition slabs(20, 4);
  for (const bool periodic : {false, true})
    for (int p = 0; p < slabs.size(); ++p)
      for (int side = 0; side < 2; ++side) {
        const int other = slabs.neighbour(p, side, periodic);
        const bool at_end = p == (side == 0 ? 0 : 3);
        EXPECT_EQ(other < 0, at_end && !periodic);
        if (other < 0) continue;
        EXPECT_EQ(slabs.neighbour(other, 1 - side, periodic), p);
      }
  EXPECT_EQ(slabs.neighbour(0, 0, true), 3);
  EXPECT_EQ(Decomposition(20, 1).neighbour(0, 0, true), -1) << "an axis that is not cut";
}

TEST(Decomposition, refuses_slabs_that_are_too_thin) {
  EXPECT_EQ(most_slabs(64, 16), 4);
  EXPECT_EQ(most_slabs(65, 16), 4);  // a fifth slab would have one layer
  EXPECT_EQ(most_slabs(67, 16), 5);
  EXPECT_EQ(most_slabs(11, 1), 3);
  EXPECT_EQ(most_slabs(2, 1), 1);
  EXPECT_THAT(test::message_of<ConfigError>([] { Decomposition(11, 4); }),
              testing::HasSubstr("11 layers cannot be shared by 4 processes: expected 1 to 3"));
}

TEST(Decomposition, gives_a_slab_to_as_many_as_were_started_or_have_layers) {
  const auto slabs = [](const std::vector<int>& cells, int started, bool on_gpus) {
    GridSettings grid;
    grid.dim = static_cast<int>(cells.size());
    for (std::size_t d = 0; d < cells.size(); ++d) grid.axes[d].cells = cells[d];
    return slabs_of(grid, started, on_gpus).size();
  };
  EXPECT_EQ(slabs({64, 64, 64}, 1, false), 1);
  EXPECT_EQ(slabs({64, 64, 64}, 22, false), 21);
  EXPECT_EQ(slabs({1024, 12}, 4, false), 4);
  EXPECT_EQ(slabs({35, 10}, 100, false), 3);
  EXPECT_EQ(slabs({35, 5}, 2, false), 1);
  EXPECT_EQ(slabs({64, 64, 64}, 20, true), 8);
  EXPECT_EQ(slabs({16, 2, 6}, 4, true), 1);
}

}  // namespace
}  // namespace hodge::sim
