#include "sim/discrete/operators/velocity_gradients.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "sim/discrete/bodies/staircase.hpp"
#include "sim/discrete/operators/correction.hpp"
#include "sim/discrete/operators/divergence.hpp"
#include "sim/discrete/operators/side_friction.hpp"
#include "sim/discrete/operators/transport.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

using linalg::Host;

struct Sums {
  double dissipation = 0, enstrophy = 0;  // the former for a viscosity of 1
};

template <int Dim>
Sums sums_of(const VelocityGradients<Dim>& on) {
  Box<Dim> faces{Index<Dim>::filled(0), on.grid.cells};
  for (int d = 0; d < Dim; ++d) ++faces.upper[d];
  Sums sums;
  for_each_on_host(faces, [&](const Index<Dim>& c) {
    sums.dissipation += squared_gradients(on, c);
    sums.enstrophy += edge_enstrophy(on, c);
  });
  return sums;
}

// sum over the free faces of u_d times what diffusion brings to their control volumes.
template <int Dim>
double work_of_diffusion(const test::Domain<Dim>& domain, const BodyView<Dim>& bodies,
                         const VelocityField<Dim, Host>& velocity) {
  double work = 0;
  for (int d = 0; d < Dim; ++d) {
    const TransportOperator<Dim> on{domain.metrics.view(), domain.sides, bodies, d, 1.0,
                                    Convection::central};
    const ConstFieldView<Dim> u = velocity[d].view();
    Box<Dim> faces = domain.metrics.layout().interior();
    if (!domain.sides.continues[d][0]) ++faces.lower[d];
    for_each_on_host(faces, [&](const Index<Dim>& c) {
      if (bodies.excludes(d, c)) return;
      work += u(c) * diffusion_of(on, u, c);
      for (int e = 0; e < Dim; ++e) work += u(c) * added_side_friction(on, u, e, c);
    });
  }
  return work;
}

template <int Dim>
void expect_dissipation_is_the_work_of_diffusion() {
  test::for_each_domain<Dim>([](const test::Domain<Dim>& domain) {
    const VelocityField<Dim, Host> velocity = test::random_velocity(domain, 3);
    const VelocityGradients<Dim> on{domain.metrics.view(), {}, domain.sides, velocity.view()};
    const double dissipation = sums_of(on).dissipation;
    EXPECT_GT(dissipation, 1);
    EXPECT_NEAR(dissipation, -work_of_diffusion(domain, {}, velocity), 1e-12 * dissipation);
  });
}

TEST(VelocityGradients, dissipation_is_minus_the_work_of_diffusion_in_2D) {
  expect_dissipation_is_the_work_of_diffusion<2>();
}
TEST(VelocityGradients, dissipation_is_minus_the_work_of_diffusion_in_3D) {
  expect_dissipation_is_the_work_of_diffusion<3>();
}

// The same around a body that has corners both ways and touches a side.
template <int Dim>
void expect_dissipation_with_solids(const Boundaries& boundaries) {
  std::vector<AxisSettings> axes{test::uneven(6, -0.5, 0.5), test::uneven(7, 1, 3)};
  if constexpr (Dim == 3) axes.push_back(test::uneven(5, 2, 2.6));
  const test::Domain<Dim> domain{test::grid_of(axes), boundaries};
  const Layout<Dim> layout = domain.metrics.layout();
  std::vector<std::uint8_t> cells(static_cast<std::size_t>(domain.grid.cell_count()));
  for_each_on_host(layout.interior(), [&](const Index<Dim>& c) {
    const bool block = c[0] >= 2 && c[0] < 4 && c[1] >= 2 && c[1] < 5 && c[Dim - 1] > 0;
    const bool foot = c[0] >= 3 && c[0] < 5 && c[1] < 3;
    cells[static_cast<std::size_t>(layout.interior().position(c))] = block || foot ? 1 : 0;
  });
  const Bodies<Dim, Host> bodies(layout, staircase(layout, cells, boundaries));
  VelocityField<Dim, Host> velocity = test::random_velocity(domain, 5);
  stop_at_solids(bodies.view(), velocity);
  fill_velocity_ghosts(velocity, domain.closures());
  const VelocityGradients<Dim> on{domain.metrics.view(), bodies.view(), domain.sides,
                                  velocity.view()};
  const double dissipation = sums_of(on).dissipation;
  EXPECT_NEAR(dissipation, -work_of_diffusion(domain, bodies.view(), velocity),
              1e-12 * dissipation);
}

TEST(VelocityGradients, dissipation_is_minus_the_work_of_diffusion_beside_solids) {
  for (const Boundaries& boundaries : test::kinds_of_boundaries()) {
    expect_dissipation_with_solids<2>(boundaries);
    expect_dissipation_with_solids<3>(boundaries);
  }
}

// A box whose lid is its upper side along x, and one whose lid is that along y.
TEST(VelocityGradients, are_the_same_in_a_box_whose_axes_are_swapped) {
  Sums sums[2];
  for (const int lid : {0, 1}) {
    std::vector<AxisSettings> axes{test::uneven(6, -0.5, 0.5), test::uneven(7, 1, 3)};
    Boundaries boundaries = test::walls();
    Expression speed[3] = {0, 0, 0};
    speed[1 - lid] = 2.0;
    if (lid == 1) std::swap(axes[0], axes[1]);
    boundaries.sides[lid][1].velocity = {speed[0], speed[1], speed[2]};
    test::Domain<2> domain{test::grid_of(axes), boundaries};
    VelocityField<2, Host> velocity(domain.metrics.layout());
    fill_velocity_ghosts(velocity, domain.closures());
    sums[lid] =
        sums_of(VelocityGradients<2>{domain.metrics.view(), {}, domain.sides, velocity.view()});
  }
  EXPECT_GT(sums[0].enstrophy, 1);
  EXPECT_NEAR(sums[0].enstrophy, sums[1].enstrophy, 1e-12 * sums[0].enstrophy);
  EXPECT_NEAR(sums[0].dissipation, sums[1].dissipation, 1e-12 * sums[0].dissipation);
}

// The curl of random values on edges: its divergence vanishes identically.
template <int Dim>
VelocityField<Dim, Host> random_curl(const test::Domain<Dim>& domain) {
  const GridView<Dim> grid = domain.metrics.view();
  std::vector<Field<Dim, Host>> potential;
  for (unsigned axis = 0; axis < 3; ++axis)
    potential.push_back(test::random_pressure(domain, axis));
  VelocityField<Dim, Host> velocity(domain.metrics.layout());
  for (int d = 0; d < Dim; ++d) {
    const auto u = velocity[d].view();
    for_each_on_host(domain.metrics.layout().interior(), [&](const Index<Dim>& c) {
      for (int axis = Dim == 2 ? 2 : 0; axis < 3; ++axis) {
        if (axis == d) continue;
        const int e = 3 - d - axis;
        const double sign = (d + 1) % 3 == e ? 1 : -1;
        const auto a = potential[static_cast<std::size_t>(axis)].view();
        u(c) += sign * (a(c.shifted(e, 1)) - a(c)) / grid.width(e, c[e]);
      }
    });
  }
  fill_velocity_ghosts(velocity, domain.closures());
  return velocity;
}

template <int Dim>
void expect_dissipation_is_twice_the_enstrophy() {
  std::vector<AxisSettings> axes{test::uniform(6, 1.0), test::uniform(5, 2.0)};
  if constexpr (Dim == 3) axes.push_back(test::uniform(4, 0.6));
  const test::Domain<Dim> domain{test::grid_of(axes), test::with_periodic({0, 1, 2})};
  const VelocityField<Dim, Host> velocity = random_curl(domain);
  for_each_on_host(domain.metrics.layout().interior(), [&](const Index<Dim>& c) {
    EXPECT_NEAR(divergence(domain.metrics.view(), velocity.view(), c), 0, 1e-11);
  });
  const Sums sums =
      sums_of(VelocityGradients<Dim>{domain.metrics.view(), {}, domain.sides, velocity.view()});
  EXPECT_GT(sums.enstrophy, 1);
  EXPECT_NEAR(sums.dissipation, 2 * sums.enstrophy, 1e-12 * sums.dissipation);
}

TEST(VelocityGradients, without_divergence_in_a_periodic_box_dissipation_is_twice_the_enstrophy) {
  expect_dissipation_is_twice_the_enstrophy<2>();
  expect_dissipation_is_twice_the_enstrophy<3>();
}

// u = y between a wall at rest and one with velocity 2.
TEST(VelocityGradients, a_uniform_shear_is_integrated_exactly_up_to_the_walls) {
  Boundaries boundaries = test::with_periodic({0});
  boundaries.sides[1][1].velocity[0] = 2;
  const test::Domain<2> domain{test::grid_of({test::uniform(4, 3.0), test::stretched(6, 2.0)}),
                               boundaries};
  VelocityField<2, Host> velocity(domain.metrics.layout());
  const auto u = velocity[0].view();
  for_each_on_host(domain.metrics.layout().interior(),
                   [&](const Index<2>& c) { u(c) = domain.grid.axis(1).centre(c[1]); });
  fill_velocity_ghosts(velocity, domain.closures());
  const Sums sums =
      sums_of(VelocityGradients<2>{domain.metrics.view(), {}, domain.sides, velocity.view()});
  EXPECT_NEAR(sums.dissipation, 6, 1e-12);
  EXPECT_NEAR(sums.enstrophy, 3, 1e-12);
}

// u = y - height at every free face, beyond the box too.
VelocityField<2, Host> shear_from(double height, const test::Domain<2>& domain,
                                  const BodyView<2>& bodies) {
  VelocityField<2, Host> velocity(domain.metrics.layout());
  const auto u = velocity[0].view();
  for_each_on_host(domain.metrics.layout().padded(), [&](const Index<2>& c) {
    u(c) = domain.metrics.view().coordinate(0, 1, c) - height;
  });
  stop_at_solids(bodies, velocity);
  return velocity;
}

TEST(VelocityGradients, a_uniform_shear_is_integrated_exactly_up_to_the_sides_it_passes) {
  Boundaries boundaries;
  boundaries.sides[0][0].kind = SideKind::inflow;
  boundaries.sides[0][1].kind = SideKind::outflow;
  const test::Domain<2> domain{test::grid_of({test::uneven(5, 1, 4), test::stretched(6, 2.0)}),
                               boundaries};
  const VelocityField<2, Host> velocity = shear_from(0, domain, {});
  const Sums sums =
      sums_of(VelocityGradients<2>{domain.metrics.view(), {}, domain.sides, velocity.view()});
  EXPECT_NEAR(sums.dissipation, 6, 1e-12);
  EXPECT_NEAR(sums.enstrophy, 3, 1e-12);
}

// The lower third of the box is solid.
TEST(VelocityGradients, a_uniform_shear_is_integrated_exactly_down_to_a_solid) {
  const test::Domain<2> domain{test::grid_of({test::uniform(4, 3.0), test::uniform(6, 2.0)}),
                               test::with_periodic({0})};
  std::vector<std::uint8_t> cells(4 * 6);
  std::fill_n(cells.begin(), 4 * 2, 1);
  const Bodies<2, Host> bodies(domain.metrics.layout(),
                               staircase(domain.metrics.layout(), cells, domain.boundaries));
  const VelocityField<2, Host> velocity = shear_from(2.0 / 3, domain, bodies.view());
  const Sums sums = sums_of(
      VelocityGradients<2>{domain.metrics.view(), bodies.view(), domain.sides, velocity.view()});
  EXPECT_NEAR(sums.dissipation, 4, 1e-12);
  EXPECT_NEAR(sums.enstrophy, 2, 1e-12);
}

}  // namespace
}  // namespace hodge::sim
