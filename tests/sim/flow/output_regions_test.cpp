#include "sim/flow/output_regions.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/support/flow_settings.hpp"

namespace hodge::sim {
namespace {

TEST(OutputRegions, are_the_cells_that_they_have_a_part_of) {
  const Grid grid(test::flow_settings(3, 10).grid);
  const CellRange box = cells_of({"a", {0.1, 0.25, 0}, {0.3, 0.31, 1}, 1}, grid);
  EXPECT_EQ(box.lower, (std::array{1, 2, 0}));
  EXPECT_EQ(box.upper, (std::array{3, 4, 10}));
  const CellRange planes = cells_of({"b", {0, 0.55, 1}, {0, 0.55, 1}, 1}, grid);
  EXPECT_EQ(planes.lower, (std::array{0, 5, 9}));
  EXPECT_EQ(planes.upper, (std::array{1, 6, 10}));
}

}  // namespace
}  // namespace hodge::sim
