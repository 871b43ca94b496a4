#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "linalg/base/errors.hpp"
#include "sim/model/solid.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

using test::grid_of;
using test::message_of;
using test::symmetric;
using test::uniform;
using Cells = std::vector<std::uint8_t>;

Grid square(int cells, double length) {
  return grid_of({uniform(cells, length), uniform(cells, length)});
}

Grid cube(int cells, double length) {
  return grid_of({uniform(cells, length), uniform(cells, length), uniform(cells, length)});
}

long long count(const Cells& bodies, std::uint8_t body) {
  return std::count(bodies.begin(), bodies.end(), body);
}

TEST(CellBodies, are_all_fluid_without_solids) {
  EXPECT_EQ(cell_bodies(square(3, 3), std::vector<Solid>{}), Cells(9, 0));
}

TEST(CellBodies, of_a_box_are_the_cells_with_their_centres_in_it) {
  const Solid box{"box", BoxShape{{0.9, 1.4}, {3.2, 2.6}}};
  EXPECT_EQ(cell_bodies(square(4, 4), {box}), (Cells{0, 0, 0, 0,  //
                                                     0, 1, 1, 0,  //
                                                     0, 1, 1, 0,  //
                                                     0, 0, 0, 0}));
}

TEST(CellBodies, of_boxes_that_touch_at_a_centre_share_no_cell) {
  const Solid left{"left", BoxShape{{0, 0}, {1.5, 1}}}, right{"right", BoxShape{{1.5, 0}, {3, 1}}};
  const Grid grid = grid_of({uniform(3, 3), uniform(3, 3)});
  const Cells both = cell_bodies(grid, {left, right});
  EXPECT_EQ(Cells(both.begin(), both.begin() + 3), (Cells{1, 2, 2}));
}

TEST(CellBodies, of_a_circle_are_symmetric) {
  const Solid circle{"circle", SphereShape{{3, 3}, 2}};
  EXPECT_EQ(cell_bodies(square(6, 6), {circle}), (Cells{0, 0, 0, 0, 0, 0,  //
                                                        0, 0, 1, 1, 0, 0,  //
                                                        0, 1, 1, 1, 1, 0,  //
                                                        0, 1, 1, 1, 1, 0,  //
                                                        0, 0, 1, 1, 0, 0,  //
                                                        0, 0, 0, 0, 0, 0}));
}

TEST(CellBodies, of_a_cylinder_along_z_are_a_circle_in_2d) {
  const Grid grid = square(6, 6);
  EXPECT_EQ(cell_bodies(grid, {{"", CylinderShape{2, {3, 3}, 2}}}),
            cell_bodies(grid, {{"", SphereShape{{3, 3}, 2}}}));
}

TEST(CellBodies, of_a_cylinder_reach_through_the_box_along_its_axis) {
  const Grid grid = cube(4, 4);
  for (int axis = 0; axis < 3; ++axis) {
    const Cells bodies = cell_bodies(grid, {{"", CylinderShape{axis, {2, 2, 2}, 1}}});
    ASSERT_EQ(count(bodies, 1), 16);
    for (int i = 0; i < 64; ++i) {
      const std::array<int, 3> c{i % 4, i / 4 % 4, i / 16};
      bool inside = true;
      for (int d = 0; d < 3; ++d) inside = inside && (d == axis || c[d] == 1 || c[d] == 2);
      EXPECT_EQ(bodies[i], inside ? 1 : 0) << axis << ' ' << i;
    }
  }
}

TEST(CellBodies, belong_to_the_first_body_where_several_overlap) {
  const Solid wide{"wide", BoxShape{{0, 0}, {3, 1}}}, tall{"tall", BoxShape{{2, 0}, {3, 3}}};
  const Solid hidden{"hidden", BoxShape{{0, 0}, {1, 1}}};
  EXPECT_EQ(cell_bodies(square(3, 3), {wide, tall, hidden}), (Cells{1, 1, 1,  //
                                                                    0, 0, 2,  //
                                                                    0, 0, 2}));
}

double solid_volume(const Grid& grid, const Cells& bodies) {
  double volume = 0;
  std::size_t cell = 0;
  for (int k = 0; k < grid.cells(2); ++k)
    for (int j = 0; j < grid.cells(1); ++j)
      for (int i = 0; i < grid.cells(0); ++i, ++cell)
        if (bodies[cell] != 0)
          volume += grid.axis(0).widths[i] * grid.axis(1).widths[j] *
                    (grid.dim() == 3 ? grid.axis(2).widths[k] : 1.0);
  return volume;
}

TEST(CellBodies, of_a_sphere_have_its_volume_in_the_limit) {
  const double radius = 0.37, exact = 4.0 / 3 * std::numbers::pi * radius * radius * radius;
  const Solid sphere{"", SphereShape{{0.48, 0.51, 0.53}, radius}};
  for (const int cells : {16, 32, 64}) {
    const Grid grid = grid_of({uniform(cells, 1), symmetric(cells, 1), uniform(cells, 1)});
    EXPECT_NEAR(solid_volume(grid, cell_bodies(grid, {sphere})), exact, 0.3 * exact / cells)
        << cells;
  }
}

TEST(CellBodies, of_a_circle_have_its_area_in_the_limit) {
  const double radius = 0.37, exact = std::numbers::pi * radius * radius;
  const Solid circle{"", SphereShape{{0.48, 0.51}, radius}};
  for (const int cells : {32, 128, 512}) {
    const Grid grid = square(cells, 1);
    EXPECT_NEAR(solid_volume(grid, cell_bodies(grid, {circle})), exact, 0.5 * exact / cells)
        << cells;
  }
}

std::string complaint(const Grid& grid, const Solid& solid) {
  return message_of<ConfigError>([&] { cell_bodies(grid, {solid}); });
}

TEST(CellBodies, complain_of_a_body_between_the_centres_with_the_size_of_the_cells) {
  EXPECT_EQ(complaint(square(4, 2), {"wire", SphereShape{{1, 1}, 0.1}}),
            "solid 'wire' contains no centre of a cell: the cells there are 0.5 x 0.5 large; use "
            "more of them, or a larger body");
  for (const Point& at_a_side : {Point{0, 1}, {2, 1}, {1, 0}, {1, 2}})
    EXPECT_EQ(complaint(square(4, 2), {"wire", SphereShape{at_a_side, 0.1}}).substr(0, 42),
              "solid 'wire' contains no centre of a cell:");
}

TEST(CellBodies, complain_of_a_body_outside_the_grid) {
  EXPECT_EQ(complaint(square(4, 2), {"", SphereShape{{1, 5}, 0.5}}),
            "solid 'solid1' lies outside the grid: it goes from 4.5 to 5.5 along y, the grid from "
            "0 to 2");
}

TEST(CellBodies, complain_of_shapes_that_make_no_body) {
  const Grid plane = square(4, 2), box = cube(4, 2);
  const double none = std::nan(""), endless = std::numeric_limits<double>::infinity();
  const Point nowhere{1, none, 0};
  const std::vector<Shape> shapes{SphereShape{nowhere, 1}, CylinderShape{2, nowhere, 1},
                                  EllipseShape{2, nowhere, {1, 1}},
                                  EllipsoidShape{nowhere, {1, 1, 1}}};
  for (const Shape& shape : shapes)
    EXPECT_EQ(complaint(box, {"a", shape}),
              "solid 'a': its centre is at nan along y; a finite number is needed")
        << shape.index();
  const std::vector<std::pair<double, const char*>> sizes{
      {0.0, "0"}, {-1.0, "-1"}, {none, "nan"}, {endless, "inf"}};
  for (const auto& [size, text] : sizes)
    for (const Shape& shape :
         {Shape(SphereShape{{1, 1}, size}), Shape(CylinderShape{2, {1, 1}, size}),
          Shape(EllipseShape{2, {1, 1}, {1, size}}), Shape(EllipsoidShape{{1, 1}, {1, size, 1}})})
      EXPECT_EQ(complaint(box, {"a", shape}),
                std::string("solid 'a': its radius is ") + text + "; a number > 0 is needed")
          << shape.index();
  EXPECT_EQ(complaint(box, {"a", CylinderShape{2, {1, 1}, 1, 0}}),
            "solid 'a': its length is 0; a number > 0 is needed");
  EXPECT_EQ(complaint(plane, {"a", BoxShape{{0, 1}, {1, 1}}}),
            "solid 'a': the box goes from 1 to 1 along y; lower < upper is needed");
  EXPECT_EQ(complaint(plane, {"a", CylinderShape{0, {1, 1}, 1}}),
            "solid 'a': the cylinder's axis is x; in 2D it is z");
  EXPECT_EQ(complaint(box, {"a", CylinderShape{3, {1, 1}, 1}}),
            "solid 'a': the cylinder's axis is 3; 0, 1 or 2 is needed");
  EXPECT_EQ(complaint(plane, {"a", SurfaceShape{"a.stl"}}),
            "solid 'a' is a surface; the grid must have 3 dimensions");
}

TEST(SolidNames, number_those_without_one) {
  const BoxShape box{{0, 0}, {1, 1}};
  EXPECT_EQ(solid_names({{"wing", box}, {"", box}}), (std::vector<std::string>{"wing", "solid2"}));
  EXPECT_EQ(message_of<ConfigError>([&] {
              solid_names({{"solid2", box}, {"", box}});
            }),
            "two solids have the name 'solid2'; each needs its own");
}

TEST(CellBodies, complain_of_solids_without_fluid) {
  EXPECT_EQ(
      complaint(square(4, 2), {"a", BoxShape{{-1, -1}, {3, 3}}}),
      "solid 'a', from (-1, -1) to (3, 3), fills every cell of the grid; some fluid is needed");
  EXPECT_EQ(
      message_of<ConfigError>([] {
        cell_bodies(square(4, 2), {{"", BoxShape{{0, 0}, {1, 2}}}, {"", BoxShape{{1, 0}, {2, 2}}}});
      }),
      "the solids fill every cell of the grid; some fluid is needed");
}

TEST(CellBodies, complain_of_a_level_without_a_value) {
  EXPECT_EQ(complaint(square(4, 2), {"a", LevelShape{Expression::parse("sqrt(x - 1)")}}),
            "solid 'a': its level has no value at (0.25, 0.25, 0)");
}

TEST(CellBodies, complain_of_more_bodies_than_a_byte_counts) {
  std::vector<Solid> solids(254, Solid{"", BoxShape{{0, 0}, {1, 1}}});
  EXPECT_EQ(count(cell_bodies(square(4, 2), solids), 1), 4);
  solids.push_back(solids.front());
  EXPECT_THROW(cell_bodies(square(4, 2), solids), ConfigError);
}

}  // namespace
}  // namespace hodge::sim
