#include "sim/discrete/bodies/signed_distance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "sim/base/formulas/expression.hpp"
#include "sim/discrete/bodies/sharp.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge::sim {
namespace {

constexpr std::array<bool, 3> no_axis_periodic{};

CellRange cells_of_box(const Grid& grid) {
  return {{}, {grid.cells(0), grid.cells(1), grid.dim() == 3 ? grid.cells(2) : 0}};
}

// The largest difference of the signed distances in the unit box from an exact one.
double largest_error(const Grid& grid, const std::vector<Solid>& solids,
                     const std::function<double(const Point&)>& exact,
                     const std::array<bool, 3>& periodic = no_axis_periodic) {
  const std::vector<double> distances =
      signed_distances(grid, solids, periodic, cells_of_box(grid));
  double largest = 0;
  std::size_t cell = 0;
  for (int k = 0; k < (grid.dim() == 3 ? grid.cells(2) : 1); ++k)
    for (int j = 0; j < grid.cells(1); ++j)
      for (int i = 0; i < grid.cells(0); ++i, ++cell) {
        const Point x{grid.axis(0).centre(i), grid.axis(1).centre(j),
                      grid.dim() == 3 ? grid.axis(2).centre(k) : 0};
        largest = std::max(largest, std::abs(distances.at(cell) - exact(x)));
      }
  return largest;
}

Solid solid_of(Shape shape) {
  Solid solid;
  solid.region.shape = std::move(shape);
  return solid;
}

double from_ball(const Point& x) {
  return std::hypot(x[0] - 0.45, x[1] - 0.52, x[2] - 0.5) - 0.3;
}
double from_circle(const Point& x) {
  return std::hypot(x[0] - 0.45, x[1] - 0.52) - 0.3;
}

TEST(SignedDistances, from_spheres_and_boxes_are_exact) {
  const Grid grid(test::flow_settings(3, 10).grid);
  const Solid ball = solid_of(SphereShape{{0.45, 0.52, 0.5}, 0.3});
  EXPECT_LT(largest_error(grid, {ball}, from_ball), 1e-14);
  Solid hole = ball;
  hole.region.inside_out = true;
  EXPECT_LT(largest_error(grid, {hole}, [](const Point& x) { return -from_ball(x); }), 1e-14);
  const Solid floor = solid_of(BoxShape{{-1, -1, -1}, {2, 2, 0.23}});
  const auto from_both = [](const Point& x) { return std::min(from_ball(x), x[2] - 0.23); };
  EXPECT_LT(largest_error(grid, {ball, floor}, from_both), 1e-14);
}

// The formula is no distance.
TEST(SignedDistances, from_other_shapes_are_of_second_order) {
  const auto error = [](int dim, int cells) {
    const Grid grid(test::flow_settings(dim, cells).grid);
    const std::string z = dim == 3 ? " + (z - 0.5)^2" : "";
    const Expression level = Expression::parse("40*((x - 0.45)^2 + (y - 0.52)^2" + z + " - 0.09)");
    return largest_error(grid, {solid_of(LevelShape{level})}, dim == 3 ? from_ball : from_circle);
  };
  for (const int dim : {2, 3}) {
    SCOPED_TRACE(dim);
    const double coarse = error(dim, 10), fine = error(dim, 20);
    EXPECT_LT(coarse, 0.004);
    EXPECT_LT(fine, 0.3 * coarse);
  }
}

TEST(SignedDistances, see_bodies_beyond_a_periodic_side) {
  const Grid grid(test::flow_settings(2, 10).grid);
  const auto exact = [](const Point& x) {
    const double along = std::min(std::abs(x[0] - 0.8), 1 - std::abs(x[0] - 0.8));
    return std::hypot(along, x[1] - 0.5) - 0.1;
  };
  const Solid circle = solid_of(SphereShape{{0.8, 0.5, 0}, 0.1});
  EXPECT_LT(largest_error(grid, {circle}, exact, {true, false, false}), 1e-14);
}

// Against the part of 8 x 8 (x 8) points of each cell that lies outside.
TEST(OpenFractions, are_the_fluid_part_of_cells_that_a_sharp_sphere_cuts) {
  for (const int dim : {2, 3}) {
    SCOPED_TRACE(dim);
    const Grid grid(test::flow_settings(dim, 12).grid);
    Problem problem;
    problem.solids = {solid_of(SphereShape{{0.45, 0.52, 0.5}, 0.3})};
    const std::vector<std::uint8_t> centres = cell_bodies(grid, problem);
    const CellRange cells = cells_of_box(grid);
    const std::vector<double> whole = open_fractions(grid, centres, {}, cells);
    EXPECT_EQ(std::ranges::count(whole, 0.0), std::ranges::count(centres, 1));
    EXPECT_EQ(std::ranges::count(whole, 1.0), std::ranges::count(centres, 0));
    problem.solids[0].sharp = true;
    const SharpCells sharp = sharp_cells(grid, problem, centres);
    const std::vector<double> open = open_fractions(grid, sharp.bodies, sharp.cut, cells);
    const double h = 1.0 / 12;
    double solid = 0;
    for (std::size_t cell = 0; cell < open.size(); ++cell) {
      const std::size_t c[] = {cell % 12, cell / 12 % 12, cell / 144};
      int outside = 0, points = 0;
      for (int n = 0; n < (dim == 3 ? 512 : 64); ++n, ++points) {
        const int at[] = {n % 8, n / 8 % 8, n / 64};
        Point x{};
        for (int d = 0; d < dim; ++d) x[d] = h * (static_cast<double>(c[d]) + (at[d] + 0.5) / 8);
        outside += (dim == 3 ? from_ball(x) : from_circle(x)) > 0 ? 1 : 0;
      }
      EXPECT_NEAR(open[cell], static_cast<double>(outside) / points, 0.06);
      solid += 1 - open[cell];
    }
    const double pi = std::acos(-1), exact = dim == 3 ? 4 * pi / 3 * 0.027 : pi * 0.09;
    EXPECT_NEAR(solid * std::pow(h, dim), exact, 0.01 * exact);
  }
}

}  // namespace
}  // namespace hodge::sim
