#include "sim/discrete/bodies/staircase.hpp"

#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "sim/discrete/assembly/numbering.hpp"
#include "sim/discrete/assembly/transport.hpp"
#include "sim/discrete/operators/correction.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

using test::Domain;
using test::Host;

// The bodies of cells at random, two of them.
template <int Dim>
std::vector<std::uint8_t> random_bodies(const Domain<Dim>& domain) {
  std::mt19937 generator(7);
  std::vector<std::uint8_t> cells(static_cast<std::size_t>(domain.grid.cell_count()));
  for (std::uint8_t& cell : cells) cell = static_cast<std::uint8_t>(generator() % 5 / 3);
  return cells;
}

// Beside each point of the box what its two or four cells say, beyond the box too.
template <int Dim>
void expect_what_cells_say(const Domain<Dim>& domain) {
  const Layout<Dim> layout = domain.metrics.layout();
  const std::vector<std::uint8_t> cells = random_bodies(domain);
  const Bodies<Dim, Host> bodies(layout, staircase(layout, cells, domain.boundaries));
  const BodyView<Dim> view = bodies.view();
  const auto body = [&](Index<Dim> c) {
    for (int d = 0; d < Dim; ++d)
      c[d] = inner_cell(c[d], layout.cells[d], domain.boundaries.periodic(d));
    return int{cells[static_cast<std::size_t>(layout.interior().position(c))]};
  };
  Box<Dim> box = layout.interior();
  for (int d = 0; d < Dim; ++d) --box.lower[d], ++box.upper[d];
  for_each_on_host(box, [&](const Index<Dim>& c) {
    EXPECT_EQ(view.body(c), body(c));
    EXPECT_EQ(view.fluid(c), body(c) == 0 ? 1.0 : 0.0);
    EXPECT_EQ(view.excludes(at_cells, c), body(c) != 0);
    for (int d = 0; d < Dim; ++d) {
      const bool closed = body(c) != 0 || body(c.shifted(d, -1)) != 0;
      EXPECT_EQ(view.open(d, c), closed ? 0.0 : 1.0);
      EXPECT_EQ(view.excludes(d, c), closed);
    }
    for (int e = 0; e < Dim; ++e)
      for (int side = 0; side < 2; ++side) {
        const Index<Dim> there = c.shifted(e, side == 0 ? -1 : 1);
        EXPECT_EQ(view.beyond(at_cells, e, side, c)(3.0), 3.0);
        for (int d = 0; d < Dim; ++d) {
          const bool behind = d != e && body(there) != 0 && body(there.shifted(d, -1)) != 0;
          EXPECT_EQ(view.beyond(d, e, side, c)(3.0), behind ? -3.0 : 0.0);
        }
      }
  });
}

TEST(Staircase, is_what_the_cells_around_a_point_say) {
  test::for_each_domain<2>(expect_what_cells_say<2>);
  test::for_each_domain<3>(expect_what_cells_say<3>);
}

TEST(Staircase, without_solids_has_no_memory) {
  const Domain<2> domain{test::grid_of({test::uniform(4, 1), test::uniform(4, 1)}), test::walls()};
  const Layout<2> layout = domain.metrics.layout();
  const Bodies<2, Host> bodies(layout,
                               staircase(layout, std::vector<std::uint8_t>(16), domain.boundaries));
  EXPECT_FALSE(bodies.any());
  EXPECT_FALSE(bodies.view().any());
  EXPECT_EQ(bodies.view().fluid({{1, 1}}), 1.0);
  EXPECT_FALSE(bodies.view().excludes(0, {{1, 1}}));
}

// Other providers: the surface of cells (1, 1) and (2, 1) moves along x with 0.7, and half of cell
// (0, 3) is fluid, half of its lower face along x open.
struct Moving {
  Domain<2> domain{test::grid_of({test::uniform(4, 1), test::uniform(4, 1)}),
                   test::with_periodic({0, 1})};
  Layout<2> layout = domain.metrics.layout();
  Bodies<2, Host> bodies{layout, points()};

  BodyPoints<2> points() const {
    std::vector<std::uint8_t> cells(16);
    cells[4 * 1 + 1] = cells[4 * 1 + 2] = 1;
    BodyPoints<2> points = staircase(layout, cells, domain.boundaries);
    for (BodyPoint<2>& point : points.table)
      for (auto& sides : point.beyond[0 + 1])
        for (AffineClosure& beyond : sides) beyond.offset = beyond.slope < 0 ? 2 * 0.7 : 0.7;
    int& entry = view_of(layout, points.entries.data())({{0, 3}});
    BodyPoint<2> half = points.table[static_cast<std::size_t>(entry)];
    half.fluid = half.open[0] = 0.5;
    entry = static_cast<int>(points.table.size());
    points.table.push_back(half);
    return points;
  }
};

// Of the rows of an equation of diffusion alone, b - A q^n is what diffusion brings to q^n.
TEST(BodyView, gives_values_beyond_a_moving_surface_to_rows_and_right_sides) {
  const Moving moving;
  const VelocityField<2, Host> u = test::random_velocity(moving.domain, 3);
  const NumberedUnknowns<2, Host> faces(0, moving.layout, moving.domain.sides,
                                        moving.bodies.view());
  TransportEquation<2> equation{};
  equation.transport = {
      moving.domain.metrics.view(), moving.domain.sides, moving.bodies.view(), 0, 0.3,
      Convection::central};
  equation.closure = moving.domain.velocity->closure(0);
  equation.dt = 0.1;
  equation.weights = backward_euler_weights(1);
  equation.old_level = equation.older_level = u[0].view();
  equation.implicit_convection = 0;
  int beside = 0;
  for_each_on_host(moving.layout.interior(), [&](const Index<2>& c) {
    if (!faces.view().contains(c)) return;
    const auto row = transport_row(rows_of(equation, equation.transport, faces.view()), c);
    EXPECT_NEAR(row.right_side, diffusion_of(equation.transport, u[0].view(), c), 1e-14);
    for (const auto [e, side] : sides_of_box(2)) {
      const Index<2> there = c.shifted(e, side == 0 ? -1 : 1);
      if (!moving.bodies.view().excludes(0, there)) continue;
      const double wall =
          0.5 * (u[0].view()(c) + moving.bodies.view().beyond(0, e, side, c)(u[0].view()(c)));
      const bool behind = moving.bodies.view().beyond(0, e, side, c).slope < 0;
      EXPECT_TRUE(!behind || std::abs(wall - 0.7) < 1e-14);
      ++beside;
    }
  });
  EXPECT_EQ(beside, 8);
}

TEST(BodyView, weighs_means_and_areas_by_what_is_fluid_and_open) {
  const Moving moving;
  const GridView<2> grid = moving.domain.metrics.view();
  Field<2, Host> pressure(moving.layout);
  pressure.view()({{0, 3}}) = 27;  // of 13 1/2 cells of fluid
  linalg::Scalar<Host> mean;
  average_pressure(grid, moving.bodies.view(), 13.5 / 16, pressure, mean);
  EXPECT_NEAR(mean.to_host(), 1, 1e-14);
  const Box<2> side{{{0, 0}}, {{1, 4}}};
  EXPECT_NEAR((open_area<2, Host>(grid, moving.bodies.view(), side, 0, 0)), 0.25 * 3.5, 1e-14);
}

}  // namespace
}  // namespace hodge::sim
