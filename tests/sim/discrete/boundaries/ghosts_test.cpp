#include "sim/discrete/boundaries/ghosts.hpp"

#include <gtest/gtest.h>

#include "tests/support/sim_objects.hpp"

namespace hodge {
namespace {

using sim::Index;
using test::Host;

TEST(Layout, puts_axis_0_fastest_inside_three_layers_of_ghosts) {
  const sim::Layout<3> layout{{{4, 5, 3}}};
  EXPECT_EQ(layout.size(), 10u * 11u * 9u);
  std::vector<double> values(layout.size());
  const auto view = sim::view_of(layout, values.data());
  EXPECT_EQ(&view({{-3, -3, -3}}), values.data());
  EXPECT_EQ(&view({{-2, -3, -3}}), values.data() + 1);
  EXPECT_EQ(&view({{6, 7, 5}}), values.data() + values.size() - 1);
}

TEST(Ghosts, make_walls_move_with_their_velocity) {
  test::Domain<2> domain{test::grid_of({test::uniform(4, 1), test::uniform(3, 1)}), test::walls()};
  domain.boundaries.sides[1][1].velocity = {2.0, 0, 0};
  domain.velocity = domain.velocity_boundary();
  const auto velocity = test::random_velocity<2>(domain, 1);
  const auto u = velocity.view();
  for (int i = 0; i <= 4; ++i) {
    EXPECT_DOUBLE_EQ(0.5 * (u[0]({{i, 2}}) + u[0]({{i, 3}})), 2.0) << "lid, face " << i;
    EXPECT_DOUBLE_EQ(0.5 * (u[0]({{i, -1}}) + u[0]({{i, 0}})), 0.0) << "floor, face " << i;
  }
  for (int j = 0; j < 3; ++j)
    for (const int face : {0, 4}) EXPECT_EQ(u[0]({{face, j}}), 0.0);
  for (int i = 0; i < 4; ++i)
    for (const int face : {0, 3}) EXPECT_EQ(u[1]({{i, face}}), 0.0);
}

TEST(Ghosts, go_on_across_a_side_along_the_line_through_its_value) {
  test::Domain<2> domain{test::grid_of({test::uniform(5, 1), test::uniform(4, 1)}), test::walls()};
  for (sim::Side& side : domain.boundaries.sides[0]) side.kind = sim::SideKind::inflow;
  domain.boundaries.sides[0][0].velocity = {1.5, 0, 0};
  domain.boundaries.sides[0][1].velocity = {-0.5, 0, 0};
  domain.velocity = domain.velocity_boundary();
  const auto velocity = test::random_velocity<2>(domain, 5);
  const auto u = velocity.view()[0];
  for (int j = 0; j < 4; ++j) {
    EXPECT_EQ(u({{0, j}}), 1.5);
    EXPECT_EQ(u({{5, j}}), -0.5);
    for (const int k : {1, 2, 3}) EXPECT_DOUBLE_EQ(u({{-k, j}}), 2 * 1.5 - u({{k, j}}));
    for (const int k : {1, 2}) EXPECT_DOUBLE_EQ(u({{5 + k, j}}), 2 * -0.5 - u({{5 - k, j}}));
  }
}

// Whichever of the two axes comes first: beyond the end of a side the velocity across it follows
// the wall along which it lies there.
TEST(Ghosts, of_values_in_sides_follow_the_wall_along_them_in_corners) {
  test::Domain<2> domain{test::grid_of({test::uniform(5, 1), test::uniform(4, 1)}), test::walls()};
  domain.boundaries.sides[0][0].velocity = {0, 3.0, 0};
  domain.boundaries.sides[1][1].velocity = {2.0, 0, 0};
  domain.velocity = domain.velocity_boundary();
  const auto velocity = test::random_velocity<2>(domain, 6);
  const auto u = velocity.view();
  for (const int k : {1, 2, 3}) {
    EXPECT_DOUBLE_EQ(u[0]({{0, 3 + k}}), 2 * 2.0) << "beyond the lid, layer " << k;
    EXPECT_DOUBLE_EQ(u[1]({{-k, 0}}), 2 * 3.0) << "beyond the moving wall, layer " << k;
    EXPECT_DOUBLE_EQ(u[1]({{-k, 4}}), 2 * 3.0) << "beyond both, layer " << k;
    EXPECT_DOUBLE_EQ(u[1]({{4 + k, 0}}), 0.0) << "beyond the wall at rest, layer " << k;
  }
}

// Of an inflow whose velocity is another one at both ends of a periodic axis.
TEST(Ghosts, of_an_inflow_repeat_along_a_periodic_axis_before_its_own) {
  sim::Boundaries boundaries = test::with_periodic({0});
  for (sim::Side& side : boundaries.sides[1]) {
    side.kind = sim::SideKind::inflow;
    side.velocity = {0, sim::Expression::parse("1 + x"), 0};
  }
  const test::Domain<2> domain{test::grid_of({test::uniform(5, 1), test::uniform(4, 1)}),
                               boundaries};
  const auto velocity = test::random_velocity<2>(domain, 7);
  const auto v = velocity.view()[1];
  EXPECT_DOUBLE_EQ(v({{0, 0}}), 1.1);
  for (const int face : {0, 4})
    for (const int k : {1, 2, 3}) {
      EXPECT_EQ(v({{-k, face}}), v({{5 - k, face}}));
      EXPECT_EQ(v({{4 + k, face}}), v({{k - 1, face}}));
    }
}

TEST(Ghosts, repeat_periodic_fields_into_faces_edges_and_corners) {
  const test::Domain<3> domain{
      test::grid_of({test::uniform(4, 1), test::uniform(5, 1), test::uniform(3, 1)}),
      test::with_periodic({0, 1, 2})};
  const auto velocity = test::random_velocity<3>(domain, 2);
  const auto pressure = test::random_pressure<3>(domain, 3);
  const auto layout = domain.metrics.layout();
  sim::for_each_on_host(layout.padded(), [&](const Index<3>& c) {
    Index<3> inner = c;
    for (int d = 0; d < 3; ++d) inner[d] = (c[d] + layout.cells[d]) % layout.cells[d];
    for (int d = 0; d < 3; ++d) EXPECT_EQ(velocity.view()[d](c), velocity.view()[d](inner));
    EXPECT_EQ(pressure.view()(c), pressure.view()(inner));
  });
}

TEST(Ghosts, give_the_pressure_no_gradient_at_walls) {
  const test::Domain<2> domain{test::grid_of({test::uniform(4, 1), test::uniform(3, 1)}),
                               test::walls()};
  const auto pressure = test::random_pressure<2>(domain, 4);
  const auto p = pressure.view();
  for (int j = 0; j < 3; ++j) {
    EXPECT_EQ(p({{-1, j}}), p({{0, j}}));
    EXPECT_EQ(p({{4, j}}), p({{3, j}}));
  }
}

}  // namespace
}  // namespace hodge
