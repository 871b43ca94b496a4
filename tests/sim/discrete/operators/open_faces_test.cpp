#include "sim/discrete/operators/open_faces.hpp"

#include <gtest/gtest.h>

#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

// Net outflow of momentum from a half cell beside an open side that a uniform stream passes at
// right angles, divided by the momentum flux of the stream: 0 where as much comes in as goes on.
double net_outflow_at_open_side(int side, double inward, double mean_outward) {
  Boundaries boundaries;
  boundaries.sides[0][0].kind = boundaries.sides[0][1].kind = SideKind::outflow;
  const test::Domain<2> domain{test::grid_of({test::uneven(4, -1, 0), test::uneven(3, 2, 4)}),
                               boundaries};
  const OpenFace<2> face{0, side, Index<2>{{side == 0 ? 0 : 4, 1}}};
  VelocityField<2, linalg::Host> velocity(domain.metrics.layout());
  velocity[0].values().fill(face.inward() * inward);
  velocity[1].values().fill(0.0);
  TransportOperator<2> on{domain.metrics.view(), domain.sides, {}, 0, 1.0, Convection::central};
  on.mean_speeds.outward[0][side] = &mean_outward;
  const ConstVelocityView<2> u = velocity.view();
  const double out = convection_of_open_face(on, u, u[0], false, face);
  return face.inward() * out / (on.grid.face_area(0, face.c) * inward * inward);
}

TEST(OpenFaces, a_stream_that_enters_beyond_the_mean_brings_part_of_its_momentum) {
  for (const int side : {0, 1}) {
    EXPECT_NEAR(net_outflow_at_open_side(side, 2.0, -1.0), 0.0, 1e-14);  // within a profile
    EXPECT_NEAR(net_outflow_at_open_side(side, 5.0, -1.0), 3.0 / 8,
                1e-14);                                                  // a share of (2.5 / 5)^2
    EXPECT_NEAR(net_outflow_at_open_side(side, 0.1, 1.0), 0.5, 1e-14);   // the side is left by all
    EXPECT_NEAR(net_outflow_at_open_side(side, -5.0, 1.0), 0.0, 1e-14);  // leaves
  }
}

}  // namespace
}  // namespace hodge::sim
