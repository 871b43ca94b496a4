#include "sim/discrete/grid/grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/base/errors.hpp"
#include "sim/discrete/grid/metrics.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/discrete/grid/stretching.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge {
namespace {

using test::grid_of;
using test::symmetric;
using test::uneven;
using test::uniform;

TEST(Grid, spreads_equal_cells_over_its_bounds) {
  const sim::Grid grid = grid_of({{.cells = 4, .lower = -1, .upper = 1}, uniform(2, 3)});
  EXPECT_EQ(grid.edges(0), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
  EXPECT_EQ(grid.axis(1).widths, (std::vector<double>{1.5, 1.5}));
  EXPECT_TRUE(grid.uniform());
  EXPECT_EQ(grid.cell_count(), 8);
  EXPECT_EQ(grid.cells(2), 1);
  EXPECT_EQ(grid.description(), "4 x 2 cells");
}

TEST(Grid, refines_both_ends_alike_with_tanh) {
  const sim::Grid grid = grid_of({symmetric(8, 2), uniform(4, 1)});
  const std::vector<double>& edges = grid.edges(0);
  EXPECT_FALSE(grid.uniform());
  EXPECT_EQ(edges.front(), 0.0);
  EXPECT_EQ(edges.back(), 2.0);
  for (int i = 0; i <= 8; ++i) EXPECT_NEAR(edges[i] + edges[8 - i], 2.0, 1e-15);
  for (int i = 1; i < 4; ++i) EXPECT_GT(grid.axis(0).widths[i], grid.axis(0).widths[i - 1]);
}

sim::AxisSettings with_core(int cells, sim::CoreSettings core) {
  return {
      .cells = cells, .lower = -10, .upper = 25, .stretching = "core", .strength = 0, .core = core};
}

TEST(Grid, has_equal_cells_in_a_core_and_growing_ones_outside) {
  const sim::Grid grid = grid_of({with_core(100, {-1, 3, 40}), uniform(4, 1)});
  const std::vector<double>& edges = grid.edges(0);
  const std::vector<double>& widths = grid.axis(0).widths;
  ASSERT_EQ(edges.size(), 101);
  EXPECT_EQ(edges.front(), -10);
  EXPECT_EQ(edges.back(), 25);
  const auto lower = std::find(edges.begin(), edges.end(), -1.0);
  ASSERT_NE(lower, edges.end());
  const int first = static_cast<int>(lower - edges.begin());
  EXPECT_EQ(edges[first + 40], 3);
  for (int i = 0; i < 40; ++i) EXPECT_NEAR(widths[first + i], 0.1, 1e-13);
  for (int i = 0; i < first; ++i) {
    EXPECT_GT(widths[i], widths[i + 1]);
    EXPECT_LT(widths[i], 1.3 * widths[i + 1]);
  }
  for (int i = first + 40; i < 100; ++i) {
    EXPECT_GT(widths[i], widths[i - 1]);
    EXPECT_LT(widths[i], 1.3 * widths[i - 1]);
  }
  EXPECT_GT(edges[first + 41] - edges[first + 40], 0.1);  // both gaps grow at one pace
  const double pace = std::log(widths[0] / widths[1]) / std::log(widths[99] / widths[98]);
  EXPECT_NEAR(pace, 1, 0.2);
}

TEST(Grid, may_have_its_core_at_an_end_or_everywhere) {
  const sim::Grid one = grid_of({with_core(50, {-10, -5, 20}), with_core(50, {20, 25, 20})});
  for (int i = 0; i < 20; ++i) {
    EXPECT_NEAR(one.axis(0).widths[i], 0.25, 1e-13);
    EXPECT_NEAR(one.axis(1).widths[49 - i], 0.25, 1e-13);
  }
  EXPECT_GT(one.axis(0).widths[20], 0.25);
  EXPECT_EQ(one.edges(0).back(), 25);
  EXPECT_EQ(one.edges(1).front(), -10);
  const sim::Grid all = grid_of({with_core(35, {-10, 25, 35}), uniform(4, 1)});
  for (const double width : all.axis(0).widths) EXPECT_NEAR(width, 1, 1e-13);
}

TEST(Grid, with_as_many_cells_outside_as_equal_ones_would_be_is_uniform) {
  const sim::Grid grid = grid_of({with_core(35, {-1, 3, 4}), uniform(4, 1)});
  for (const double width : grid.axis(0).widths) EXPECT_NEAR(width, 1, 1e-12);
}

TEST(Grid, names_what_makes_no_core) {
  for (const auto& [cells, core] :
       std::initializer_list<std::pair<int, sim::CoreSettings>>{{50, {3, -1, 20}},
                                                                {50, {-11, 3, 20}},
                                                                {50, {-1, 26, 20}},
                                                                {50, {-1, 3, 0}},
                                                                {50, {-1, 3, 49}},
                                                                {50, {-1, 3, 60}},
                                                                {50, {-10, 25, 49}},
                                                                {50, {-1, 3, 2}}})
    EXPECT_THROW(grid_of({with_core(cells, core), uniform(4, 1)}), ConfigError)
        << cells << ' ' << core.lower << ' ' << core.upper << ' ' << core.cells;
  EXPECT_NO_THROW(grid_of({with_core(50, {-1, 3, 48}), uniform(4, 1)}));
}

TEST(Grid, names_what_makes_no_grid) {
  EXPECT_THROW(grid_of({uniform(4, 1)}), ConfigError);
  EXPECT_THROW(grid_of({uniform(0, 1), uniform(4, 1)}), ConfigError);
  EXPECT_THROW(grid_of({uniform(4, 0), uniform(4, 1)}), ConfigError);
  sim::AxisSettings axis = symmetric(4, 1);
  axis.strength = 0;
  EXPECT_THROW(grid_of({axis, uniform(4, 1)}), ConfigError);
  axis.stretching = "tan";
  try {
    grid_of({axis, uniform(4, 1)});
    FAIL();
  } catch (const ConfigError& error) {
    for (const sim::Stretching& known : sim::stretching_table())
      EXPECT_NE(std::string(error.what()).find(known.name), std::string::npos);
  }
}

TEST(Metrics, mirror_widths_at_walls_and_repeat_them_on_periodic_axes) {
  sim::Axis axis;
  axis.widths = {1, 2, 4};
  axis.edges = {0, 1, 3, 7};
  const sim::AxisMetrics wall = sim::axis_metrics(axis, false);
  EXPECT_EQ(wall.widths, (std::vector<double>{4, 2, 1, 1, 2, 4, 4, 2, 1}));
  EXPECT_EQ(wall.distances, (std::vector<double>{3, 1.5, 1, 1.5, 3, 4, 3, 1.5}));
  const sim::AxisMetrics periodic = sim::axis_metrics(axis, true);
  EXPECT_EQ(periodic.widths, (std::vector<double>{1, 2, 4, 1, 2, 4, 1, 2, 4}));
  EXPECT_EQ(periodic.distances, (std::vector<double>{1.5, 3, 2.5, 1.5, 3, 2.5, 1.5, 3}));
}

TEST(Metrics, cells_and_control_volumes_fill_a_periodic_box) {
  const test::Domain<3> domain{grid_of({uneven(4, -3, -2), uneven(5, 0.5, 2.5), uneven(3, 1, 1.6)}),
                               test::with_periodic({0, 1, 2})};
  const sim::GridView<3> grid = domain.metrics.view();
  double cells = 0, squares = 0, control[3] = {};
  sim::for_each_on_host(domain.metrics.layout().interior(), [&](const sim::Index<3>& c) {
    cells += grid.cell_volume(c);
    squares += grid.cell_volume(c) * grid.cell_volume(c);
    for (int d = 0; d < 3; ++d) control[d] += grid.control_volume(d, c);
  });
  EXPECT_NEAR(cells, 1.2, 1e-14);
  for (int d = 0; d < 3; ++d) EXPECT_NEAR(control[d], 1.2, 1e-14);
  EXPECT_NEAR(domain.metrics.box_volume(), 1.2, 1e-14);
  EXPECT_NEAR(domain.metrics.volume_norm(), std::sqrt(squares), 1e-14);
}

TEST(Metrics, areas_times_extents_are_volumes) {
  const test::Domain<3> domain{grid_of({uneven(4, -3, -2), uneven(5, 0.5, 2.5), uneven(3, 1, 1.6)}),
                               test::walls()};
  const sim::GridView<3> grid = domain.metrics.view();
  const sim::Index<3> c{{2, 1, 1}};
  for (int d = 0; d < 3; ++d) {
    EXPECT_NEAR(grid.face_area(d, c) * grid.width(d, c[d]), grid.cell_volume(c), 1e-15);
    for (int e = 0; e < 3; ++e)
      EXPECT_NEAR(grid.control_area(d, e, c) * grid.control_extent(d, e, c),
                  grid.control_volume(d, c), 1e-15);
  }
}

}  // namespace
}  // namespace hodge
