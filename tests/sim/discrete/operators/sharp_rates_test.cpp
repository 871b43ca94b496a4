#include "sim/discrete/operators/sharp_rates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "sim/discrete/bodies/sharp.hpp"
#include "sim/discrete/operators/transport.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

// Random values q of the faces with an unknown, and a flow without divergence between them: the
// flux through a face is the difference of a stream function at its ends, which is 0 in bodies. All
// repeats in the box, but along x where its sides are open.
struct FlowAroundBodies {
  test::Domain<2> domain;
  SharpBodies<2> sharp;
  Bodies<2, linalg::Host> bodies;
  VelocityField<2, linalg::Host> u, q;

  FlowAroundBodies(const Grid& grid, const Problem& problem, unsigned seed)
      : domain{grid, problem.boundaries},
        sharp(sharp_bodies<2>(domain.metrics.layout(), domain.grid, problem,
                              sharp_cells(domain.grid, problem,
                                          cell_bodies(domain.grid, problem.solids,
                                                      problem.boundaries.periodic_axes()))
                                  .bodies)),
        bodies(domain.metrics.layout(), sharp.points),
        u(domain.metrics.layout()),
        q(domain.metrics.layout()) {
    const int nx = domain.grid.cells(0), ny = domain.grid.cells(1);
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    std::vector<double> stream(static_cast<std::size_t>((nx + 1) * ny)),
        values[2] = {stream, stream};
    const BodyView<2> view = bodies.view();
    const auto at = [&](std::vector<double>& of, const Index<2>& c) -> double& {
      const int i = repeats() ? (c[0] + nx) % nx : std::clamp(c[0], 0, nx);
      return of[static_cast<std::size_t>(i + (nx + 1) * ((c[1] + ny) % ny))];
    };
    Box<2> points = domain.metrics.layout().interior();
    if (!repeats()) ++points.upper[0];
    for_each_on_host(points, [&](const Index<2>& c) {
      // the four faces at the lower corner of a cell
      const bool in_body = view.open(0, c) < 1 && view.open(0, c.shifted(1, -1)) < 1 &&
                           view.open(1, c) < 1 && view.open(1, c.shifted(0, -1)) < 1;
      at(stream, c) = in_body ? 0 : number(generator);
      for (int d = 0; d < 2; ++d) at(values[d], c) = view.excludes(d, c) ? 0 : number(generator);
    });
    const GridView<2> widths = domain.metrics.view();
    for_each_on_host(domain.metrics.layout().padded(), [&](const Index<2>& c) {
      for (int d = 0; d < 2; ++d) {
        q[d].view()(c) = at(values[d], c);
        const double flux = (d == 0 ? 1 : -1) * (at(stream, c.shifted(1 - d, 1)) - at(stream, c));
        const double open = view.open(d, c) * widths.face_area(d, c);
        u[d].view()(c) = open > 0 ? flux / open : 0;
      }
    });
  }

  bool repeats() const { return domain.boundaries.periodic(0); }
  SharpFace<2> face(int d, const Index<2>& c) const {
    const int row = bodies.view().at(c).row[d];
    SharpFace<2> open{};
    open.c = c;
    if (!repeats() && d == 0 && c[0] == 0) open.in_open_side = 0;
    if (!repeats() && d == 0 && c[0] == domain.grid.cells(0)) open.in_open_side = 1;
    return row < 0 ? open : sharp.lists.faces[d][static_cast<std::size_t>(row)];
  }
};

Problem two_bodies() {
  Problem problem;
  problem.boundaries = test::with_periodic({0, 1});
  problem.solids = {{.name = "ball", .region = Region{SphereShape{{0.31, 0.47, 0}, 0.19}}},
                    {.name = "box", .region = Region{BoxShape{{0.72, 0.81, 0}, {1.13, 1.09, 0}}}}};
  problem.solids[1].region.turned.angle = 27;
  for (Solid& solid : problem.solids) solid.sharp = true;
  return problem;
}

TEST(SharpRates, convection_changes_no_kinetic_energy) {
  const Problem problem = two_bodies();
  for (const bool is_stretched : {false, true}) {
    const auto axis = is_stretched ? test::symmetric(20, 1.3) : test::uniform(20, 1.3);
    FlowAroundBodies flow(test::grid_of({axis, axis}), problem, 7);
    const GridView<2> grid = flow.domain.metrics.view();
    const BodyView<2> bodies = flow.bodies.view();
    const ConstVelocityView<2> u = flow.u.view(), q = flow.q.view();
    double change = 0, largest = 0, net = 0;
    for_each_on_host(flow.domain.metrics.layout().interior(), [&](const Index<2>& c) {
      for (int d = 0; d < 2; ++d) {
        if (bodies.excludes(d, c)) continue;
        double out = 0;
        for (int e = 0; e < 2; ++e)
          for (int side = 0; side < 2; ++side)
            out += open_flux_out(grid, bodies, flow.face(d, c), u, d, e, side);
        net = std::max(net, std::abs(out));
        const double added =
            q[d](c) * open_convection(grid, bodies, {}, flow.face(d, c), d, 0.0, u, q[d]);
        change += added;
        largest = std::max(largest, std::abs(added));
      }
    });
    ASSERT_GT(flow.sharp.lists.faces[0].size() + flow.sharp.lists.faces[1].size(), 80U);
    ASSERT_GT(flow.sharp.lists.slaved.size(), 0U);
    EXPECT_LT(net, 1e-14);
    EXPECT_GT(largest, 0.1);
    EXPECT_LT(std::abs(change), 1e-12);
  }
}

// With the energy that is carried through these, half of what is carried in and out there. Of u,
// whose faces in the sides have half a control volume.
TEST(SharpRates, convection_brings_kinetic_energy_through_open_sides_alone) {
  Problem problem;
  problem.boundaries = test::with_periodic({1});
  for (Side& side : problem.boundaries.sides[0]) side.kind = SideKind::outflow;
  problem.solids = {{.name = "ball", .region = Region{SphereShape{{0.02, 0.47, 0}, 0.29}}},
                    {.name = "box", .region = Region{BoxShape{{0.92, 0.71, 0}, {1.93, 1.06, 0}}}}};
  for (Solid& solid : problem.solids) solid.sharp = true;
  FlowAroundBodies flow(test::grid_of({test::symmetric(20, 1.3), test::uniform(20, 1.3)}), problem,
                        5);
  const GridView<2> grid = flow.domain.metrics.view();
  const BodyView<2> bodies = flow.bodies.view();
  const ConstVelocityView<2> u = flow.u.view(), q = flow.q.view();
  Box<2> faces = flow.domain.metrics.layout().interior();
  ++faces.upper[0];
  double change = 0, through = 0, net = 0;
  int cut_in_sides = 0;
  for_each_on_host(faces, [&](const Index<2>& c) {
    if (bodies.excludes(0, c)) return;
    const SharpFace<2> face = flow.face(0, c);
    double out = 0;
    for (int e = 0; e < 2; ++e)
      for (int side = 0; side < 2; ++side) out += open_flux_out(grid, bodies, face, u, 0, e, side);
    net = std::max(net, std::abs(out));
    change += q[0](c) * open_convection(grid, bodies, {}, face, 0, 0.0, u, q[0]);
    if (face.in_open_side < 0) return;
    const double leaves = open_flux_out(grid, bodies, face, u, 0, 0, face.in_open_side);
    through += leaves * q[0](c) * q[0](c) / 2;
    cut_in_sides += bodies.open(0, c) < 1;
  });
  EXPECT_GE(cut_in_sides, 3);
  EXPECT_LT(net, 1e-14);
  EXPECT_GT(std::abs(through), 0.1);
  EXPECT_NEAR(change, through, 1e-12);
}

// What passes from one face to the next is taken from the one and given to the other.
TEST(SharpRates, values_in_sides_are_the_same_from_both_of_them) {
  const Problem problem = two_bodies();
  const auto axis = test::symmetric(20, 1.3);
  FlowAroundBodies flow(test::grid_of({axis, axis}), problem, 3);
  const BodyView<2> bodies = flow.bodies.view();
  int leaning = 0;
  for (int d = 0; d < 2; ++d)
    for (const SharpFace<2>& face : flow.sharp.lists.faces[d])
      for (int e = 0; e < 2; ++e)
        for (int side = 0; side < 2; ++side) {
          Index<2> there = face.c.shifted(e, side == 0 ? -1 : 1);
          for (int f = 0; f < 2; ++f) there[f] = (there[f] + 20) % 20;
          if (bodies.excludes(d, there)) continue;
          const SharpFace<2> next = flow.face(d, there);
          EXPECT_NEAR(face.lean[e][side], -next.lean[e][1 - side], 1e-12);
          EXPECT_NEAR(face.most_lean[e][side], next.most_lean[e][1 - side],
                      1e-12 * face.most_lean[e][side]);
          leaning += face.lean[e][side] != 0.0;
        }
  EXPECT_GT(leaning, 20);
}

// The rows of faces that no body cuts have the same convection.
TEST(SharpRates, convection_of_open_faces_is_that_of_all_others) {
  const Problem problem = two_bodies();
  const auto axis = test::symmetric(20, 1.3);
  FlowAroundBodies flow(test::grid_of({axis, axis}), problem, 3);
  const GridView<2> grid = flow.domain.metrics.view();
  const BodyView<2> bodies = flow.bodies.view();
  const ConstVelocityView<2> u = flow.u.view(), q = flow.q.view();
  int compared = 0;
  for_each_on_host(flow.domain.metrics.layout().interior(), [&](const Index<2>& c) {
    for (int d = 0; d < 2; ++d) {
      if (bodies.excludes(d, c) || bodies.at(c).row[d] >= 0) continue;
      const TransportOperator<2> on{grid, flow.domain.sides, bodies, d, 0.0, Convection::central};
      EXPECT_NEAR(open_convection(grid, bodies, {}, flow.face(d, c), d, 1.0, u, q[d]),
                  convection_of(on, u, q[d], false, c), 1e-14);
      ++compared;
    }
  });
  EXPECT_GT(compared, 300);
}

}  // namespace
}  // namespace hodge::sim
