#include "sim/discrete/bodies/covered_part.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/discrete/bodies/region_level.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

Grid grid_of_covered_part(int dim, int cells) {
  GridSettings settings;
  settings.dim = dim;
  for (int d = 0; d < dim; ++d) settings.axes[d] = {.cells = cells, .lower = 0, .upper = 1};
  return Grid(settings);
}

double covered_volume(const Grid& grid, const Shape& shape) {
  const auto level = level_set_of({shape}, grid, {}, {"it", "it"});
  double sum = 0;
  for_each_on_host(all_cells(grid), [&](const Index<3>& c) {
    const MeanBox box = mean_box(grid, at_cells, c);
    double volume = 1;
    for (int d = 0; d < grid.dim(); ++d) volume *= box.upper[d] - box.lower[d];
    sum += volume * covered_part(*level, box, grid.dim());
  });
  return sum;
}

TEST(CoveredPart, of_a_layer_is_exact_wherever_its_sides_are) {
  for (const int dim : {2, 3})
    EXPECT_NEAR(
        covered_volume(grid_of_covered_part(dim, 8), BoxShape{{-1, 0.13, -1}, {2, 0.77, 2}}), 0.64,
        1e-12);
}

TEST(CoveredPart, asks_for_values_within_the_body_alone) {
  const Grid grid = grid_of_covered_part(2, 8);
  const auto level = level_set_of({BoxShape{{0.3, -1}, {2, 2}}}, grid, {}, {"it", "it"});
  double sum = 0;
  for_each_on_host(all_cells(grid), [&](const Index<3>& c) {
    const MeanBox box = mean_box(grid, at_cells, c);
    const auto at = [](const Point& x) {
      EXPECT_GE(x[0], 0.3);
      return x[0] - 0.3;
    };
    sum += covered_mean(
               *level, box, 2, [&] { return box.place[0] - 0.3; }, at) /
           64;
  });
  EXPECT_NEAR(sum, 0.5 * 0.7 * 0.7, 1e-12);
}

TEST(CoveredPart, of_a_sphere_is_of_second_order) {
  double error[2];
  for (const int k : {0, 1}) {
    const Grid grid = grid_of_covered_part(3, 8 << k);
    const double exact = 4.0 / 3 * M_PI * std::pow(0.37, 3);
    error[k] = std::abs(covered_volume(grid, SphereShape{{0.49, 0.52, 0.5}, 0.37}) / exact - 1);
  }
  EXPECT_LT(error[0], 0.01);
  EXPECT_LT(error[1], error[0] / 3);
}

}  // namespace
}  // namespace hodge::sim
