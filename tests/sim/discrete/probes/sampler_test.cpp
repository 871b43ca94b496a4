#include "sim/discrete/probes/sampler.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/support/expect_error.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

using linalg::Host;
using Function = std::function<double(const Point&)>;

// Coordinate of cell i or of the cell beyond a side, its mirror image.
double mirrored_centre(const Axis& axis, int i) {
  const int n = axis.cells();
  if (i < 0) return 2 * axis.lower() - axis.centre(-1 - i);
  if (i >= n) return 2 * axis.upper() - axis.centre(2 * n - 1 - i);
  return axis.centre(i);
}

// Values of f in the box and in its first layer of ghosts, or, if not wanted there, 1e30.
template <int Dim>
void fill(const Grid& grid, int d, const Function& f, bool ghosts, Field<Dim, Host>& field) {
  field.values().fill(1e30);
  const auto values = field.view();
  Box<Dim> box = field.layout().interior();
  for (int e = 0; e < Dim; ++e) {
    box.lower[e] -= ghosts && e != d ? 1 : 0;
    box.upper[e] += ghosts || e == d ? 1 : 0;
  }
  for_each_on_host(box, [&](const Index<Dim>& c) {
    Point x{};
    for (int e = 0; e < Dim; ++e)
      x[e] = e == d ? grid.edges(e)[c[e]] : mirrored_centre(grid.axis(e), c[e]);
    values(c) = f(x);
  });
}

// Fields of the host and a sampler on them.
template <int Dim>
struct Sampled {
  Sampled(const Grid& box_grid, const Boundaries& sides, std::vector<std::uint8_t> solid = {})
      : grid(box_grid), boundaries(sides), bodies(std::move(solid)), metrics(grid, boundaries) {}

  void set_velocity(int d, const Function& f) { fill<Dim>(grid, d, f, true, velocity[d]); }
  void set_pressure(const Function& f) { fill<Dim>(grid, at_cells, f, false, pressure); }
  void set_scalar(const Function& f) { fill<Dim>(grid, at_cells, f, true, scalar); }

  // values[column][point]
  std::vector<std::vector<double>> at(const std::vector<Point>& points,
                                      const std::vector<std::string>& fields) const {
    const ConstFieldView<Dim> heat = scalar.view();
    const SampledFields<Dim> present{{metrics.view(), velocity.view(), pressure.view(), {}},
                                     {{}, heat}};
    const Sampler<Dim, Host> sampler({grid, boundaries, bodies}, points, fields, {"dye", "heat"},
                                     [&] { return present; });
    std::vector<double> values(sampler.points() * sampler.columns().size());
    sampler.sample(values);
    std::vector<std::vector<double>> columns;
    for (auto next = values.begin(); next != values.end(); next += points.size())
      columns.emplace_back(next, next + points.size());
    return columns;
  }
  double at(const Point& point, const std::string& field, std::size_t column = 0) const {
    return at(std::vector<Point>{point}, {field})[column][0];
  }

  Grid grid;
  Boundaries boundaries;
  std::vector<std::uint8_t> bodies;
  DeviceGrid<Dim, Host> metrics;
  VelocityField<Dim, Host> velocity{metrics.layout()};
  Field<Dim, Host> pressure{metrics.layout()}, scalar{metrics.layout()};
};

double linear(const Point& x, double seed) {
  return seed + (2 - seed) * x[0] + (seed * seed - 1) * x[1] + 0.7 * seed * x[2];
}

template <int Dim>
Sampled<Dim> with_linear_fields() {
  std::vector<AxisSettings> axes{test::uneven(4, -0.7, 0.3), test::uneven(7, 1, 3)};
  if constexpr (Dim == 3) axes.push_back(test::uneven(3, -2, -1.4));
  Sampled<Dim> sampled(test::grid_of(axes), test::walls());
  for (int d = 0; d < Dim; ++d)
    sampled.set_velocity(d, [d](const Point& x) { return linear(x, 0.3 + d); });
  sampled.set_pressure([](const Point& x) { return linear(x, 5); });
  sampled.set_scalar([](const Point& x) { return linear(x, -4); });
  return sampled;
}

// Corners, points on sides and points within, cell centres and cell edges among them.
template <int Dim>
std::vector<Point> points_of(const Grid& grid) {
  std::vector<Point> points;
  const std::vector<double> fractions{0, 0.01, 0.125, 0.25, 0.5, 0.73, 0.99, 1};
  const auto n = static_cast<int>(fractions.size());
  for_each_on_host(
      Box<Dim>{Index<Dim>::filled(0), Index<Dim>::filled(n)}, [&](const Index<Dim>& c) {
        Point x{};
        for (int e = 0; e < Dim; ++e)
          x[e] = c[e] == n - 1 ? grid.axis(e).upper()
                               : grid.axis(e).lower() + grid.axis(e).length() * fractions[c[e]];
        points.push_back(x);
      });
  return points;
}

template <int Dim>
void expect_linear_fields_exact() {
  const Sampled<Dim> sampled = with_linear_fields<Dim>();
  const auto points = points_of<Dim>(sampled.grid);
  const auto values = sampled.at(points, {"velocity", "pressure", "heat"});
  ASSERT_EQ(values.size(), static_cast<std::size_t>(Dim) + 2);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (int d = 0; d < Dim; ++d) EXPECT_NEAR(values[d][i], linear(points[i], 0.3 + d), 1e-13);
    EXPECT_NEAR(values[Dim][i], linear(points[i], 5), 1e-12);
    EXPECT_NEAR(values[Dim + 1][i], linear(points[i], -4), 1e-12);
  }
}

TEST(Sampler, is_exact_for_linear_fields_up_to_the_sides_in_2D) {
  expect_linear_fields_exact<2>();
}
TEST(Sampler, is_exact_for_linear_fields_up_to_the_sides_in_3D) {
  expect_linear_fields_exact<3>();
}

TEST(Sampler, the_vorticity_of_a_linear_velocity_is_constant) {
  const auto plane = with_linear_fields<2>();
  const double dv_dx = 2 - 1.3, du_dy = 0.3 * 0.3 - 1;
  const auto in_plane = plane.at(points_of<2>(plane.grid), {"vorticity"});
  for (const double omega : in_plane[0]) EXPECT_NEAR(omega, dv_dx - du_dy, 1e-12);
  const auto space = with_linear_fields<3>();
  const auto omega = space.at(points_of<3>(space.grid), {"vorticity"});
  const double dw_dy = 2.3 * 2.3 - 1, dv_dz = 0.7 * 1.3, du_dz = 0.7 * 0.3, dw_dx = 2 - 2.3;
  for (std::size_t i = 0; i < omega[0].size(); ++i) {
    EXPECT_NEAR(omega[0][i], dw_dy - dv_dz, 1e-12);
    EXPECT_NEAR(omega[1][i], du_dz - dw_dx, 1e-12);
    EXPECT_NEAR(omega[2][i], dv_dx - du_dy, 1e-12);
  }
}

TEST(Sampler, the_error_for_a_smooth_field_falls_with_the_square_of_the_width) {
  const auto f = [](const Point& x) { return std::sin(3 * x[0] + 1) * std::cos(2 * x[1]); };
  const auto largest_error = [&](int cells) {
    Sampled<2> sampled(test::grid_of({test::symmetric(cells, 1.0), test::uniform(cells, 2.0)}),
                       test::walls());
    sampled.set_velocity(0, f);
    sampled.set_pressure(f);
    double u_error = 0, p_error = 0;
    const auto points = points_of<2>(sampled.grid);
    const auto values = sampled.at(points, {"velocity", "pressure"});
    for (std::size_t i = 0; i < points.size(); ++i) {
      u_error = std::max(u_error, std::abs(values[0][i] - f(points[i])));
      p_error = std::max(p_error, std::abs(values[2][i] - f(points[i])));
    }
    return std::array{u_error, p_error};
  };
  const auto coarse = largest_error(40), fine = largest_error(80);
  EXPECT_GT(coarse[0] / fine[0], 3.5);
  EXPECT_GT(coarse[1] / fine[1], 3.5);
}

TEST(Sampler, a_periodic_axis_goes_on_at_its_other_end) {
  Sampled<2> sampled(test::grid_of({test::stretched(4, 1.0), test::uniform(3, 3.0)}),
                     test::with_periodic({0, 1}));
  sampled.set_pressure([](const Point& x) { return x[0] + 10 * x[1]; });
  sampled.set_scalar([](const Point& x) { return x[0] + 10 * x[1]; });
  sampled.velocity[1].values().fill(1e30);
  const auto v = sampled.velocity[1].view();
  for_each_on_host(sampled.metrics.layout().interior(),
                   [&](const Index<2>& c) { v(c) = 1 + c[1]; });
  const Axis& axis = sampled.grid.axis(0);
  const double first = axis.widths.front(), last = axis.widths.back();
  for (const char* field : {"pressure", "heat"})
    for (const double x : {0.0, 1.0}) {
      const double there = (first * axis.centre(3) + last * axis.centre(0)) / (first + last);
      EXPECT_NEAR(sampled.at({x, 1.5, 0}, field), there + 15, 1e-13);
      EXPECT_NEAR(sampled.at({x, 0, 0}, field), there + 15, 1e-13);
    }
  EXPECT_NEAR(sampled.at({1, 2.5, 0}, "velocity", 1), 0.5 * (3 + 1), 1e-13);
  EXPECT_NEAR(sampled.at({0, 3.0, 0}, "velocity", 1), 1, 1e-13);
}

TEST(Sampler, the_pressure_of_an_open_side_is_that_of_its_ghosts) {
  Boundaries boundaries;
  boundaries.sides[0][1].kind = SideKind::outflow;
  Sampled<2> sampled(test::grid_of({test::uniform(4, 1.0), test::uniform(4, 1.0)}), boundaries);
  sampled.set_pressure([](const Point& x) { return 7 + x[1]; });
  const auto p = sampled.pressure.view();
  for (int j = 0; j < 4; ++j) p({4, j}) = -p({3, j});
  EXPECT_NEAR(sampled.at({1, 0.5, 0}, "pressure"), 0, 1e-14);
  EXPECT_NEAR(sampled.at({0, 0.25, 0}, "pressure"), 7.25, 1e-14);
}

// A box of 4 x 4 cells of width 1 whose two lower rows are solid for x > 2.
Sampled<2> with_step() {
  std::vector<std::uint8_t> bodies(16);
  for (const std::size_t cell : {2U, 3U, 6U, 7U}) bodies[cell] = 1;
  return {test::grid_of({test::uniform(4, 4.0), test::uniform(4, 4.0)}), test::walls(), bodies};
}

TEST(Sampler, a_point_in_a_solid_has_the_value_0) {
  Sampled<2> sampled = with_step();
  for (int d = 0; d < 2; ++d) sampled.set_velocity(d, [](const Point&) { return 3.0; });
  sampled.set_pressure([](const Point&) { return 3.0; });
  const auto values =
      sampled.at(std::vector<Point>{{2.1, 1.9, 0}}, {"velocity", "pressure", "vorticity"});
  for (const auto& column : values) EXPECT_EQ(column[0], 0);
  EXPECT_EQ(sampled.at({2.1, 2.1, 0}, "pressure"), 3);
}

TEST(Sampler, beside_a_solid_cell_values_come_from_the_fluid_alone) {
  Sampled<2> sampled = with_step();
  sampled.set_pressure([](const Point& x) { return x[0] > 2 && x[1] < 2 ? 1e30 : 5 + x[1]; });
  EXPECT_NEAR(sampled.at({3, 2, 0}, "pressure"), 7.5, 1e-14);    // on the surface: the next cell
  EXPECT_NEAR(sampled.at({2, 1, 0}, "pressure"), 6, 1e-14);      // along it: linear
  EXPECT_NEAR(sampled.at({4, 2.5, 0}, "pressure"), 7.5, 1e-14);  // in a corner with a wall
}

TEST(Sampler, beside_a_solid_the_velocity_falls_to_0_at_the_surface) {
  Sampled<2> sampled = with_step();
  const auto u = sampled.velocity[0].view();
  const auto v = sampled.velocity[1].view();
  for (int i = 3; i < 5; ++i) u({i, 2}) = 8;  // above the step, buried faces below
  for (int i = 2; i < 4; ++i) v({i, 3}) = 8;  // normal to it, v = 0 in its surface
  EXPECT_NEAR(sampled.at({3.5, 2.5, 0}, "velocity"), 8, 1e-14);
  EXPECT_NEAR(sampled.at({3.5, 2.25, 0}, "velocity"), 4, 1e-14);
  EXPECT_NEAR(sampled.at({3.5, 2, 0}, "velocity"), 0, 1e-14);
  EXPECT_NEAR(sampled.at({3, 2.5, 0}, "velocity", 1), 4, 1e-14);
  EXPECT_NEAR(sampled.at({3, 2, 0}, "velocity", 1), 0, 1e-14);
}

TEST(Sampler, refuses_points_beyond_the_box_and_fields_that_are_none) {
  const Sampled<2> sampled(test::grid_of({test::uniform(4, 1.0), test::uniform(4, 1.0)}),
                           test::walls());
  EXPECT_EQ(test::message_of<ConfigError>([&] {
              sampled.at({0.5, 1.5, 0}, "pressure");
            }),
            "a point has y = 1.5, expected a point in the box from 0 to 1");
  EXPECT_EQ(test::message_of<ConfigError>([&] {
              sampled.at({0.5, 0.5, 0}, "salt");
            }),
            "probes: unknown field 'salt'");
}

TEST(Sampler, columns_have_the_names_of_components) {
  EXPECT_EQ(field_columns({"pressure", "velocity", "vorticity", "heat"}, 2),
            (std::vector<std::string>{"pressure", "u", "v", "vorticity", "heat"}));
  EXPECT_EQ(field_columns({"velocity", "vorticity"}, 3),
            (std::vector<std::string>{"u", "v", "w", "vorticity_x", "vorticity_y", "vorticity_z"}));
  EXPECT_EQ(field_columns({"velocity", "u"}, 2),
            (std::vector<std::string>{"velocity_x", "velocity_y", "u"}));
}

}  // namespace
}  // namespace hodge::sim
