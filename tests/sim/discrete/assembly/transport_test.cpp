// Over 400 lines: all tests of rows share one equation.
#include "sim/discrete/assembly/transport.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <utility>

#include "sim/discrete/operators/correction.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge {
namespace {

using sim::Index;
using test::Domain;
using test::Host;

// A transport equation over fields that it owns.
template <int Dim>
struct Equation {
  Domain<Dim> domain;
  sim::VelocityField<Dim, Host> convecting{domain.metrics.layout()};
  sim::VelocityField<Dim, Host> velocity{domain.metrics.layout()};
  sim::VelocityField<Dim, Host> previous{domain.metrics.layout()};
  sim::Field<Dim, Host> pressure{domain.metrics.layout()};
  double dt = 1, viscosity = 0;
  std::string convection = "central";
  sim::TimeWeights weights = sim::backward_euler_weights(1);

  sim::TransportEquation<Dim> view(int d) const {
    const sim::ConvectionScheme& scheme = sim::find_convection_scheme(convection);
    sim::TransportEquation<Dim> equation{};
    equation.transport = {domain.metrics.view(), domain.sides, {}, d, viscosity, scheme.kind};
    equation.closure = domain.velocity->closure(d);
    equation.dt = dt;
    equation.weights = weights;
    equation.old_level = velocity[d].view();
    equation.older_level = previous[d].view();
    equation.convecting = convecting.view();
    equation.upwind_fraction = scheme.upwind_fraction();
    equation.pressure = pressure.view();
    return equation;
  }
  sim::Unknowns<Dim> unknowns(int d) const {
    return sim::unknowns_at(d, domain.metrics.layout(), domain.sides);
  }
  sim::TransportRow<Dim> row(int d, const Index<Dim>& c) const {
    const sim::TransportEquation<Dim> equation = view(d);
    return sim::transport_row(sim::rows_of(equation, equation.transport, unknowns(d)), c);
  }
  std::vector<std::vector<double>> matrix(int d) const { return matrix(d, view(d)); }
  std::vector<std::vector<double>> matrix(int d, const sim::TransportEquation<Dim>& of) const {
    linalg::CsrMatrix<Host> csr(sim::build_pattern<Dim, Host>(unknowns(d)));
    linalg::Vector<Host> b(csr.rows());
    sim::assemble_transport(of, unknowns(d), csr, b);
    return test::dense(csr);
  }
};

Equation<2> unit_cells(const sim::Boundaries& boundaries) {
  return {{test::grid_of({test::uniform(4, 4), test::uniform(4, 4)}), boundaries}};
}

void fill(sim::VelocityField<2, Host>& velocity, double u, double v, const Domain<2>& domain) {
  velocity[0].values().fill(u);
  velocity[1].values().fill(v);
  sim::fill_velocity_ghosts(velocity, domain.closures());
}

std::vector<double> coefficients(const sim::TransportRow<2>& row) {
  return {row.matrix.coefficient, row.matrix.coefficient + sim::stencil_size<2>};
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-14) << i;
}

// Order of coefficients: lower x, upper x, lower y, upper y, centre.
TEST(TransportRow, of_diffusion_alone_is_the_heat_equations) {
  Equation<2> equation = unit_cells(test::with_periodic({0, 1}));
  equation.viscosity = 0.5;
  equation.dt = 0.25;
  EXPECT_EQ(coefficients(equation.row(0, {{1, 1}})),
            (std::vector<double>{-0.5, -0.5, -0.5, -0.5, 4 + 2}));
}

TEST(TransportRow, of_central_convection_takes_half_the_flux_of_each_side) {
  Equation<2> equation = unit_cells(test::with_periodic({0, 1}));
  fill(equation.convecting, 2.0, -1.0, equation.domain);
  EXPECT_EQ(coefficients(equation.row(0, {{1, 1}})), (std::vector<double>{-1, 1, 0.5, -0.5, 1}));
}

TEST(TransportRow, of_upwind_convection_takes_the_upstream_neighbour) {
  Equation<2> equation = unit_cells(test::with_periodic({0, 1}));
  equation.convection = "upwind";
  fill(equation.convecting, 2.0, -1.0, equation.domain);
  EXPECT_EQ(coefficients(equation.row(0, {{1, 1}})), (std::vector<double>{-2, 0, 0, -1, 1 + 3}));
}

TEST(TransportRow,
     puts_old_levels_and_the_pressure_gradient_on_the_right_less_the_old_levels_part) {
  Equation<2> equation = unit_cells(test::with_periodic({0, 1}));
  equation.weights = sim::bdf2_weights(1.0);
  equation.dt = 0.5;
  fill(equation.velocity, 3.0, 0, equation.domain);
  fill(equation.previous, 1.0, 0, equation.domain);
  equation.pressure.view()({{1, 1}}) = 7.0;
  EXPECT_DOUBLE_EQ(equation.row(0, {{1, 1}}).right_side,
                   (2 * 3.0 - 0.5 * 1.0) / 0.5 - 7.0 - 1.5 / 0.5 * 3.0);
  EXPECT_DOUBLE_EQ(equation.row(0, {{1, 1}}).matrix.coefficient[sim::centre<2>], 1.5 / 0.5);
}

TEST(TransportRow, folds_a_moving_wall_into_diagonal_and_right_side) {
  sim::Boundaries boundaries;
  boundaries.sides[1][1].velocity = {3.0, 0, 0};
  Equation<2> equation = unit_cells(boundaries);
  equation.viscosity = 1.0;
  const sim::TransportRow<2> lid = equation.row(0, {{2, 3}});
  const double f = 4.0 / 3;  // operators/side_friction.hpp
  expect_near(coefficients(lid), {-1, -1, -f, 0, 1 + 2 + f * 3});
  EXPECT_DOUBLE_EQ(lid.right_side, f * 2 * 3.0);                  // the wall is half a cell away
  const sim::TransportRow<2> corner = equation.row(0, {{1, 3}});  // face 0 of u is a wall at rest
  expect_near(coefficients(corner), {0, -1, -f, 0, 1 + 2 + f * 3});
  EXPECT_DOUBLE_EQ(corner.right_side, f * 2 * 3.0);
}

template <int Dim>
void fill_at_random(Equation<Dim>& equation) {
  const Domain<Dim>& domain = equation.domain;
  equation.convecting = test::random_velocity<Dim>(domain, 1);
  equation.velocity = test::random_velocity<Dim>(domain, 2);
  equation.previous = test::random_velocity<Dim>(domain, 3);
  equation.pressure = test::random_pressure<Dim>(domain, 4);
  equation.weights = sim::bdf2_weights(0.7);
  equation.dt = 0.1;
  equation.viscosity = 0.3;
}

// What a kernel of a fixed location does, unrolled, and the point function of any location.
template <int Dim>
void expect_rows_of_the_point_function(const Domain<Dim>& domain) {
  Equation<Dim> equation{{domain.grid, domain.boundaries}};
  fill_at_random(equation);
  for (const char* scheme : {"central", "upwind"})
    for (int d = 0; d < Dim; ++d) {
      equation.convection = scheme;
      const sim::Unknowns<Dim> unknowns = equation.unknowns(d);
      linalg::CsrMatrix<Host> csr(sim::build_pattern<Dim, Host>(unknowns));
      linalg::Vector<Host> b(csr.rows()), x(csr.rows());
      const auto guess = std::as_const(equation.previous)[d].view();
      sim::assemble_transport(equation.view(d), unknowns, csr, b, {guess, x.data()});
      const auto a = test::dense(csr);
      sim::for_each_on_host(unknowns.box, [&](const Index<Dim>& c) {
        const sim::TransportRow<Dim> row = equation.row(d, c);
        const auto i = static_cast<std::size_t>(unknowns.row(c));
        EXPECT_DOUBLE_EQ(b.to_host()[i], row.right_side);
        EXPECT_EQ(x.to_host()[i], guess(c) - equation.velocity[d].view()(c));
        sim::for_each_entry_in_column_order(unknowns, c, [&](int where, const Index<Dim>& point) {
          const int column = unknowns.row(point);
          EXPECT_DOUBLE_EQ(a[i][static_cast<std::size_t>(column)], row.matrix.coefficient[where]);
        });
      });
    }
}

TEST(TransportMatrix, has_the_rows_of_the_point_function) {
  test::for_each_domain<2>(expect_rows_of_the_point_function<2>);
  test::for_each_domain<3>(expect_rows_of_the_point_function<3>);
}

TEST(TransportRow, of_a_uniform_stream_has_a_right_side_of_exactly_zero) {
  Equation<2> equation = unit_cells(test::with_periodic({0, 1}));
  equation.weights = sim::bdf2_weights(0.7);
  equation.viscosity = 0.3;
  for (const char* scheme : {"central", "upwind"}) {
    equation.convection = scheme;
    for (auto* velocity : {&equation.convecting, &equation.velocity, &equation.previous})
      fill(*velocity, 1000.1, -0.3, equation.domain);
    for (const int d : {0, 1})
      for (const int i : {0, 1, 3}) EXPECT_EQ(equation.row(d, {{i, 2}}).right_side, 0.0);
  }
}

// With r(q^n) the right side: r(q^n) - r(0) = V (-a1 q^n - a2 q^{n-1}) / dt - A q^n.
template <int Dim>
void expect_right_side_of_the_increment(const Domain<Dim>& domain) {
  Equation<Dim> equation{{domain.grid, domain.boundaries}};
  Equation<Dim> at_rest{{domain.grid, domain.boundaries}};
  for (auto* each : {&equation, &at_rest}) fill_at_random(*each);
  for (auto* velocity : {&at_rest.velocity, &at_rest.previous})
    for (int d = 0; d < Dim; ++d) (*velocity)[d].values().fill(0.0);
  const sim::TimeWeights w = equation.weights;
  for (const char* scheme : {"central", "upwind"})
    for (int d = 0; d < Dim; ++d) {
      equation.convection = at_rest.convection = scheme;
      const sim::Unknowns<Dim> unknowns = equation.unknowns(d);
      const auto a = equation.matrix(d);
      const auto q = std::as_const(equation.velocity)[d].view();
      const auto before = std::as_const(equation.previous)[d].view();
      std::vector<double> old(a.size());
      sim::for_each_on_host(unknowns.box, [&](const Index<Dim>& c) {
        old[static_cast<std::size_t>(unknowns.row(c))] = q(c);
      });
      sim::for_each_on_host(unknowns.box, [&](const Index<Dim>& c) {
        const std::vector<double>& row = a[static_cast<std::size_t>(unknowns.row(c))];
        const double volume = domain.metrics.view().control_volume(d, c);
        const double known = -volume * (w.a1 * q(c) + w.a2 * before(c)) / equation.dt;
        const double product = std::inner_product(row.begin(), row.end(), old.begin(), 0.0);
        EXPECT_NEAR(equation.row(d, c).right_side - at_rest.row(d, c).right_side, known - product,
                    1e-13);
      });
    }
}

TEST(TransportMatrix, has_the_right_side_of_the_increment) {
  test::for_each_domain<2>(expect_right_side_of_the_increment<2>);
  test::for_each_domain<3>(expect_right_side_of_the_increment<3>);
}

TEST(TransportMatrix, that_is_kept_leaves_the_right_side_the_same_bit_for_bit) {
  test::for_each_domain<3>([](const Domain<3>& domain) {
    Equation<3> equation{{domain.grid, domain.boundaries}};
    fill_at_random(equation);
    sim::TransportEquation<3> view = equation.view(1);
    view.implicit_convection = 0.0;
    view.explicit_terms[0] = {view.convecting, view.old_level, 1.5, 0.5};
    const sim::Unknowns<3> unknowns = equation.unknowns(1);
    linalg::CsrMatrix<Host> csr(sim::build_pattern<3, Host>(unknowns));
    linalg::Vector<Host> b(csr.rows()), again(csr.rows());
    sim::assemble_transport(view, unknowns, csr, b);
    const std::vector<double> values = csr.values().to_host();
    view.dt = 0.2;  // which would be another matrix
    sim::assemble_transport(view, unknowns, csr, again, {}, sim::MatrixValues::keep);
    EXPECT_EQ(csr.values().to_host(), values);
    EXPECT_NE(again.to_host(), b.to_host());
    view.dt = 0.1;
    sim::assemble_transport(view, unknowns, csr, again, {}, sim::MatrixValues::keep);
    EXPECT_EQ(again.to_host(), b.to_host());
  });
}

template <int Dim>
void expect_diagonal_beside_the_entries(const Domain<Dim>& domain) {
  Equation<Dim> equation{{domain.grid, domain.boundaries}};
  fill_at_random(equation);
  for (int d = 0; d < Dim; ++d)
    for (const double convection : {1.0, 0.0}) {  // 0: rows beside sides are divided
      sim::TransportEquation<Dim> view = equation.view(d);
      view.implicit_convection = convection;
      const sim::Unknowns<Dim> unknowns = equation.unknowns(d);
      linalg::CsrMatrix<Host> csr(sim::build_pattern<Dim, Host>(unknowns));
      linalg::Vector<Host> b(csr.rows());
      sim::assemble_transport(view, unknowns, csr, b);
      EXPECT_EQ(csr.view().diagonal_values, nullptr);
      csr.keep_diagonal();
      sim::assemble_transport(view, unknowns, csr, b);
      sim::assemble_transport(view, unknowns, csr, b, {}, sim::MatrixValues::keep);
      const double* const diagonal = csr.view().diagonal_values;
      ASSERT_NE(diagonal, nullptr);
      const auto a = test::dense(csr);
      for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(diagonal[i], a[i][i]) << d << " " << i;
    }
}

TEST(TransportMatrix, has_its_diagonal_beside_the_entries_where_it_is_kept) {
  test::for_each_domain<2>(expect_diagonal_beside_the_entries<2>);
  test::for_each_domain<3>(expect_diagonal_beside_the_entries<3>);
  sim::Boundaries boundaries;
  boundaries.sides[0][0].kind = sim::SideKind::pressure;
  boundaries.sides[0][1].kind = sim::SideKind::outflow;
  expect_diagonal_beside_the_entries<2>(
      {test::grid_of({test::uniform(5, 5), test::uniform(4, 4)}), boundaries});
}

TEST(TransportMatrix, is_constant_where_neither_convection_nor_a_side_changes_it) {
  Equation<2> equation = unit_cells(test::with_periodic({0, 1}));
  sim::TransportEquation<2> view = equation.view(0);
  EXPECT_FALSE(constant_matrix(view));
  view.implicit_convection = 0.0;
  const auto content = constant_matrix(view);
  ASSERT_TRUE(content);
  EXPECT_EQ(content, constant_matrix(view));
  view.transport.location = 1;
  EXPECT_NE(content, constant_matrix(view));
  view.transport.location = 0;
  view.dt = 0.5;
  EXPECT_NE(content, constant_matrix(view));
  view.closure.slopes_change = true;
  EXPECT_FALSE(constant_matrix(view));
}

// Equal cells in a periodic box.
TEST(TransportMatrix, without_convection_may_be_the_same_for_all_components) {
  Equation<2> equation = unit_cells(test::with_periodic({0, 1}));
  equation.viscosity = 0.5;
  fill(equation.convecting, 0.0, 0.0, equation.domain);
  EXPECT_EQ(equation.matrix(0), equation.matrix(1));
  EXPECT_TRUE(same_rows(equation.unknowns(0), equation.unknowns(1)));
  sim::TransportEquation<2> u = equation.view(0), v = equation.view(1);
  for (auto* view : {&u, &v}) {
    view->implicit_convection = 0.0;
    view->equal_locations = true;
  }
  EXPECT_EQ(constant_matrix(u), constant_matrix(v));
  const Equation<2> closed = unit_cells(test::walls());
  EXPECT_FALSE(same_rows(closed.unknowns(0), closed.unknowns(1)));
}

template <int Dim>
void expect_symmetric_diffusion(const Domain<Dim>& domain) {
  Equation<Dim> equation{{domain.grid, domain.boundaries}};
  equation.viscosity = 0.1;
  for (int d = 0; d < Dim; ++d) {
    sim::TransportEquation<Dim> view = equation.view(d);
    view.implicit_convection = 0.0;
    const auto a = equation.matrix(d, view);
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) EXPECT_DOUBLE_EQ(a[i][j], a[j][i]);
  }
}

TEST(TransportMatrix, without_convection_is_symmetric_on_stretched_grids_too) {
  test::for_each_domain<2>(expect_symmetric_diffusion<2>);
  test::for_each_domain<3>(expect_symmetric_diffusion<3>);
}

// Rows beside sides are divided by their factors where the matrix is to be symmetric, on both sides
// of the equation; with the weight of implicit convection next to 0 they are not.
template <int Dim>
void expect_equal_solutions(const Domain<Dim>& domain) {
  Equation<Dim> equation{{domain.grid, domain.boundaries}};
  fill_at_random(equation);
  for (int d = 0; d < Dim; ++d) {
    const sim::Unknowns<Dim> unknowns = equation.unknowns(d);
    linalg::CsrMatrix<Host> scaled(sim::build_pattern<Dim, Host>(unknowns));
    linalg::CsrMatrix<Host> plain(scaled.shared_pattern());
    linalg::Vector<Host> scaled_b(scaled.rows()), plain_b(scaled.rows());
    sim::TransportEquation<Dim> view = equation.view(d);
    view.implicit_diffusion = 0.5;
    view.explicit_terms[0] = {view.convecting, view.old_level, 1.5, 0.5};
    view.implicit_convection = 0.0;
    sim::assemble_transport(view, unknowns, scaled, scaled_b);
    view.implicit_convection = 1e-300;
    sim::assemble_transport(view, unknowns, plain, plain_b);
    const auto a = test::dense(scaled), b = test::dense(plain);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double scale = a[i][i] / b[i][i];
      EXPECT_NEAR(scaled_b.to_host()[i], scale * plain_b.to_host()[i], 1e-13);
      for (std::size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(a[i][j], scale * b[i][j], 1e-13);
    }
  }
}

TEST(TransportMatrix, made_symmetric_has_the_same_solution) {
  test::for_each_domain<2>(expect_equal_solutions<2>);
  test::for_each_domain<3>(expect_equal_solutions<3>);
}

// A velocity whose net outflow is 0 in every cell: the faces carry differences of a stream function
// at the edges.
template <int Dim>
void make_divergence_free(const Domain<Dim>& domain, sim::VelocityField<Dim, Host>& velocity) {
  const auto stream = test::random_pressure<Dim>(domain, 11);
  const auto layout = domain.metrics.layout();
  const auto grid = domain.metrics.view();
  const auto at_edge = [&](const Index<Dim>& c) {  // 0 on walls, repeated on periodic axes
    Index<Dim> inner = c;
    for (int d = 0; d < 2; ++d) {
      if (!domain.sides.continues[d][0] && (c[d] == 0 || c[d] == layout.cells[d])) return 0.0;
      inner[d] = c[d] % layout.cells[d];
    }
    return stream.view()(inner);
  };
  for (int d = 0; d < 2; ++d) {
    const auto u = velocity[d].view();
    sim::for_each_on_host(layout.interior(), [&](const Index<Dim>& c) {
      const double rise = at_edge(c.shifted(1 - d, 1)) - at_edge(c);
      u(c) = (d == 0 ? rise : -rise) / grid.face_area(d, c);
    });
  }
  sim::fill_velocity_ghosts(velocity, domain.closures());
}

template <int Dim>
void expect_skew_symmetric_convection(const Domain<Dim>& domain) {
  Equation<Dim> equation{{domain.grid, domain.boundaries}};
  equation.dt = 1e300;  // no time derivative
  make_divergence_free(equation.domain, equation.convecting);
  double largest = 0;
  for (int d = 0; d < Dim; ++d) {
    const auto a = equation.matrix(d);
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        EXPECT_NEAR(a[i][j], -a[j][i], 1e-14);
        largest = std::max(largest, std::abs(a[i][j]));
      }
  }
  EXPECT_GT(largest, 0.01);
}

TEST(TransportMatrix, of_central_convection_by_a_divergence_free_velocity_is_skew_symmetric) {
  test::for_each_domain<2>(expect_skew_symmetric_convection<2>);
  test::for_each_domain<3>(expect_skew_symmetric_convection<3>);
}

}  // namespace
}  // namespace hodge
