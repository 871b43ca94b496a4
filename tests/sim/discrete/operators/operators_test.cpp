#include <gtest/gtest.h>

#include <cmath>

#include "linalg/base/errors.hpp"
#include "sim/discrete/assembly/unknowns.hpp"
#include "sim/discrete/operators/cell_values.hpp"
#include "sim/discrete/operators/convection.hpp"
#include "sim/discrete/operators/correction.hpp"
#include "sim/discrete/operators/diffusion.hpp"
#include "sim/discrete/operators/divergence.hpp"
#include "sim/discrete/operators/gradient.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge {
namespace {

using sim::Index;
using test::Domain;
using test::Host;

// sum_c p (net outflow of u) + sum_faces V u grad p, which is 0 where divergence and gradient are
// adjoint.
template <int Dim>
double adjointness_defect(const Domain<Dim>& domain) {
  const auto velocity = test::random_velocity<Dim>(domain, 1);
  const auto pressure = test::random_pressure<Dim>(domain, 2);
  const auto u = velocity.view();
  const auto p = pressure.view();
  const auto grid = domain.metrics.view();
  const auto layout = domain.metrics.layout();
  double sum = 0;
  sim::for_each_on_host(layout.interior(),
                        [&](const Index<Dim>& c) { sum += p(c) * sim::net_outflow(grid, u, c); });
  for (int d = 0; d < Dim; ++d)
    sim::for_each_on_host(sim::unknowns_at(d, layout, domain.sides).box, [&](const Index<Dim>& c) {
      sum += grid.control_volume(d, c) * u[d](c) * sim::gradient(grid, p, d, c);
    });
  return sum;
}

TEST(Divergence, is_minus_the_transpose_of_the_gradient) {
  test::for_each_domain<2>(
      [](const Domain<2>& s) { EXPECT_NEAR(adjointness_defect(s), 0, 1e-13); });
  test::for_each_domain<3>(
      [](const Domain<3>& s) { EXPECT_NEAR(adjointness_defect(s), 0, 1e-13); });
}

TEST(Divergence, of_a_linear_velocity_is_exact) {
  const Domain<2> domain{test::grid_of({test::uneven(4, -1, 0), test::uneven(5, 2, 4)}),
                         test::walls()};
  sim::VelocityField<2, Host> velocity(domain.metrics.layout());
  for (int d = 0; d < 2; ++d) {
    const auto u = velocity[d].view();
    sim::Box<2> faces = domain.metrics.layout().interior();
    faces.upper[d] += 1;
    sim::for_each_on_host(faces, [&](const Index<2>& c) {
      u(c) = (d == 0 ? 3.0 : -1.0) * domain.grid.edges(d)[c[d]];
    });
  }
  const sim::ConstVelocityView<2> u = std::as_const(velocity).view();
  sim::for_each_on_host(domain.metrics.layout().interior(), [&](const Index<2>& c) {
    EXPECT_NEAR(sim::divergence(domain.metrics.view(), u, c), 2.0, 1e-13);
  });
}

TEST(Gradient, of_a_linear_field_is_exact_on_a_stretched_grid) {
  const Domain<3> domain{
      test::grid_of({test::uneven(4, -1, 0), test::uneven(5, 2, 4), test::uneven(3, 1, 2)}),
      test::walls()};
  const auto padded = sim::sample<3>(domain.grid, domain.metrics.layout(), sim::at_cells,
                                     [](const sim::MeanBox& cell) {
                                       const auto& x = cell.place;
                                       return 2 * x[0] - 3 * x[1] + 5 * x[2];
                                     });
  const auto p = sim::view_of(domain.metrics.layout(), padded.data());
  const double expected[] = {2, -3, 5};
  for (int d = 0; d < 3; ++d)
    sim::for_each_on_host(
        sim::unknowns_at(d, domain.metrics.layout(), domain.sides).box, [&](const Index<3>& c) {
          EXPECT_NEAR(sim::gradient(domain.metrics.view(), p, d, c), expected[d], 1e-12);
        });
}

// The net flux out of every control volume is the mean of the net outflows of its two cells.
template <int Dim>
void expect_mean_outflow(const Domain<Dim>& domain) {
  const auto velocity = test::random_velocity<Dim>(domain, 5);
  const auto u = velocity.view();
  const auto grid = domain.metrics.view();
  for (int d = 0; d < Dim; ++d)
    sim::for_each_on_host(
        sim::unknowns_at(d, domain.metrics.layout(), domain.sides).box, [&](const Index<Dim>& c) {
          double net = 0;
          for (int e = 0; e < Dim; ++e)
            net += sim::convecting_flux(grid, u, d, e, c.shifted(e, 1)) -
                   sim::convecting_flux(grid, u, d, e, c);
          const auto cells = domain.metrics.layout().cells;
          const Index<Dim> before = sim::with(c, d, (c[d] - 1 + cells[d]) % cells[d]);
          EXPECT_NEAR(net, 0.5 * (sim::net_outflow(grid, u, before) + sim::net_outflow(grid, u, c)),
                      1e-14);
        });
}

TEST(Convection, fluxes_leave_nothing_behind_where_the_cells_are_divergence_free) {
  test::for_each_domain<2>(expect_mean_outflow<2>);
  test::for_each_domain<3>(expect_mean_outflow<3>);
}

TEST(Convection, takes_the_mean_or_the_upstream_value_at_a_side) {
  const double central = sim::find_convection_scheme("central").upwind_fraction();
  const double upwind = sim::find_convection_scheme("upwind").upwind_fraction();
  const auto mean = sim::convection_coefficients(4.0, central);
  EXPECT_EQ(mean.here, 2.0);
  EXPECT_EQ(mean.there, 2.0);
  const auto outflow = sim::convection_coefficients(4.0, upwind);
  EXPECT_EQ(outflow.here, 4.0);
  EXPECT_EQ(outflow.there, 0.0);
  const auto inflow = sim::convection_coefficients(-4.0, upwind);
  EXPECT_EQ(inflow.here, 0.0);
  EXPECT_EQ(inflow.there, -4.0);
  EXPECT_THROW(sim::find_convection_scheme("centrl"), ConfigError);
}

TEST(Diffusion, conducts_by_area_over_distance) {
  const Domain<2> domain{test::grid_of({test::uniform(4, 1), test::uniform(4, 2)}), test::walls()};
  const auto grid = domain.metrics.view();  // h = 0.25 x 0.5
  EXPECT_DOUBLE_EQ(sim::conductance(grid, 0, 0, Index<2>{{2, 1}}), 0.5 / 0.25);
  EXPECT_DOUBLE_EQ(sim::conductance(grid, 0, 1, Index<2>{{2, 1}}), 0.25 / 0.5);
}

TEST(CellValues, have_the_vorticity_of_a_rotation) {
  const Domain<3> domain{
      test::grid_of({test::uniform(6, 1), test::uniform(6, 1), test::uniform(6, 1)}),
      test::walls()};
  const double omega[] = {1.0, -2.0, 3.0};  // u = omega x position
  sim::VelocityField<3, Host> velocity(domain.metrics.layout());
  for (int d = 0; d < 3; ++d) {
    const int a = (d + 1) % 3, b = (d + 2) % 3;
    velocity[d].values().upload(
        sim::sample<3>(domain.grid, domain.metrics.layout(), d, [&](const sim::MeanBox& face) {
          return omega[a] * face.place[b] - omega[b] * face.place[a];
        }));
  }
  const sim::ConstVelocityView<3> u = std::as_const(velocity).view();
  const Index<3> c{{2, 3, 2}};
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(sim::vorticity(domain.metrics.view(), u, axis, c), 2 * omega[axis], 1e-12);
}

// u = G x on a box with unequal cells: G is the gradient everywhere within.
template <int Dim>
struct LinearVelocity {
  explicit LinearVelocity(const std::array<std::array<double, 3>, 3>& gradient)
      : domain{test::grid_of(axes()), test::walls()}, velocity(domain.metrics.layout()) {
    for (int d = 0; d < Dim; ++d)
      velocity[d].values().upload(
          sim::sample<Dim>(domain.grid, domain.metrics.layout(), d, [&](const sim::MeanBox& face) {
            double u = 0;
            for (int e = 0; e < Dim; ++e) u += gradient[d][e] * face.place[e];
            return u;
          }));
  }
  static std::vector<sim::AxisSettings> axes() {
    return std::vector<sim::AxisSettings>(Dim, test::uneven(7, -1, 1));
  }
  static Index<Dim> inner() { return Index<Dim>::filled(3); }
  sim::ConstVelocityView<Dim> view() const { return velocity.view(); }
  double q_criterion() const { return sim::q_criterion(domain.metrics.view(), view(), inner()); }
  double strain_rate() const { return sim::strain_rate(domain.metrics.view(), view(), inner()); }

  Domain<Dim> domain;
  sim::VelocityField<Dim, Host> velocity;
};

TEST(CellValues, in_a_rotation_have_a_positive_q_and_no_strain) {
  const LinearVelocity<2> plane({{{0, -3, 0}, {3, 0, 0}}});
  EXPECT_NEAR(plane.q_criterion(), 9, 1e-12);  // Omega:Omega / 2 = omega^2
  EXPECT_NEAR(plane.strain_rate(), 0, 1e-12);
  const LinearVelocity<3> space({{{0, -3, 1}, {3, 0, -2}, {-1, 2, 0}}});
  EXPECT_NEAR(space.q_criterion(), 9 + 1 + 4, 1e-12);
  EXPECT_NEAR(space.strain_rate(), 0, 1e-12);
}

TEST(CellValues, in_a_plane_shear_have_no_q_and_its_rate) {
  const LinearVelocity<2> plane({{{0, 5, 0}, {0, 0, 0}}});
  EXPECT_NEAR(plane.q_criterion(), 0, 1e-12);
  EXPECT_NEAR(plane.strain_rate(), 5, 1e-12);
  const LinearVelocity<3> space({{{0, 0, 0}, {0, 0, -5}, {0, 0, 0}}});
  EXPECT_NEAR(space.q_criterion(), 0, 1e-12);
  EXPECT_NEAR(space.strain_rate(), 5, 1e-12);
}

TEST(CellValues, in_a_pure_strain_have_a_negative_q) {
  const LinearVelocity<2> plane({{{2, 0, 0}, {0, -2, 0}}});
  EXPECT_NEAR(plane.q_criterion(), -4, 1e-12);
  EXPECT_NEAR(plane.strain_rate(), 4, 1e-12);  // (2 (2^2 + 2^2))^(1/2)
  const LinearVelocity<3> space({{{1, 0, 0}, {0, 2, 0}, {0, 0, -3}}});
  EXPECT_NEAR(space.q_criterion(), -7, 1e-12);
  EXPECT_NEAR(space.strain_rate(), std::sqrt(28.0), 1e-12);
}

TEST(CellValues, have_the_speed_of_all_components) {
  sim::VelocityField<3, Host> velocity(test::Domain<3>{
      test::grid_of({test::uniform(2, 1), test::uniform(2, 1), test::uniform(2, 1)}), test::walls()}
                                           .metrics.layout());
  for (int d = 0; d < 3; ++d)
    velocity[d].values().upload(
        std::vector<double>(velocity[d].layout().size(), std::array{2.0, -3.0, 6.0}[d]));
  EXPECT_DOUBLE_EQ(sim::cell_speed(std::as_const(velocity).view(), Index<3>{{1, 0, 1}}), 7.0);
}

TEST(Correction, removes_the_mean_over_the_volume) {
  const Domain<2> domain{test::grid_of({test::uneven(4, -1, 0), test::uneven(5, 2, 4)}),
                         test::walls()};
  auto pressure = test::random_pressure<2>(domain, 6);
  const auto grid = domain.metrics.view();
  sim::remove_mean(grid, sim::BodyView<2>{}, domain.metrics.box_volume(), pressure);
  double integral = 0;
  sim::for_each_on_host(domain.metrics.layout().interior(), [&](const Index<2>& c) {
    integral += grid.cell_volume(c) * pressure.view()(c);
  });
  EXPECT_NEAR(integral, 0.0, 1e-15);
}

}  // namespace
}  // namespace hodge
