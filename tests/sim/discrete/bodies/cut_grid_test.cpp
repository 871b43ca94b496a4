// What planes and balls leave of faces and cells.
#include "sim/discrete/bodies/cut_grid.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "sim/discrete/grid/metrics.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

// Of -1 to 1 along each axis; the cells of x grow.
template <int Dim>
Grid cut_box(int n, bool equal = true) {
  std::vector<AxisSettings> axes(Dim, AxisSettings{.cells = n, .lower = -1, .upper = 1});
  if (!equal) axes[0] = test::uneven(n, -1, 1);
  return test::grid_of(axes);
}

constexpr double ball_radius = 0.6;

double level_of_ball(const Point& x, int dim) {
  const double offset[3] = {x[0] - 0.03, x[1] - 0.017, dim == 3 ? x[2] + 0.021 : 0.0};
  return std::hypot(offset[0], offset[1], offset[2]) - ball_radius;
}
double level_of_plane(const Point& x, int dim) {
  return 0.21 * x[0] + 0.8 * x[1] + (dim == 3 ? 0.33 * x[2] : 0.0) - 0.077;
}

using Level = double (*)(const Point&, int);

template <int Dim>
CutGrid<Dim> cut_by(const Grid& grid, Level level) {
  const LevelFunction of = [level](const Point& x) { return level(x, Dim); };
  const Boundaries walls = test::walls();
  return CutGrid<Dim>(grid, walls, of, layout_of<Dim>(grid).interior());
}

template <int Dim>
double area_of(const CutGrid<Dim>& cut, int d, const Index<Dim>& c) {
  double area = 1;
  for (int e = 0; e < Dim; ++e)
    if (e != d) area *= cut.width(e, c[e]);
  return area;
}

// What closes a cell whose faces are partly open: the surface's area in it, into the body.
template <int Dim>
std::array<double, 3> surface_in(const CutGrid<Dim>& cut, const Index<Dim>& c) {
  std::array<double, 3> area{};
  for (int d = 0; d < Dim; ++d)
    area[d] =
        (cut.face(d, c).fraction - cut.face(d, c.shifted(d, 1)).fraction) * area_of(cut, d, c);
  return area;
}

struct Sums {
  double fluid = 0, surface = 0;
};

template <int Dim>
Sums sums_around_ball(int n) {
  const Grid grid = cut_box<Dim>(n);
  const CutGrid<Dim> cut = cut_by<Dim>(grid, level_of_ball);
  Sums sums;
  for_each_on_host(layout_of<Dim>(grid).interior(), [&](const Index<Dim>& c) {
    sums.fluid += cut.fluid(c) * std::pow(2.0 / n, Dim);
    const std::array<double, 3> area = surface_in(cut, c);
    sums.surface += std::hypot(area[0], area[1], area[2]);
  });
  return sums;
}

template <int Dim>
void expect_volume_and_surface_of_ball() {
  using std::numbers::pi;
  const double r = ball_radius;
  const double volume = std::pow(2, Dim) - (Dim == 2 ? pi * r * r : 4.0 / 3.0 * pi * r * r * r);
  const double surface = Dim == 2 ? 2 * pi * r : 4 * pi * r * r;
  const Sums coarse = sums_around_ball<Dim>(16), fine = sums_around_ball<Dim>(32);
  EXPECT_NEAR(coarse.fluid, volume, 1e-3);
  EXPECT_NEAR(fine.fluid, volume, 3e-4);
  EXPECT_NEAR(coarse.surface, surface, 0.01 * surface);
  EXPECT_LT(std::abs(fine.surface - surface), 0.35 * std::abs(coarse.surface - surface));
}

TEST(CutGrid, knows_the_volume_beside_a_circle_and_its_length) {
  expect_volume_and_surface_of_ball<2>();
}

TEST(CutGrid, knows_the_volume_beside_a_sphere_and_its_surface) {
  expect_volume_and_surface_of_ball<3>();
}

// The open parts of faces are exact: what closes each cell is along the plane's normal.
template <int Dim>
void expect_planes_cut_exactly() {
  const Grid grid = cut_box<Dim>(9, false);
  const CutGrid<Dim> cut = cut_by<Dim>(grid, level_of_plane);
  const double normal[3] = {0.21, 0.8, Dim == 3 ? 0.33 : 0};
  double surface = 0;
  for_each_on_host(layout_of<Dim>(grid).interior(), [&](const Index<Dim>& c) {
    const std::array<double, 3> area = surface_in(cut, c);
    for (int d = 0; d < 3; ++d)
      EXPECT_NEAR(area[d] * normal[(d + 1) % 3], area[(d + 1) % 3] * normal[d], 1e-14);
    surface -= area[1];
  });
  EXPECT_NEAR(std::abs(surface), std::pow(2, Dim - 1), 1e-12);  // it crosses the box along y
}

TEST(CutGrid, cuts_faces_by_a_plane_exactly) {
  expect_planes_cut_exactly<2>();
  expect_planes_cut_exactly<3>();
}

TEST(CutGrid, has_the_centroid_of_the_open_part_of_a_face) {
  const Grid grid = cut_box<3>(4);
  const auto below_a_half = [](const Point& x) { return 0.1 - x[1] + 0.5 * (x[2] - 0.25); };
  const CutGrid<3> cut(grid, test::walls(), below_a_half, layout_of<3>(grid).interior());
  const Index<3> c{{1, 2, 2}};  // y and z from 0 to 0.5
  const OpenPart part = cut.face(0, c);
  // The line passes z = 0.05 at y = 0 and z = 0.5 at y = 0.225: a triangle of these sides.
  EXPECT_NEAR(part.fraction, 0.5 * 0.45 * 0.225 / 0.25, 1e-14);
  EXPECT_NEAR(part.centroid[1], 0.225 / 3, 1e-14);
  EXPECT_NEAR(part.centroid[2], 0.5 - 0.45 / 3, 1e-14);
  EXPECT_EQ(part.centroid[0], -0.5);
}

TEST(CutGrid, finds_the_surface_along_an_axis) {
  const Grid grid = cut_box<2>(8);
  const CutGrid<2> cut = cut_by<2>(grid, level_of_ball);
  const Point x{0.03 - 0.8, 0.017, 0};
  EXPECT_NEAR(cut.distance(x, 0, 1, 0.5), 0.2, 1e-13);
  EXPECT_LT(cut.distance(x, 0, 0, 0.2), 0);
}

}  // namespace
}  // namespace hodge::sim
