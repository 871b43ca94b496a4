#include "sim/discrete/assembly/pressure.hpp"

#include <gtest/gtest.h>

#include "sim/discrete/assembly/transfer.hpp"
#include "sim/discrete/operators/gradient.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge {
namespace {

using sim::Index;
using test::Domain;
using test::Host;

template <int Dim>
linalg::CsrMatrix<Host> pressure_matrix(const Domain<Dim>& domain) {
  const auto unknowns = sim::cell_unknowns(domain.metrics.layout(), domain.sides);
  linalg::CsrMatrix<Host> matrix(sim::build_pattern<Dim, Host>(unknowns));
  sim::assemble_pressure<Dim, Host>({domain.metrics.view(), unknowns, domain.sides},
                                    {domain.metrics.view()}, matrix);
  return matrix;
}

template <int Dim>
void expect_symmetric_with_zero_row_sums(const Domain<Dim>& domain) {
  const auto a = test::dense(pressure_matrix(domain));
  for (std::size_t i = 0; i < a.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
      sum += a[i][j];
      EXPECT_DOUBLE_EQ(a[i][j], a[j][i]);
    }
    EXPECT_NEAR(sum, 0.0, 1e-13);
    EXPECT_GT(a[i][i], 0.0);
  }
}

TEST(PressureMatrix, is_symmetric_with_zero_row_sums_on_every_kind_of_box) {
  test::for_each_domain<2>(expect_symmetric_with_zero_row_sums<2>);
  test::for_each_domain<3>(expect_symmetric_with_zero_row_sums<3>);
}

TEST(PressureMatrix, has_the_five_point_rows_of_a_square_between_walls) {
  const Domain<2> domain{test::grid_of({test::uniform(3, 3), test::uniform(3, 3)}), test::walls()};
  const auto a = test::dense(pressure_matrix(domain));
  EXPECT_EQ(a[0], (std::vector<double>{2, -1, 0, -1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(a[1], (std::vector<double>{-1, 3, -1, 0, -1, 0, 0, 0, 0}));
  EXPECT_EQ(a[4], (std::vector<double>{0, -1, 0, -1, 4, -1, 0, -1, 0}));
}

// Row 2 is that of a region of one cell.
TEST(PressureMatrix, a_pinned_row_has_twice_its_diagonal_or_1_without_neighbours) {
  const tests::HostMatrix host{3, 3, {0, 2, 4, 5}, {0, 1, 0, 1, 2}, {3, -3, -3, 3, 0}};
  const auto a = host.in<Host>();
  sim::pin(linalg::Buffer<int, Host>(std::span<const int>(std::vector{0, 2})), *a);
  EXPECT_EQ(a->values().to_host(), (std::vector<double>{6, -3, -3, 3, 1}));
}

TEST(PressureMatrix, has_the_seven_point_row_of_a_periodic_box) {
  const Domain<3> domain{
      test::grid_of({test::uniform(3, 6), test::uniform(3, 3), test::uniform(3, 3)}),
      test::with_periodic({0, 1, 2})};  // h = 2, 1, 1: areas 1, 2, 2
  const auto a = test::dense(pressure_matrix(domain));
  std::vector<double> row(27, 0.0);
  row[0] = 2 * (0.5 + 2 + 2);
  row[1] = row[2] = -0.5;
  row[3] = row[6] = -2;
  row[9] = row[18] = -2;
  EXPECT_EQ(a[0], row);
}

// A phi = -(net outflow of grad phi), grad phi being 0 at walls.
template <int Dim>
void expect_minus_divergence_of_gradient(const Domain<Dim>& domain) {
  const auto unknowns = sim::cell_unknowns(domain.metrics.layout(), domain.sides);
  const auto phi = test::random_pressure<Dim>(domain, 7);
  const auto grid = domain.metrics.view();
  sim::VelocityField<Dim, Host> slope(domain.metrics.layout());
  for (int d = 0; d < Dim; ++d) {
    const auto u = slope[d].view();
    sim::for_each_on_host(
        sim::unknowns_at(d, domain.metrics.layout(), domain.sides).box,
        [&](const Index<Dim>& c) { u(c) = sim::gradient(grid, phi.view(), d, c); });
  }
  sim::fill_velocity_ghosts(slope, domain.closures());
  const auto matrix = pressure_matrix(domain);
  linalg::Vector<Host> x(matrix.rows()), y(matrix.rows()), b(matrix.rows());
  sim::gather(unknowns, phi, 1.0, x);
  linalg::multiply(matrix, x, y);
  sim::assemble_pressure_source<Dim, Host>({grid, unknowns, domain.sides},
                                           std::as_const(slope).view(), 1.0, b);
  const auto product = y.to_host(), source = b.to_host();
  for (std::size_t i = 0; i < product.size(); ++i) EXPECT_NEAR(product[i], source[i], 1e-12);
}

TEST(PressureMatrix, is_minus_the_divergence_of_the_gradient) {
  test::for_each_domain<2>(expect_minus_divergence_of_gradient<2>);
  test::for_each_domain<3>(expect_minus_divergence_of_gradient<3>);
}

// What multigrid takes corrections to be beyond a side is what the ghosts of an increment are.
TEST(PressureUnknowns, go_on_beyond_a_side_as_the_ghosts_of_the_pressure_do) {
  sim::Boundaries boundaries;
  boundaries.sides[0][1].kind = sim::SideKind::outflow;
  boundaries.sides[1][0].kind = sim::SideKind::pressure;
  const Domain<2> domain{test::grid_of({test::uniform(5, 1), test::uniform(4, 1)}), boundaries};
  const auto unknowns = sim::cell_unknowns(domain.metrics.layout(), domain.sides);
  const auto pressure = test::random_pressure<2>(domain, 8);
  const auto p = pressure.view();
  const Index<2> c{{2, 2}};
  for (const auto [axis, side] : sim::sides_of_box(2)) {
    const sim::SideIndices at{domain.metrics.layout().cells[axis], side};
    EXPECT_EQ(p(sim::with(c, axis, at.ghost(1))),
              unknowns.beyond[axis][side] * p(sim::with(c, axis, at.inner(1))))
        << sim::side_name(axis, side);
  }
}

}  // namespace
}  // namespace hodge
