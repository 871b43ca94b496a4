#include "sim/discrete/bodies/level_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "linalg/base/errors.hpp"
#include "sim/discrete/bodies/surface_level.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/sim_objects.hpp"
#include "tests/support/stl_files.hpp"

namespace hodge::sim {
namespace {

using test::grid_of;
using test::message_of;
using test::uniform;

std::unique_ptr<const LevelSet> level_of(const Grid& grid, const Solid& solid,
                                         const std::array<bool, 3>& periodic = {}) {
  return std::move(level_sets(grid, {solid}, periodic).front());
}

Grid plane(double length) {
  return grid_of({uniform(8, length), uniform(8, length)});
}

Grid space(double length) {
  return grid_of({uniform(8, length), uniform(8, length), uniform(8, length)});
}

TEST(LevelSet, is_the_signed_distance_of_boxes_spheres_and_cylinders) {
  const auto box = level_of(plane(4), {"", BoxShape{{1, 1}, {3, 2}}});
  EXPECT_EQ(box->level({1.25, 1.5, 9}), -0.25);
  EXPECT_EQ(box->level({3.5, 1.5, 9}), 0.5);
  EXPECT_EQ(box->level({6, 6, 0}), 5);
  const auto sphere = level_of(space(4), {"", SphereShape{{1, 1, 1}, 0.5}});
  EXPECT_EQ(sphere->level({1, 1, 1}), -0.5);
  EXPECT_DOUBLE_EQ(sphere->level({1, 1 + 3, 1 + 4}), 4.5);
  const auto cylinder = level_of(space(4), {"", CylinderShape{1, {1, 7, 1}, 0.5}});
  EXPECT_DOUBLE_EQ(cylinder->level({1.25, -8, 1}), -0.25);
}

TEST(LevelSet, has_the_sign_of_the_side_to_which_points_of_the_surface_belong) {
  const auto box = level_of(plane(4), {"", BoxShape{{1, 1}, {3, 2}}});
  EXPECT_LT(box->level({1, 1.5, 0}), 0);
  EXPECT_LT(box->level({2, 1, 0}), 0);
  EXPECT_EQ(box->level({3, 1.5, 0}), 0);
  EXPECT_EQ(level_of(plane(4), {"", SphereShape{{1, 1}, 0.5}})->level({1.5, 1, 0}), 0);
}

TEST(LevelSet, of_a_surface_is_the_distance_to_its_triangles_with_the_sign_of_the_winding_number) {
  const Point centre{1, 1.1, 0.9};
  const auto ball = level_set_of(test::sphere_surface(centre, 0.7, 60));
  const auto cube = level_set_of(test::cube_surface({0.25, 0.25, 0.25}, {1.5, 1.5, 1.5}));
  const auto box = level_of(space(2), {"", BoxShape{{0.25, 0.25, 0.25}, {1.5, 1.5, 1.5}}});
  std::mt19937 random(1);
  std::uniform_real_distribution<double> coordinate(0, 2);
  for (int n = 0; n < 500; ++n) {
    const Point x{coordinate(random), coordinate(random), coordinate(random)};
    const double distance = std::hypot(x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]) - 0.7;
    EXPECT_NEAR(ball->level(x), distance, 3e-3);
    EXPECT_NEAR(cube->level(x), box->level(x), 1e-12);
  }
}

TEST(LevelSet, says_the_same_of_one_point_and_of_many) {
  const Grid grid = space(2);  // centres on the sides and edges of the cube
  const auto cube = level_set_of(test::cube_surface({0.375, 0.375, 0.375}, {1.125, 1.5, 1.625}));
  const PointRows rows(grid);
  const std::vector<std::uint8_t> inside = cube->inside(rows);
  std::size_t at = 0;
  for (int row = 0; row < rows.count(); ++row)
    for (int i = 0; i < rows.points(0); ++i, ++at)
      EXPECT_EQ(inside[at] != 0, cube->level(rows.point(i, row)) < 0) << at;
  EXPECT_EQ(std::ranges::count(inside, 1), 3 * 5 * 5);
}

TEST(LevelSet, of_a_body_that_crosses_a_periodic_side_goes_on_at_the_other) {
  const Solid ball{"", SphereShape{{0.1, 0.2}, 0.5}};
  const auto alone = level_of(plane(4), ball);
  const auto repeated = level_of(plane(4), ball, {true, true, false});
  EXPECT_GT(alone->level({3.9, 3.9, 0}), 0);
  EXPECT_NEAR(repeated->level({3.9, 3.9, 0}), std::hypot(0.2, 0.3) - 0.5, 1e-12);
  const auto along_x = level_of(plane(4), ball, {true, false, false});
  EXPECT_LT(along_x->level({3.9, 0.3, 0}), 0);
  EXPECT_GT(along_x->level({0.3, 3.9, 0}), 0);
  const auto surface =
      level_of(plane(4), {"", BoxShape{{-1000, 1}, {1000, 2}}}, {true, true, true});
  EXPECT_EQ(surface->level({2, 1.5, 0}), -0.5);
  EXPECT_TRUE(message_of<ConfigError>([&] {
                (void)level_of(plane(4), {"", SphereShape{{0, 0}, 100}}, {true, false, false});
              }).find("is 50 periods; at most 16 are possible") != std::string::npos);
}

}  // namespace
}  // namespace hodge::sim
