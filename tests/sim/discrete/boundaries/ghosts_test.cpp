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
