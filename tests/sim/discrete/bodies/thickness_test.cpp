#include "sim/discrete/bodies/thickness.hpp"

#include <gtest/gtest.h>

#include "sim/model/solid.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

using test::grid_of;
using test::uniform;

bool is_thick(const Shape& shape) {
  const Grid grid = grid_of({uniform(5, 5), uniform(5, 5), uniform(5, 5)});
  const std::vector<Solid> solids{{"", shape}};
  const std::array<bool, 3> periodic{};
  return is_as_thick_as_a_cell(*level_sets(grid, solids, periodic).front(), grid,
                               cell_bodies(grid, solids, periodic), 1);
}

TEST(Thickness, is_that_of_the_part_of_a_body_in_one_of_its_cells) {
  EXPECT_TRUE(is_thick(SphereShape{{2.5, 2.5, 2.5}, 0.6}));
  EXPECT_FALSE(is_thick(SphereShape{{2.5, 2.5, 2.5}, 0.3}));
  for (int d = 0; d < 3; ++d) {
    BoxShape plate{{0, 0, 0}, {5, 5, 5}};
    plate.lower[d] = 2.2, plate.upper[d] = 2.6;
    EXPECT_FALSE(is_thick(plate)) << d;
    plate.upper[d] = 3;
    EXPECT_TRUE(is_thick(plate)) << d;
  }
}

// Thin rods through the centre of one cell, with balls between cells, which have their centres
// outside.
TEST(Thickness, of_parts_that_take_no_cell_does_not_count) {
  const BoxShape rods[] = {{{2, 2.4, 2.4}, {2.9, 2.6, 2.6}},
                           {{2.4, 2, 2.4}, {2.6, 2.9, 2.6}},
                           {{2.4, 2.4, 2}, {2.6, 2.6, 2.9}}};
  for (int d = 0; d < 3; ++d) {
    Point between{2.125, 2.125, 2.125};
    between[d] = 3.2;
    EXPECT_FALSE(is_thick(UnionShape{{{rods[d]}, {SphereShape{between, 0.5}}}})) << d;
  }
}

}  // namespace
}  // namespace hodge::sim
