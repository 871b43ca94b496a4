#include "sim/discrete/bodies/level_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "linalg/base/errors.hpp"
#include "sim/base/key_error.hpp"
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
  const auto half = level_of(plane(4), {"", BoxShape{{2, -1}, {9, 9}}}, {true, true, false});
  EXPECT_GT(half->level({1, 2, 0}), 0);
}

Region region(Shape shape, Turning turned = {}, bool inside_out = false) {
  return {std::move(shape), std::move(turned), inside_out};
}

TEST(LevelSet, of_an_ellipse_is_the_distance_at_its_ends_and_has_its_sign_everywhere) {
  const auto ellipse = level_of(plane(4), {"", EllipseShape{2, {2, 2}, {1, 0.5}}});
  EXPECT_NEAR(ellipse->level({3.001, 2, 0}), 0.001, 1e-5);
  EXPECT_NEAR(ellipse->level({2, 1.499, 0}), 0.001, 1e-5);
  EXPECT_EQ(ellipse->level({2, 2, 0}), -0.5);
  for (const double x : {1.1, 1.9, 2.7})
    for (const double y : {1.4, 1.7, 2.2, 2.6})
      EXPECT_EQ(ellipse->level({x, y, 0}) < 0, std::pow(x - 2, 2) + 4 * std::pow(y - 2, 2) < 1);
}

TEST(LevelSet, of_a_turned_box_is_that_of_the_points_turned_back) {
  const auto turned = level_of(plane(4), {"", region(BoxShape{{1, 1.5}, {3, 2.5}}, {.angle = 90})});
  EXPECT_NEAR(turned->level({2, 0.9, 0}), 0.1, 1e-12);
  EXPECT_EQ(turned->level({2.25, 2, 0}), -0.25);
  const double half = std::sqrt(0.5);  // of an edge of the square that stands on a corner
  const auto square = level_of(
      plane(4), {"", region(BoxShape{{2 - half, 2 - half}, {2 + half, 2 + half}}, {.angle = 45})});
  EXPECT_NEAR(square->level({2.9, 2, 0}), -0.1 * half, 1e-12);
  EXPECT_NEAR(square->level({2.9, 2.2, 0}), 0.1 * half, 1e-12);
  EXPECT_NEAR(square->extent().upper[0], 3, 1e-12);
}

TEST(LevelSet, turns_in_space_about_an_axis_or_by_three_angles_alike) {
  const BoxShape box{{0, 0, 0}, {3, 2, 1}};
  const Point about{1, 1, 1};
  const auto by_axis =
      level_of(space(4), {"", region(box, {.angle = 40, .axis = Point{0, 2, 0}, .about = about})});
  const auto by_angles =
      level_of(space(4), {"", region(box, {.angles = Point{0, 40, 0}, .about = about})});
  const double c = std::cos(40 * M_PI / 180), s = std::sin(40 * M_PI / 180);
  // A point of the body, turned counterclockwise seen from the tip of y: z goes to x.
  const Point in{2.9, 1, 0.1}, at{1 + c * 1.9 - s * 0.9, 1, 1 - s * 1.9 - c * 0.9};
  const double was = level_of(space(4), {"", box})->level(in);
  EXPECT_NEAR(by_axis->level(at), was, 1e-12);
  EXPECT_NEAR(by_angles->level(at), was, 1e-12);
  const auto twice = level_of(space(4), {"", region(box, {.angles = Point{90, 0, 90}})});
  // x to y, y to z, z to x about the middle (1.5, 1, 0.5).
  EXPECT_NEAR(twice->level({1.5 + 0.4, 1 + 1.4, 0.5 + 0.9}), -0.1, 1e-12);
}

TEST(LevelSet, of_unions_differences_and_what_is_inside_out_have_the_signs_of_sets) {
  const Region left = region(SphereShape{{1.5, 2}, 1}), right = region(SphereShape{{2.5, 2}, 1});
  Region not_right = right;
  not_right.inside_out = true;
  const auto in = [](const Region& r, double x) {
    return level_of(plane(4), {"", r})->level({x, 2, 0}) < 0;
  };
  const std::vector<double> places{0.2, 1, 2, 3, 3.8};
  for (const double x : places) {
    const bool a = in(left, x), b = in(right, x);
    EXPECT_EQ(in(region(UnionShape{{left, right}}), x), a || b) << x;
    EXPECT_EQ(in(region(DifferenceShape{{left, right}}), x), a && !b) << x;
    EXPECT_EQ(in(region(DifferenceShape{{left, not_right}}), x), a && b) << x;
    EXPECT_EQ(in(not_right, x), !b) << x;
  }
  const Grid grid = plane(4);
  for (const Region& r :
       {region(UnionShape{{left, not_right}}), region(DifferenceShape{{left, right}}),
        region(BoxShape{{0.25, 0.25}, {1.25, 3.75}}, {}, true)}) {
    const auto level = level_of(grid, {"", r});
    const PointRows rows(grid);
    const std::vector<std::uint8_t> inside = level->inside(rows);
    for (int row = 0; row < rows.count(); ++row)
      for (int i = 0; i < rows.points(0); ++i)
        EXPECT_EQ(inside[rows.first(row) + i] != 0, level->level(rows.point(i, row)) < 0);
  }
}

TEST(LevelSet, of_a_formula_is_its_value_and_repeats_where_the_body_is_bounded) {
  const Solid disk{"", LevelShape{Expression::parse("sqrt(x^2 + y^2) - 0.5")}};
  EXPECT_EQ(level_of(plane(4), disk)->level({3, 4, 0}), 4.5);
  const auto repeated = level_of(plane(4), disk, {true, true, false});
  EXPECT_LT(repeated->level({3.8, 3.8, 0}), 0);
  EXPECT_GT(repeated->level({2, 2, 0}), 0);
  const auto layer =
      level_of(plane(4), {"", LevelShape{Expression::parse("y - 0.5")}}, {true, true, false});
  EXPECT_EQ(layer->level({2, 3.9, 0}), 3.4);  // goes on below: taken as it is
}

TEST(LevelSet, of_a_difference_without_a_part_to_take_away_is_refused_by_its_key) {
  try {
    (void)level_of(plane(4), {"", region(DifferenceShape{{region(SphereShape{{1, 1}, 1})}})});
    FAIL();
  } catch (const KeyError& error) {
    EXPECT_EQ(error.key, "solids[0].difference");
  }
}

}  // namespace
}  // namespace hodge::sim
