// A stage column by column, as a GPU takes it, gives what a stage point by point does.
#include "sim/time/stage_columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sim/time/runge_kutta.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

using linalg::Host;
using Both = RatesOfStage<FixedFlag<true>, FixedFlag<true>>;
template <class Grid>
using PointOfStage = StageAtPoint<3, 0, 3, Grid, FixedScheme<Convection::central>, FixedFlag<false>,
                                  UnitCoefficient, Both>;

struct StageFields {
  VelocityField<3, Host> velocity, old_rates, rates, next;
  Field<3, Host> pressure;

  explicit StageFields(const test::Domain<3>& domain)
      : velocity(test::random_velocity(domain, 1)),
        old_rates(test::random_velocity(domain, 2)),
        rates(domain.metrics.layout()),
        next(domain.metrics.layout()),
        pressure(test::random_pressure(domain, 3)) {}
};

template <class Grid>
PointOfStage<Grid> point_of(const Grid& grid, const test::Domain<3>& domain, StageFields& fields) {
  StageEquation<3> equation{};
  equation.transport.grid = domain.metrics.view();
  equation.transport.sides = domain.sides;
  equation.transport.diffusivity = 0.03;
  equation.velocity = std::as_const(fields.velocity).view();
  equation.pressure = std::as_const(fields.pressure).view();
  equation.acceleration = 0.7;
  equation.dt = 0.01;
  equation.stage.gamma = 0.4;
  equation.stage.zeta = -0.15;
  equation.keeps_rates = true;
  PointOfStage<Grid> point{equation, {}, grid, {}, {}, {}, {}};
  for (int d = 0; d < 3; ++d)
    point.fields[d] =
        stage_field(d, fields.velocity[d], fields.old_rates[d], fields.rates[d], fields.next[d],
                    unknowns_at(d, domain.metrics.layout(), domain.sides),
                    d == 2 ? std::as_const(fields.pressure).view().origin : nullptr);
  point.fields[1].constant = 0.2;
  return point;
}

// What a stage leaves, by columns of so many planes; 0: point by point.
template <class Grid>
std::vector<double> after_stage(const Grid& grid, const test::Domain<3>& domain, int planes) {
  StageFields fields(domain);
  const PointOfStage<Grid> point = point_of(grid, domain, fields);
  const auto walk = point.columns();
  const Box<3> cells = domain.metrics.layout().interior();
  StageColumn<3, Grid> column{};
  for_each_on_host(cells, [&](Index<3> c) {  // axis 0 fastest: columns begin at their first cell
    if (planes == 0) {
      point(std::integral_constant<int, 0>(), c);
      point(std::integral_constant<int, 1>(), c);
      point(std::integral_constant<int, 2>(), c);
      return;
    }
    if (c[2] % planes != 0) return;
    column = walk.begin(c);
    const int end = std::min(c[2] + planes, cells.upper[2]);
    for (; c[2] < end; ++c[2]) walk.step(c, column);
  });
  std::vector<double> values;
  for (int d = 0; d < 3; ++d)
    for (const Field<3, Host>* field : {&fields.next[d], &fields.rates[d]})
      for_each_on_host(cells, [&](const Index<3>& c) { values.push_back(field->view()(c)); });
  return values;
}

template <class Grid>
void expect_equal_stages(const Grid& grid, const test::Domain<3>& domain) {
  const std::vector<double> points = after_stage(grid, domain, 0),
                            columns = after_stage(grid, domain, 7);
  ASSERT_EQ(points.size(), columns.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_NEAR(columns[i], points[i], 1e-13 * (1 + std::abs(points[i]))) << i;
  for (const int planes : {1, 2, 3})
    EXPECT_EQ(after_stage(grid, domain, planes), columns) << planes;
}

TEST(StageColumns, give_what_points_do_but_for_rounding) {
  for (const Boundaries& boundaries : {test::with_periodic({0, 1, 2}), test::walls()}) {
    const test::Domain<3> equal{test::grid_of({{.cells = 5, .lower = -0.3, .upper = 0.8},
                                               {.cells = 4, .lower = 0.1, .upper = 1.7},
                                               {.cells = 7, .lower = 0, .upper = 0.9}}),
                                boundaries};
    expect_equal_stages(*uniform_grid<3>(equal.grid, equal.metrics.layout()), equal);
    const test::Domain<3> stretched{
        test::grid_of(
            {test::uneven(5, -0.3, 0.8), test::uneven(4, 0.1, 1.7), test::uneven(7, 0, 0.9)}),
        boundaries};
    expect_equal_stages(stretched.metrics.view(), stretched);
  }
}

}  // namespace
}  // namespace hodge::sim
