#include "sim/discrete/bodies/surface.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "linalg/base/errors.hpp"
#include "sim/model/solid.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/failing_file_system.hpp"
#include "tests/support/sim_objects.hpp"
#include "tests/support/stl_files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::sim {
namespace {

using test::grid_of;
using test::message_of;
using test::stretched;
using test::uniform;
using Cells = std::vector<std::uint8_t>;

Grid grid_3d() {
  return grid_of({uniform(20, 2), stretched(17, 2), uniform(24, 2)});
}

TEST(ReadStl, reads_text_and_binary_alike) {
  const test::TemporaryDirectory directory;
  const Surface cube = test::cube_surface({0.25, 0.5, 0.75}, {1, 1.5, 2});
  test::write_text(directory / "text.stl", test::stl_text(cube));
  test::write_text(directory / "binary.stl", test::stl_binary(cube));
  for (const char* name : {"text.stl", "binary.stl"}) {
    const Surface read = read_stl(directory / name);
    EXPECT_EQ(read.points.size(), 8) << name;
    ASSERT_EQ(read.triangles.size(), 12) << name;
    for (int t = 0; t < 12; ++t)
      for (int corner = 0; corner < 3; ++corner)
        EXPECT_EQ(read.points[read.triangles[t][corner]], cube.points[cube.triangles[t][corner]]);
  }
}

TEST(ReadStl, complains_of_files_without_a_surface_and_prints_nothing) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "a.stl";
  const std::string text = test::stl_text(test::cube_surface({0, 0, 0}, {1, 1, 1}));
  std::string not_a_number = text;
  not_a_number.replace(not_a_number.find("vertex 0"), 8, "vertex nan");
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  for (const std::string& content :
       {std::string(), std::string("x"), std::string("solid\nendsolid\n"), std::string(200, '\0'),
        std::string("solid cube\nfacet normal 0 0 0\nouter loop\nvertex 1 2\n"),
        std::string("a text of some other kind\nwith lines\n"), text.substr(0, text.size() / 2),
        not_a_number}) {
    test::write_text(path, content);
    const std::string message = message_of<ConfigError>([&] { (void)read_stl(path); });
    EXPECT_TRUE(message.starts_with(path + " holds no surface: ")) << message;
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(ReadStl, takes_no_memory_for_triangles_that_are_not_there) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "a.stl";
  std::string binary = test::stl_binary(test::cube_surface({0, 0, 0}, {1, 1, 1}));
  for (const std::uint32_t said : {24000000u, 0xffffffffu, 11u, 0u}) {
    std::memcpy(binary.data() + 80, &said, sizeof said);
    test::write_text(path, binary);
    EXPECT_EQ(message_of<ConfigError>([&] { (void)read_stl(path); }),
              path + " holds no surface: it has 684 bytes, and " + std::to_string(said) +
                  " triangles in binary have " + std::to_string(84 + 50 * std::uint64_t{said}) +
                  "; an STL file is expected");
  }
}

TEST(ReadStl, tells_binary_from_text_by_the_length) {
  const test::TemporaryDirectory directory;
  std::string binary = test::stl_binary(test::cube_surface({0, 0, 0}, {1, 1, 1}));
  binary.replace(0, 5, "solid");
  test::write_text(directory / "a.stl", binary);
  EXPECT_EQ(read_stl(directory / "a.stl").triangles.size(), 12U);
}

// As VTK's reader of STL files did: single precision, points by their first appearance, triangles
// with two equal corners dropped, -0 the same as 0, upper case.
TEST(ReadStl, joins_equal_corners_and_drops_triangles_without_area) {
  const test::TemporaryDirectory directory;
  test::write_text(directory / "a.stl", R"(solid two words
  FACET normal 0 0 1
    outer loop
      vertex 0.1 0 0
      vertex 1e0 +0 -0
      vertex 0 1E-50 1
    endloop
  endfacet
facet normal 0 0 1
outer loop
vertex 1 -0 0
vertex 1 0 0
vertex 0 0 1
endloop
endfacet
endsolid
)");
  const Surface surface = read_stl(directory / "a.stl");
  EXPECT_EQ(surface.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}}));
  ASSERT_EQ(surface.points.size(), 3U);
  EXPECT_EQ(surface.points[0], (Point{static_cast<double>(0.1F), 0, 0}));
  EXPECT_EQ(surface.points[2], (Point{0, 0, 1}));
}

TEST(ReadStl, gives_the_reason_where_a_file_cannot_be_read) {
  const test::TemporaryDirectory directory;
  EXPECT_EQ(message_of<ConfigError>([] { (void)read_stl("/no/such.stl"); }),
            "cannot read /no/such.stl: No such file or directory, expected an STL file");
  const std::string folder = directory.path();
  EXPECT_EQ(message_of<ConfigError>([&] { (void)read_stl(folder); }),
            "cannot read " + folder + ": it is not a file, expected an STL file");
  const std::string locked = directory / "locked.stl";
  test::write_text(locked, "solid\n");
  std::filesystem::permissions(locked, std::filesystem::perms(0));
  const test::OrdinaryUser user;
  EXPECT_EQ(message_of<ConfigError>([&] { (void)read_stl(locked); }),
            "cannot read " + locked + ": Permission denied, expected an STL file");
}

Cells cells_of(const Grid& grid, const Solid& solid) {
  return cell_bodies(grid, {solid});
}

TEST(CellsInside, of_a_cube_are_those_of_the_box) {
  const Point lower{0.33, 0.41, 0.27}, upper{1.71, 1.13, 1.91};
  EXPECT_EQ(points_inside(grid_3d(), test::cube_surface(lower, upper)),
            cells_of(grid_3d(), {"", BoxShape{lower, upper}}));
}

TEST(CellsInside, of_a_cube_through_centres_are_those_of_the_box) {
  const Grid grid = grid_of({uniform(8, 8), uniform(8, 8), uniform(8, 8)});
  const Point lower{1.5, 2.5, 0.5}, upper{5.5, 6.5, 7.5};  // every ray of its sides meets an edge
  const Cells cells = points_inside(grid, test::cube_surface(lower, upper));
  EXPECT_EQ(cells, cells_of(grid, {"", BoxShape{lower, upper}}));
  EXPECT_EQ(std::count(cells.begin(), cells.end(), 1), 4 * 4 * 7);
}

TEST(CellsInside, of_a_body_beyond_the_grid_are_cut_by_its_sides) {
  const Point lower{-1, 0.9, -5}, upper{0.7, 7, 9};
  EXPECT_EQ(points_inside(grid_3d(), test::cube_surface(lower, upper)),
            cells_of(grid_3d(), {"", BoxShape{lower, upper}}));
  const Cells none = points_inside(grid_3d(), test::cube_surface({3, 3, 3}, {4, 4, 4}));
  EXPECT_EQ(std::count(none.begin(), none.end(), 1), 0);
}

// The facets of the surface lie inside the sphere by less than this part of the radius.
TEST(CellsInside, of_a_triangulated_sphere_are_those_of_the_sphere_but_for_its_facets) {
  const Grid grid = grid_3d();
  const Point centre{1.01, 0.97, 1.03};
  const double radius = 0.8, sagitta = 0.002;
  const Cells cells = points_inside(grid, test::sphere_surface(centre, radius, 100));
  const Cells outer = cells_of(grid, {"", SphereShape{centre, radius}});
  const Cells inner = cells_of(grid, {"", SphereShape{centre, (1 - sagitta) * radius}});
  for (std::size_t i = 0; i < cells.size(); ++i) {
    EXPECT_GE(cells[i], inner[i]) << i;
    EXPECT_LE(cells[i], outer[i]) << i;
  }
}

// Corners, edges and whole facets on rays and planes of centres, wherever they fall: rows that do
// not end outside would be streaks to the end of the grid.
TEST(CellsInside, leave_no_streaks_where_rays_meet_corners) {
  const Grid grid = grid_of({uniform(16, 16), uniform(16, 16), uniform(16, 16)});
  std::mt19937 generator(7);
  std::uniform_int_distribution<int> half(-4, 4);
  for (int trial = 0; trial < 200; ++trial) {
    Surface body = test::sphere_surface({8, 8, 8}, 5, 4);
    for (Point& x : body.points)
      for (double& coordinate : x)
        coordinate = std::round(2 * coordinate) / 2 + 0.5 * half(generator);
    const Cells cells = points_inside(grid, body);
    for (int row = 0; row < 256; ++row) EXPECT_EQ(cells[16 * row + 15], 0) << trial << ' ' << row;
  }
}

TEST(CellBodies, of_a_surface_come_from_its_file) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "cube.stl";
  const Point lower{0.25, 0.5, 0.25}, upper{1.75, 1.25, 1.5};
  test::write_text(path, test::stl_binary(test::cube_surface(lower, upper)));
  EXPECT_EQ(cells_of(grid_3d(), {"cube", SurfaceShape{path}}),
            cells_of(grid_3d(), {"cube", BoxShape{lower, upper}}));
}

TEST(CellBodies, complain_of_an_open_surface_with_the_solid_and_its_file) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "open.stl";
  Surface open = test::cube_surface({0, 0, 0}, {1, 1, 1});
  open.triangles.pop_back();
  test::write_text(path, test::stl_text(open));
  const std::string message = message_of<ConfigError>([&] {
    cells_of(grid_3d(), {"wing", SurfaceShape{path}});
  });
  EXPECT_TRUE(
      message.starts_with("solid 'wing' (" + path + "): the surface is not closed: the edge"))
      << message;
}

TEST(CellBodies, complain_of_a_surface_between_the_centres) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "small.stl";
  test::write_text(path, test::stl_text(test::cube_surface({1, 1, 1}, {1.01, 1.01, 1.01})));
  const std::string message = message_of<ConfigError>([&] {
    cells_of(grid_3d(), {"dust", SurfaceShape{path}});
  });
  EXPECT_TRUE(message.starts_with("solid 'dust' contains no centre of a cell: ")) << message;
}

}  // namespace
}  // namespace hodge::sim
