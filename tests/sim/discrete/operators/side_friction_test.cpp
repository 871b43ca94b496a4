#include "sim/discrete/operators/side_friction.hpp"

#include <gtest/gtest.h>

#include "sim/discrete/bodies/staircase.hpp"
#include "sim/time/runge_kutta.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

using test::Domain;
using test::Host;

// Sides with the velocity of a polynomial of second degree, also across them, on a stretched grid.
template <int Dim>
Domain<Dim> sides_of(const Expression& u, AxisSettings second = test::uneven(4, 1, 3)) {
  Boundaries boundaries;
  for (auto& sides : boundaries.sides)
    for (Side& side : sides) side.velocity = {u, u, u};
  std::vector<AxisSettings> axes{test::uneven(5, -0.4, 0.6), std::move(second)};
  if constexpr (Dim == 3) axes.push_back(test::uneven(6, -0.6, 0));
  return {test::grid_of(axes), boundaries};
}

template <int Dim>
VelocityField<Dim, Host> sampled(const Domain<Dim>& domain, const Expression& u) {
  VelocityField<Dim, Host> velocity(domain.metrics.layout());
  for (int d = 0; d < Dim; ++d)
    velocity[d].values().upload(
        sample<Dim>(domain.grid, domain.metrics.layout(), d,
                    [&](const MeanBox& box) { return u(point_of(box), 0); }));
  fill_velocity_ghosts(velocity, domain.closures());
  return velocity;
}

template <int Dim>
TransportOperator<Dim> diffusion_on(const Domain<Dim>& domain, int d) {
  return {domain.metrics.view(), domain.sides, {}, d, 1.0, Convection::central};
}

// Along axis e alone, whose second derivative is 2 b: interior rows of a stretched grid have an
// error, so only first rows are looked at.
template <int Dim>
void expect_exact_first_rows() {
  const Expression u = Expression::parse(Dim == 2 ? "1 + x - 2*y + 3*x^2 - 5*y^2"
                                                  : "1 + x - 2*y + z + 3*x^2 - 5*y^2 + 4*z^2");
  const double second_derivative[] = {6, -10, 8};
  const Domain<Dim> domain = sides_of<Dim>(u);
  const auto velocity = sampled(domain, u);
  int rows = 0;
  for (int d = 0; d < Dim; ++d) {
    const TransportOperator<Dim> on = diffusion_on(domain, d);
    const ConstFieldView<Dim> q = velocity[d].view();
    for (int e = 0; e < Dim; ++e) {
      const SideRows<Dim> beside =
          side_rows(on, unknowns_at(d, domain.metrics.layout(), domain.sides).box, e);
      EXPECT_EQ(beside.count, e == d ? 0 : 2);
      for (int k = 0; k < beside.count; ++k)
        for_each_on_host(beside.box, [&](const Index<Dim>& first) {
          const Index<Dim> c = beside.at(k, first);
          double flux = added_side_friction(on, q, e, c);
          for (int side = 0; side < 2; ++side)
            flux += conductance(on.grid, d, e, c.shifted(e, side)) *
                    difference_across(q, on.bodies, d, e, side, c);
          EXPECT_NEAR(flux / on.grid.control_volume(d, c), second_derivative[e], 1e-10);
          ++rows;
        });
    }
  }
  EXPECT_GT(rows, 10);
}

TEST(SideFriction, of_a_parabola_is_exact_beside_sides_on_stretched_grids) {
  expect_exact_first_rows<2>();
  expect_exact_first_rows<3>();
}

TEST(SideFriction, leaves_slip_open_and_periodic_sides_scalars_and_other_rows_alone) {
  Boundaries boundaries = test::with_periodic({2});
  boundaries.sides[0][0].kind = SideKind::slip;
  boundaries.sides[0][1].kind = SideKind::outflow;
  boundaries.sides[1][0].kind = SideKind::inflow;
  const Domain<3> domain{
      test::grid_of({test::uniform(4, 1), test::uniform(4, 1), test::uniform(4, 1)}), boundaries};
  const GridView<3> grid = domain.metrics.view();
  for (const int location : {at_cells, 0, 1, 2})
    for (int e = 0; e < 3; ++e)
      for_each_on_host(domain.metrics.layout().interior(), [&](const Index<3>& c) {
        const bool beside = e == 1 && (c[1] == 0 || c[1] == 3);
        const bool along = location == 0 || location == 2;
        EXPECT_DOUBLE_EQ(side_factor(grid, domain.sides, {}, location, e, c),
                         beside && along ? 4.0 / 3 : 1.0);
      });
}

TEST(SideFriction, leaves_rows_between_a_side_and_a_solid_alone) {
  const Domain<2> domain{test::grid_of({test::uniform(4, 1), test::uniform(4, 1)}), test::walls()};
  std::vector<std::uint8_t> cells(16, 0);
  cells[4 * 1 + 1] = 1;  // cell (1, 1)
  const Bodies<2, Host> bodies(domain.metrics.layout(),
                               staircase(domain.metrics.layout(), cells, domain.boundaries));
  const GridView<2> grid = domain.metrics.view();
  EXPECT_EQ(side_factor(grid, domain.sides, bodies.view(), 0, 1, Index<2>{{1, 0}}), 1.0);
  EXPECT_EQ(side_factor(grid, domain.sides, bodies.view(), 0, 1, Index<2>{{2, 0}}), 1.0);
  EXPECT_DOUBLE_EQ(side_factor(grid, domain.sides, bodies.view(), 0, 1, Index<2>{{3, 0}}), 4.0 / 3);
}

// A stage has it in its rate and in its result.
TEST(SideFriction, is_part_of_a_runge_kutta_stage) {
  const Expression u = Expression::parse("3*y^2");
  const Domain<2> domain = sides_of<2>(u, test::uniform(4, 2));
  const auto velocity = sampled(domain, u);
  const VelocityField<2, Host> at_rest(domain.metrics.layout());
  Field<2, Host> rates(domain.metrics.layout()), next(domain.metrics.layout());
  StageEquation<2> equation{};
  equation.transport = diffusion_on(domain, 0);
  equation.velocity = at_rest.view();
  equation.dt = 0.1;
  equation.stage = find_time_scheme("rk3").stages[0];
  equation.keeps_rates = true;
  const Field<2, Host> pressure(domain.metrics.layout());
  equation.pressure = pressure.view();
  const Unknowns<2> unknowns = unknowns_at(0, domain.metrics.layout(), domain.sides);
  take_stage<0, 2, Host, 1>(equation, {stage_field(0, velocity[0], rates, rates, next, unknowns)});
  for_each_on_host(unknowns.box, [&](const Index<2>& c) {
    EXPECT_NEAR(rates.view()(c), 6, 1e-10);
    EXPECT_NEAR(next.view()(c), velocity[0].view()(c) + 0.1 * 8 / 15 * 6, 1e-10);
  });
}

}  // namespace
}  // namespace hodge::sim
