#include "sim/discrete/operators/forcing.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/discrete/assembly/unknowns.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/discrete/operators/formula_field.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

TEST(Forcing, by_a_linear_scalar_is_exact_at_faces_between_uneven_cells) {
  const test::Domain<2> domain{test::grid_of({test::uneven(6, -1, 0), test::uneven(7, 2, 4)}),
                               test::walls()};
  const Layout<2> layout = domain.metrics.layout();
  Field<2, linalg::Host> scalar(layout);
  const auto linear = [](const Point& x) { return 3 * x[0] - 5 * x[1]; };
  for_each_on_host(layout.interior(), [&](const Index<2>& c) {
    scalar.view()(c) = linear(point_of<2>(domain.grid, at_cells, c));
  });
  for (int d = 0; d < 2; ++d) {
    Forcing<2> forcing{domain.metrics.view(), d};
    forcing.terms = 1;
    forcing.term[0] = {scalar.view(), 2.0, 0.5};
    for_each_on_host(unknowns_at(d, layout, domain.sides).box, [&](const Index<2>& c) {
      EXPECT_NEAR(forcing_at(forcing, c), 2.0 * (linear(point_of<2>(domain.grid, d, c)) - 0.5),
                  1e-12);
    });
  }
}

// The mean over the control volume of a face, which ends at the sides of the box, and over cells.
TEST(Forcing, by_a_formula_is_its_mean_over_control_volumes) {
  const test::Domain<2> domain{test::grid_of({test::uneven(6, -1, 0), test::uneven(7, 2, 4)}),
                               test::walls()};
  const Expression step = Expression::parse("x > -0.43 ? 1 : 0");
  const auto share_above = [](double lower, double upper) {
    return std::clamp((upper + 0.43) / (upper - lower), 0.0, 1.0);
  };
  const Grid& grid = domain.grid;
  FormulaField<2, linalg::Host> of_cells(at_cells, step, domain.metrics);
  FormulaField<2, linalg::Host> of_faces(0, step, domain.metrics);
  const auto cells = of_cells.at(0), faces = of_faces.at(0);
  for (int i = 0; i < 6; ++i)
    EXPECT_NEAR(cells(Index<2>{{i, 3}}), share_above(grid.edges(0)[i], grid.edges(0)[i + 1]), 1e-8);
  for (int i = 0; i <= 6; ++i) {
    const double lower = i == 0 ? grid.edges(0)[0] : grid.axis(0).centre(i - 1);
    const double upper = i == 6 ? grid.edges(0)[6] : grid.axis(0).centre(i);
    EXPECT_NEAR(faces(Index<2>{{i, 3}}), share_above(lower, upper), 1e-8);
  }
}

TEST(Forcing, by_a_formula_of_t_follows_the_time) {
  const test::Domain<2> domain{test::grid_of({test::uneven(4, 0, 1), test::uneven(4, 0, 1)}),
                               test::walls()};
  FormulaField<2, linalg::Host> source(at_cells, Expression::parse("t*x*y"), domain.metrics);
  for (const double t : {2.0, 3.0, 2.0}) {
    const auto values = source.at(t);
    const Point x = point_of<2>(domain.grid, at_cells, Index<2>{{1, 2}});
    EXPECT_NEAR(values(Index<2>{{1, 2}}), t * x[0] * x[1], 1e-15);
  }
}

// A face in an open side stands for half a cell, whose middle is h / 4 from the side.
TEST(Forcing, beside_an_open_side_is_that_in_the_middle_of_half_a_cell) {
  Boundaries boundaries;
  for (const int axis : {0, 1}) boundaries.set(axis, SideKind::pressure);
  const test::Domain<2> domain{test::grid_of({test::uneven(6, -1, 0), test::uneven(7, 2, 4)}),
                               boundaries};
  const Layout<2> layout = domain.metrics.layout();
  Field<2, linalg::Host> scalar(layout);
  const auto linear = [](const Point& x) { return 3 * x[0] - 5 * x[1]; };
  for_each_on_host(layout.interior(), [&](const Index<2>& c) {  // and 0 beyond the sides
    scalar.view()(c) = linear(point_of<2>(domain.grid, at_cells, c));
  });
  for (int d = 0; d < 2; ++d) {
    Forcing<2> forcing{domain.metrics.view(), d};
    forcing.terms = 1;
    forcing.term[0] = {scalar.view(), 2.0, 0.5};
    for (const int side : {0, 1}) {
      forcing.open[side] = true;
      const int n = layout.cells[d];
      Index<2> c{{2, 3}};
      c[d] = side == 0 ? 0 : n;
      Point x = point_of<2>(domain.grid, d, c);
      x[static_cast<std::size_t>(d)] +=
          (side == 0 ? 0.25 : -0.25) * domain.grid.axis(d).widths[side == 0 ? 0 : n - 1];
      EXPECT_NEAR(forcing_at(forcing, c), 2.0 * (linear(x) - 0.5), 1e-12);
    }
  }
}

}  // namespace
}  // namespace hodge::sim
