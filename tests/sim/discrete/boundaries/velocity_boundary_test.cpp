#include "sim/discrete/boundaries/velocity_boundary.hpp"

#include <gtest/gtest.h>

#include "sim/discrete/bodies/staircase.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

using test::Host;

// A solid fills the lower half of the box along y; u = 3 above it.
TEST(VelocityBoundary, the_speed_of_leaving_is_the_mean_over_the_open_faces_of_a_side) {
  Boundaries boundaries;
  boundaries.sides[0][0].kind = boundaries.sides[0][1].kind = SideKind::outflow;
  const test::Domain<2> domain{test::grid_of({test::uneven(4, -1, 0), test::uneven(6, 2, 4)}),
                               boundaries};
  const Layout<2> layout = domain.metrics.layout();
  std::vector<std::uint8_t> solid(24, 0);
  for (std::size_t k = 0; k < 12; ++k) solid[k] = 1;
  const Bodies<2, Host> bodies(layout, staircase(layout, solid, boundaries));
  VelocityBoundary<2, Host> boundary(boundaries, domain.metrics, bodies.view(), 0.0);
  VelocityField<2, Host> velocity(layout);
  velocity[1].values().fill(0.0);
  for_each_on_host(layout.padded(),
                   [&](const Index<2>& c) { velocity[0].view()(c) = c[1] < 3 ? 0.0 : 3.0; });
  boundary.measure_side_flows(velocity.view());
  const BoundaryStep<2> step = boundary.step(0, 0, backward_euler_weights(1), velocity.view());
  for (const int side : {0, 1})
    EXPECT_NEAR(step.side_flows.of[0][side]->outward / step.open_area[0][side],
                side == 0 ? -3.0 : 3.0, 1e-13);
}

}  // namespace
}  // namespace hodge::sim
