#include <gtest/gtest.h>

#include <random>

#include "sim/model/solid.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

using test::grid_of;
using test::uniform;
using Cells = std::vector<std::uint8_t>;

constexpr std::array<bool, 3> closed{false, false, false};

Grid grid_2d(int nx, int ny) {
  return grid_of({uniform(nx, 1), uniform(ny, 1)});
}

TEST(FluidRegions, is_one_without_solids) {
  const FluidRegions regions = fluid_regions(grid_2d(3, 4), Cells(12, 0), closed);
  EXPECT_EQ(regions.region, std::vector<int>(12, 0));
  EXPECT_EQ(regions.cells, (std::vector<long long>{12}));
}

TEST(FluidRegions, is_none_without_fluid) {
  const FluidRegions regions = fluid_regions(grid_2d(3, 3), Cells(9, 1), closed);
  EXPECT_EQ(regions.region, std::vector<int>(9, -1));
  EXPECT_TRUE(regions.cells.empty());
}

TEST(FluidRegions, counts_a_pocket_and_corners_do_not_connect) {
  const Cells bodies{0, 0, 0, 1, 0,  //
                     0, 1, 1, 0, 0,  //
                     0, 1, 0, 1, 0,  //
                     0, 2, 1, 1, 0,  //
                     0, 0, 0, 0, 0};
  const FluidRegions regions = fluid_regions(grid_2d(5, 5), bodies, closed);
  EXPECT_EQ(regions.region, (std::vector<int>{0, 0,  0,  -1, 0,  //
                                              0, -1, -1, 0,  0,  //
                                              0, -1, 1,  -1, 0,  //
                                              0, -1, -1, -1, 0,  //
                                              0, 0,  0,  0,  0}));
  EXPECT_EQ(regions.cells, (std::vector<long long>{16, 1}));
}

TEST(FluidRegions, joins_runs_that_meet_only_further_up) {
  const Cells bodies{0, 1, 0, 1, 0,  //
                     0, 1, 0, 1, 0,  //
                     0, 0, 0, 1, 0};
  const FluidRegions regions = fluid_regions(grid_2d(5, 3), bodies, closed);
  EXPECT_EQ(regions.region, (std::vector<int>{0, -1, 0, -1, 1,  //
                                              0, -1, 0, -1, 1,  //
                                              0, 0, 0, -1, 1}));
  EXPECT_EQ(regions.cells, (std::vector<long long>{7, 3}));
}

TEST(FluidRegions, wraps_around_periodic_axes_alone) {
  const Cells wall{0, 1, 0, 0,  //
                   0, 1, 0, 0};
  EXPECT_EQ(fluid_regions(grid_2d(4, 2), wall, closed).cells.size(), 2);
  EXPECT_EQ(fluid_regions(grid_2d(4, 2), wall, {false, true, false}).cells.size(), 2);
  EXPECT_EQ(fluid_regions(grid_2d(4, 2), wall, {true, false, false}).cells.size(), 1);
  const Cells floor{0, 0,  //
                    1, 1,  //
                    0, 0};
  EXPECT_EQ(fluid_regions(grid_2d(2, 3), floor, closed).cells.size(), 2);
  EXPECT_EQ(fluid_regions(grid_2d(2, 3), floor, {true, false, false}).cells.size(), 2);
  EXPECT_EQ(fluid_regions(grid_2d(2, 3), floor, {false, true, false}).cells.size(), 1);
}

TEST(FluidRegions, finds_the_inside_of_a_hollow_cube) {
  const Grid grid = grid_of({uniform(7, 1), uniform(7, 1), uniform(7, 1)});
  Cells bodies(343, 0);
  for (int i = 0; i < 343; ++i) {
    const int x = i % 7 - 3, y = i / 7 % 7 - 3, z = i / 49 - 3;
    bodies[i] = std::max({std::abs(x), std::abs(y), std::abs(z)}) == 2 ? 1 : 0;
  }
  const FluidRegions regions = fluid_regions(grid, bodies, closed);
  EXPECT_EQ(regions.cells, (std::vector<long long>{343 - 125, 27}));
  EXPECT_EQ(regions.region[171], 1);
}

// The smallest position that each cell can be reached from, by sweeps until nothing changes.
std::vector<int> flooded(const Grid& grid, const Cells& bodies,
                         const std::array<bool, 3>& periodic) {
  const std::array<int, 3> n{grid.cells(0), grid.cells(1), grid.cells(2)};
  std::vector<int> label(bodies.size());
  for (std::size_t i = 0; i < label.size(); ++i)
    label[i] = bodies[i] != 0 ? -1 : static_cast<int>(i);
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < static_cast<int>(label.size()); ++i)
      for (int d = 0; d < 3; ++d) {
        std::array<int, 3> c{i % n[0], i / n[0] % n[1], i / (n[0] * n[1])};
        if (++c[d] == n[d] && !periodic[d]) continue;
        c[d] %= n[d];
        int& a = label[i];
        int& b = label[c[0] + n[0] * (c[1] + n[1] * c[2])];
        if (a < 0 || b < 0 || a == b) continue;
        a = b = std::min(a, b);
        changed = true;
      }
  }
  return label;
}

TEST(FluidRegions, are_those_of_flooding_for_random_solids) {
  const Grid grid = grid_of({uniform(9, 1), uniform(7, 1), uniform(6, 1)});
  std::mt19937 generator(3);
  for (int trial = 0; trial < 40; ++trial) {
    std::bernoulli_distribution solid(0.3 + 0.01 * trial), wraps(0.5);
    Cells bodies(static_cast<std::size_t>(grid.cell_count()));
    for (auto& body : bodies) body = solid(generator) ? 1 : 0;
    const std::array<bool, 3> periodic{wraps(generator), wraps(generator), wraps(generator)};
    const FluidRegions regions = fluid_regions(grid, bodies, periodic);
    const std::vector<int> expected = flooded(grid, bodies, periodic);
    std::vector<int> first_label;  // of each region
    std::vector<long long> cells;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (expected[i] == static_cast<int>(i)) {
        first_label.push_back(expected[i]);
        cells.push_back(0);
      }
      ASSERT_EQ(regions.region[i] < 0, expected[i] < 0);
      if (expected[i] < 0) continue;
      ASSERT_LT(regions.region[i], static_cast<int>(first_label.size()));
      ASSERT_EQ(first_label[regions.region[i]], expected[i]);
      ++cells[regions.region[i]];
    }
    EXPECT_EQ(regions.cells, cells);
  }
}

}  // namespace
}  // namespace hodge::sim
