// Surfaces of several closed parts: which are solid, which are cavities, what is mended and told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

#include "linalg/base/errors.hpp"
#include "sim/discrete/bodies/shells.hpp"
#include "sim/model/solid.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/sim_objects.hpp"
#include "tests/support/stl_files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

using test::cube_surface;
using test::inside_out;
using test::joined;
using testing::HasSubstr;

constexpr int cells_a_side = 40;

// Of the unit cube.
Grid unit_grid() {
  return test::grid_of({test::uniform(cells_a_side, 1), test::uniform(cells_a_side, 1),
                        test::uniform(cells_a_side, 1)});
}

double solid_volume(const Surface& surface) {
  const std::vector<std::uint8_t> cells = points_inside(unit_grid(), surface);
  return static_cast<double>(std::count(cells.begin(), cells.end(), 1)) /
         static_cast<double>(cells.size());
}

struct Found {
  double volume;
  std::string told;
};

Found found_in(Surface surface) {
  Found found{};
  found.told = orient_shells(surface, "a");
  found.volume = solid_volume(surface);
  return found;
}

// Whose sides lie between centres.
Surface cube_from(double lower, double upper) {
  return cube_surface({lower, lower, lower}, {upper, upper, upper});
}

double cubed(double side) {
  return side * side * side;
}

const Surface outer_cube = cube_from(0.1, 0.9), middle_cube = cube_from(0.2, 0.8),
              inner_cube = cube_from(0.3, 0.7);

void expect_solid(const Surface& surface, double volume, const std::string& told) {
  const Found found = found_in(surface);
  EXPECT_NEAR(found.volume, volume, 1e-12);
  EXPECT_EQ(found.told, told);
}

TEST(OrientShells, of_boxes_that_overlap_make_their_union) {
  const Surface one = cube_from(0.2, 0.6), other = cube_from(0.4, 0.8);
  const double both = 2 * cubed(0.4) - cubed(0.2);
  expect_solid(joined({one, other}), both, "");
  expect_solid(joined({one, inside_out(other)}), both,
               "the normals of 1 of 2 closed parts pointed inwards and were turned");
  expect_solid(inside_out(joined({one, other})), both,
               "the normals of 2 of 2 closed parts pointed inwards and were turned");
}

TEST(OrientShells, of_spheres_that_overlap_make_their_union) {
  const double r = 0.25, s = 0.2, apart = 0.25, pi = std::numbers::pi;
  const double lens = pi * std::pow(r + s - apart, 2) *
                      (apart * apart + 2 * apart * (r + s) - 3 * (r - s) * (r - s)) / (12 * apart);
  const double both = 4 * pi / 3 * (cubed(r) + cubed(s)) - lens;
  const Surface first = test::sphere_surface({0.4, 0.51, 0.49}, r, 60),
                second = test::sphere_surface({0.4 + apart, 0.51, 0.49}, s, 60);
  EXPECT_NEAR(found_in(joined({first, second})).volume, both, 0.01 * both);
  EXPECT_NEAR(found_in(joined({inside_out(first), second})).volume, both, 0.01 * both);
}

TEST(OrientShells, take_a_part_with_normals_inwards_within_a_body_as_a_cavity) {
  const double hollow = cubed(0.8) - cubed(0.6);
  expect_solid(joined({outer_cube, inside_out(middle_cube)}), hollow, "");
  expect_solid(joined({inside_out(middle_cube), outer_cube}), hollow, "");
  expect_solid(
      joined({inside_out(outer_cube), middle_cube}), hollow,
      "the normals of 2 of 2 closed parts pointed inwards and were turned; 1 closed part with "
      "normals inwards within another one is a cavity");
}

TEST(OrientShells, tell_that_a_part_with_normals_outwards_within_a_body_is_solid) {
  expect_solid(
      joined({outer_cube, middle_cube}), cubed(0.8),
      "1 closed part lies within another one and is solid there: turn the normals inwards where "
      "a cavity is meant");
  EXPECT_NEAR(found_in(inside_out(joined({outer_cube, middle_cube}))).volume, cubed(0.8), 1e-12);
}

TEST(OrientShells, of_three_nested_shells_have_a_body_in_the_cavity) {
  const double three = cubed(0.8) - cubed(0.6) + cubed(0.4);
  expect_solid(joined({outer_cube, inside_out(middle_cube), inner_cube}), three, "");
  EXPECT_NEAR(
      found_in(joined({inside_out(outer_cube), middle_cube, inside_out(inner_cube)})).volume, three,
      1e-12);
  // In a cavity no cavity can be: the innermost part was turned inside out.
  const Found turned =
      found_in(joined({inside_out(inner_cube), inside_out(middle_cube), outer_cube}));
  EXPECT_NEAR(turned.volume, three, 1e-12);
  EXPECT_THAT(turned.told, HasSubstr("the normals of 1 of 3 closed parts pointed inwards"));
  EXPECT_NEAR(found_in(joined({outer_cube, middle_cube, inner_cube})).volume, cubed(0.8), 1e-12);
}

TEST(OrientShells, turn_a_body_with_its_cavity_beside_another_body) {
  const Surface alone = cube_from(0.05, 0.25), body = cube_from(0.4, 0.9),
                hole = cube_from(0.5, 0.8);
  const double all = cubed(0.2) + cubed(0.5) - cubed(0.3);
  EXPECT_NEAR(found_in(joined({alone, body, inside_out(hole)})).volume, all, 1e-12);
  EXPECT_NEAR(found_in(joined({alone, inside_out(body), hole})).volume, all, 1e-12);
}

// A pocket shares a side with its body: its corners there are neither inside nor outside.
TEST(OrientShells, take_a_part_that_touches_the_side_of_its_body_as_a_cavity) {
  const Surface pocket = cube_surface({0.3, 0.3, 0.5}, {0.7, 0.7, 0.9});
  expect_solid(joined({outer_cube, inside_out(pocket)}), cubed(0.8) - cubed(0.4), "");
}

TEST(OrientShells, of_bodies_that_share_a_side_leave_no_gap) {
  const double length = 0.6 * 0.16;
  const Surface left = cube_surface({0.2, 0.2, 0.2}, {0.5, 0.6, 0.6}),
                right = cube_surface({0.5, 0.2, 0.2}, {0.8, 0.6, 0.6});
  expect_solid(joined({left, right}), length, "");
  expect_solid(joined({right, left}), length, "");
  EXPECT_NEAR(found_in(joined({left, inside_out(right)})).volume, length, 1e-12);
  expect_solid(joined({left, left}), length / 2, "");
  EXPECT_NEAR(found_in(joined({left, inside_out(left)})).volume, length / 2, 1e-12);
}

// Two wedges of a cube, cut along x = y, on which centres lie; each cuts the common side in its own
// way, so that its points are rounded differently.
TEST(OrientShells, of_bodies_that_share_a_slanted_side_leave_no_gap) {
  const auto wedge = [](bool below, double bend) {
    Surface s;
    const double a = 0.1, b = 0.9, corner[2] = {below ? b : a, below ? a : b};
    for (const double z : {a, b})
      for (const auto& [x, y] : {std::pair(a, a), std::pair(b, b), std::pair(corner[0], corner[1])})
        s.points.push_back({x, y, z});
    const double m = 0.1 + 0.8 * bend;
    s.points.push_back({m, m, 0.1 + 0.8 * bend * bend});  // in the common side
    s.triangles = {{0, 1, 2}, {5, 4, 3}, {1, 4, 5}, {1, 5, 2}, {2, 5, 3},
                   {2, 3, 0}, {1, 0, 6}, {0, 3, 6}, {3, 4, 6}, {4, 1, 6}};
    return s;
  };
  for (int trial = 1; trial < 20; ++trial) {
    const Found found = found_in(joined({wedge(true, 0.05 * trial), wedge(false, 0.031 * trial)}));
    EXPECT_NEAR(found.volume, cubed(0.8), 1e-12) << trial;
  }
}

TEST(OrientShells, turn_triangles_that_do_not_agree_with_their_part) {
  Surface mixed = joined({cube_from(0.2, 0.6), cube_from(0.4, 0.8)});
  for (const std::size_t t : {1, 5, 14}) std::swap(mixed.triangles[t][0], mixed.triangles[t][1]);
  expect_solid(
      mixed, 2 * cubed(0.4) - cubed(0.2),
      "3 triangles of 24 did not agree with the rest of their part on its outside and were "
      "turned");
  std::mt19937 generator(5);
  for (int trial = 0; trial < 20; ++trial) {
    Surface body = test::sphere_surface({0.5, 0.5, 0.5}, 0.4, 12);
    const double expected = solid_volume(body);
    for (auto& corners : body.triangles)
      if (generator() % 2 == 0) std::swap(corners[0], corners[2]);
    EXPECT_EQ(found_in(body).volume, expected);
  }
}

TEST(OrientShells, leave_a_surface_alone_that_is_as_it_should_be) {
  Surface surface = joined({outer_cube, inside_out(middle_cube)});
  const auto before = surface.triangles;
  EXPECT_EQ(orient_shells(surface, "a"), "");
  EXPECT_EQ(surface.triangles, before);
}

TEST(FindShells, refuses_edges_of_an_odd_number_of_triangles) {
  const auto message_of_edges = [](Surface surface) {
    return test::message_of<ConfigError>([&] { (void)find_shells(surface, "a"); });
  };
  Surface open = cube_surface({0, 0, 0}, {1, 2, 3}), twice = open;
  open.triangles.erase(open.triangles.begin());
  twice.triangles.push_back(twice.triangles.front());
  EXPECT_EQ(message_of_edges(open),
            "a: the surface is not closed: the edge from (0, 0, 0) to (0, 2, 0) belongs to 1 "
            "triangle; every edge must belong to 2 of each part");
  EXPECT_EQ(message_of_edges(twice),
            "a: the surface is not closed: the edge from (0, 0, 0) to (0, 2, 0) belongs to 3 "
            "triangles; every edge must belong to 2 of each part");
}

// The projective plane of six points: every edge belongs to two triangles, and there is no inside.
TEST(FindShells, refuses_a_surface_of_one_side) {
  Surface plane;
  for (int i = 0; i < 6; ++i) plane.points.push_back({std::cos(i), std::sin(2 * i), 0.1 * i * i});
  plane.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}, {0, 5, 1},
                     {1, 2, 4}, {2, 3, 5}, {3, 4, 1}, {4, 5, 2}, {5, 1, 3}};
  EXPECT_THAT(test::message_of<ConfigError>([&] { (void)find_shells(plane, "a"); }),
              HasSubstr("a: the surface has no inside: its triangles cannot agree on a side at the "
                        "edge from ("));
}

TEST(FindShells, refuses_parts_that_touch_where_triangles_do_not_agree) {
  Surface both = joined({cube_surface({0, 0, 0}, {1, 1, 1}), cube_surface({1, 0, 0}, {2, 1, 1})});
  EXPECT_EQ(find_shells(both, "a").all.size(), 2);
  std::swap(both.triangles[10][0], both.triangles[10][1]);  // in the common side
  EXPECT_THAT(test::message_of<ConfigError>([&] { (void)find_shells(both, "a"); }),
              HasSubstr("a: parts touch at the edge from (1, 1, 0) to (1, 0, 0), and triangles do "
                        "not agree on their sides"));
}

TEST(FindShells, knows_the_volumes_and_boxes_of_parts) {
  Surface surface = joined({outer_cube, inside_out(cube_surface({0, 0, 0}, {0.5, 0.25, 1}))});
  const Shells shells = find_shells(surface, "a");
  ASSERT_EQ(shells.all.size(), 2);
  EXPECT_NEAR(shells.all[0].volume, cubed(0.8), 1e-15);
  EXPECT_NEAR(shells.all[1].volume, -0.125, 1e-15);
  EXPECT_EQ(shells.all[1].upper, (Point{0.5, 0.25, 1}));
}

TEST(SurfacesOfSolids, are_told_with_their_solid_file_and_extent) {
  const test::TemporaryDirectory directory;
  const std::string mended = directory / "a.stl", right = directory / "b.stl";
  test::write_text(mended, test::stl_text(inside_out(cube_from(0.25, 0.75))));
  test::write_text(right, test::stl_binary(cube_from(0.25, 0.75)));
  const auto told = surfaces_of({{"ball", SphereShape{{0.1, 0.1, 0.1}, 0.1}},
                                 {"tail", SurfaceShape{right, 10, {1, 0, 0}}},
                                 {"wing", UnionShape{{{SurfaceShape{mended}}}}}});
  ASSERT_EQ(told.size(), 2);
  EXPECT_EQ(told[0].key, "solids[1].surface.file");
  EXPECT_EQ(told[0].told, "");
  EXPECT_EQ(told[0].lower, (Point{3.5, 2.5, 2.5}));
  EXPECT_EQ(told[0].upper, (Point{8.5, 7.5, 7.5}));
  EXPECT_EQ(told[1].key, "solids[2].union[0].surface.file");
  EXPECT_EQ(told[1].told, "solid 'wing' (" + mended +
                              "): the normals of 1 of 1 closed part pointed inwards and were "
                              "turned");
}

}  // namespace
}  // namespace hodge::sim
