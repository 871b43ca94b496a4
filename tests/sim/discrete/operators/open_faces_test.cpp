#include "sim/discrete/operators/open_faces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

using test::Domain;
using test::Host;

Boundaries open_along(std::initializer_list<int> axes) {
  Boundaries boundaries;
  for (const int axis : axes) boundaries.set(axis, SideKind::pressure);
  return boundaries;
}

// The sums of a side, as VelocityBoundary takes them.
template <int Dim>
SideFlow flow_through(const Domain<Dim>& domain, const ConstVelocityView<Dim>& u, int axis,
                      int side) {
  SideFlow sum;
  const Layout<Dim> layout = domain.metrics.layout();
  for_each_on_host(side_faces(layout, axis), [&](const Index<Dim>& c) {
    const Index<Dim> cell = with(c, axis, side == 0 ? 0 : layout.cells[axis] - 1);
    const SideFlow at = side_flow_at(domain.metrics.view(), 1.0, u, axis, side,
                                     smallest_extent(domain.metrics, axis), cell);
    sum.outward += at.outward;
    sum.entering += at.entering;
    sum.energy += at.energy;
    sum.deviation += at.deviation;
  });
  return sum;
}

// Net outflow of momentum from a half cell beside an open side, divided by the momentum flux
// through that side: 0 where as much comes in as goes on. `at` gives the velocity at a point.
template <class At>
double net_outflow_at_open_side(int side, int row, At at) {
  const Domain<2> domain{test::grid_of({test::uneven(4, -1, 0), test::uneven(5, 2, 4)}),
                         open_along({0})};
  const Layout<2> layout = domain.metrics.layout();
  VelocityField<2, Host> velocity(layout);
  const GridView<2> grid = domain.metrics.view();
  for (int d = 0; d < 2; ++d)
    for_each_on_host(layout.padded(), [&](const Index<2>& c) {
      velocity[d].view()(c) = at(grid.coordinate(d, 0, c), grid.coordinate(d, 1, c))[d];
    });
  TransportOperator<2> on{grid, domain.sides, {}, 0, 1.0, Convection::central};
  const OpenFace<2> face{0, side, Index<2>{{side == 0 ? 0 : 4, row}}};
  const ConstVelocityView<2> u = velocity.view();
  const SideFlow flow = flow_through(domain, u, 0, side);
  on.side_flows.of[0][side] = &flow;
  const double speed = u[0](face.c);
  return face.inward() * convection_of_open_face(on, u, u[0], false, face) /
         (grid.face_area(0, face.c) * speed * speed);
}

TEST(OpenFaces, a_parallel_flow_that_reverses_brings_all_of_its_momentum) {
  const auto reversing = [](double, double y) { return std::array{std::sin(4 * y) - 0.1, 0.0}; };
  for (const int side : {0, 1})
    for (int row = 0; row < 5; ++row)
      EXPECT_NEAR(net_outflow_at_open_side(side, row, reversing), 0.0, 1e-13);
}

TEST(OpenFaces, a_uniform_stream_brings_all_of_its_momentum_in_any_direction) {
  for (const int side : {0, 1})
    for (const double u : {3.0, -3.0}) {
      const auto oblique = [u](double, double) { return std::array{u, 2.0}; };
      EXPECT_NEAR(net_outflow_at_open_side(side, 2, oblique), 0.0, 1e-13);
    }
}

// Beside a side at x = 0, 8 wide, the fluid of an eddy as wide as it enters below its middle.
TEST(OpenFaces, an_eddy_brings_hardly_more_energy_than_it_takes) {
  const Domain<2> domain{test::grid_of({test::uniform(16, 8), test::uniform(16, 8)}),
                         open_along({0})};
  const Layout<2> layout = domain.metrics.layout();
  const GridView<2> grid = domain.metrics.view();
  VelocityField<2, Host> velocity(layout);
  for (int d = 0; d < 2; ++d)
    for_each_on_host(layout.padded(), [&](const Index<2>& c) {
      const double x = grid.coordinate(d, 0, c) - 1, y = grid.coordinate(d, 1, c) - 4;
      velocity[d].view()(c) = (d == 0 ? -y : x) * std::exp(-(x * x + y * y) / 8);
    });
  TransportOperator<2> on{grid, domain.sides, {}, 0, 1.0, Convection::central};
  const ConstVelocityView<2> u = velocity.view();
  const SideFlow flow = flow_through(domain, u, 0, 0);
  on.side_flows.of[0][0] = &flow;
  for (int row = 2; row < 14; ++row) {
    const OpenFace<2> face{0, 0, Index<2>{{0, row}}};
    const bool enters = u[0](face.c) > 0;
    EXPECT_EQ(enters, row < 8);
    const double carried = carried_through_side(on, u, face);
    if (enters)
      EXPECT_LT(carried, 0.6) << row;
    else
      EXPECT_EQ(carried, 1.0) << row;
  }
}

// Without divergence: the fluxes are sums of random circulations around edges.
template <int Dim>
VelocityField<Dim, Host> random_flow(const Domain<Dim>& domain, unsigned seed) {
  const Layout<Dim> layout = domain.metrics.layout();
  const GridView<Dim> grid = domain.metrics.view();
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  VelocityField<Dim, Host> velocity(layout);
  std::vector<double> values(layout.size());
  Field<Dim, Host> around[3] = {Field<Dim, Host>(layout), Field<Dim, Host>(layout),
                                Field<Dim, Host>(layout)};
  for (auto& field : around) {
    for (double& value : values) value = number(generator);
    field.values().upload(values);
  }
  for (int d = 0; d < Dim; ++d) {
    const int e = (d + 1) % 3, f = (d + 2) % 3;
    const auto change = [&](int of, int along, const Index<Dim>& c) {
      return along < Dim ? around[of].view()(c.shifted(along, 1)) - around[of].view()(c) : 0.0;
    };
    Box<Dim> faces = layout.interior();
    ++faces.upper[d];
    for_each_on_host(faces, [&](const Index<Dim>& c) {
      velocity[d].view()(c) = (change(f, e, c) - change(e, f, c)) / grid.face_area(d, c);
    });
  }
  return velocity;
}

// What convection takes from the kinetic energy, and the energy that passes the sides: of each
// control volume that touches one, flux out * s |u|^2 / 2 with s = 1 where fluid leaves.
template <int Dim>
struct EnergyBalance {
  double taken = 0, passing = 0, size = 0, least_share = 1;

  EnergyBalance(const Domain<Dim>& domain, const ConstVelocityView<Dim>& u,
                const VelocityBoundary<Dim, Host>& boundary) {
    const VelocityClosures<Dim> closures = boundary.closures();
    const GridView<Dim> grid = domain.metrics.view();
    for (int d = 0; d < Dim; ++d) {
      const TransportOperator<Dim> on{grid, domain.sides, {}, d, 1.0, Convection::central};
      Box<Dim> faces = domain.metrics.layout().interior();
      ++faces.upper[d];
      for_each_on_host(faces, [&](const Index<Dim>& c) {
        const double q = u[d](c);
        const bool lower = c[d] == 0, open = lower || c[d] == grid.cells[d];
        const OpenFace<Dim> face{d, lower ? 0 : 1, c};
        const double out = open ? convection_of_open_face(on, u, u[d], false, face)
                                : convection_of(on, u, u[d], false, c);
        taken += q * out;
        size += std::abs(q * out);
        if (open) {
          const double flux = -face.inward() * flux_through_side(grid, u, face);
          add(flux, 2 * carried_through_side(on, u, face) - 1, q);
        }
        for (int e = 0; e < Dim; ++e)
          for (int side = 0; side < 2; ++side) {
            const Index<Dim> at = c.shifted(e, side);
            if (e == d || at[e] != (side == 0 ? 0 : grid.cells[e])) continue;
            const double flux = open ? flux_through_half(grid, u, face, e, side)
                                     : convecting_flux(grid, u, d, e, at);
            add(side == 0 ? -flux : flux, closures.component[d].slope(e, side, c), q);
          }
      });
    }
  }

  void add(double flux, double share, double q) {
    passing += 0.5 * flux * share * q * q;
    if (flux < 0) least_share = std::min(least_share, share);
  }
};

template <int Dim>
void expect_that_energy_balances(const std::vector<AxisSettings>& axes,
                                 std::initializer_list<int> open) {
  const Domain<Dim> domain{test::grid_of(axes), open_along(open)};
  for (const unsigned seed : {1u, 2u, 3u}) {
    VelocityField<Dim, Host> velocity = random_flow(domain, seed);
    const ConstVelocityView<Dim> u = velocity.view();
    VelocityBoundary<Dim, Host> boundary(domain.boundaries, domain.metrics, {}, 0.0);
    for (int pass = 0; pass < 2; ++pass) {  // the second knows the ghosts
      fill_velocity_ghosts(velocity, domain.closures());
      boundary.measure_side_flows(u);
      boundary.refresh(boundary.step(0, 0.1, backward_euler_weights(1), u), &u, &u);
    }
    fill_velocity_ghosts(velocity, boundary.closures());
    const EnergyBalance<Dim> balance(domain, u, boundary);
    EXPECT_NEAR(balance.taken, balance.passing, 1e-13 * balance.size);
    EXPECT_GE(balance.least_share, 0);
    EXPECT_LT(balance.least_share, 0.1);
  }
}

TEST(OpenFaces, the_kinetic_energy_changes_by_what_leaves_and_the_share_of_what_enters) {
  expect_that_energy_balances<2>({test::uneven(5, -1, 0), test::uneven(6, 2, 4)}, {0, 1});
  expect_that_energy_balances<3>(
      {test::uneven(4, -1, 0), test::uneven(5, 2, 4), test::uneven(4, 0, 1)}, {0, 1, 2});
}

}  // namespace
}  // namespace hodge::sim
