// The separable systems of diffusion are, entry for entry, the CSR matrices that are assembled.
#include "sim/discrete/assembly/separable_transport.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linalg/direct/direct_solver.hpp"
#include "sim/discrete/assembly/transport.hpp"
#include "tests/support/separable.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge {
namespace {

using sim::SideKind;
using test::Domain;
using test::Host;

constexpr double dt = 0.2, diffusivity = 0.3, theta = 0.5;

// A step of diffusion of a field with this closure.
template <int Dim>
struct Step {
  const Domain<Dim>& domain;
  sim::DiffusedField field;
  sim::ClosureView<Dim> closure;
  sim::Field<Dim, Host> level{domain.metrics.layout()};
  sim::VelocityField<Dim, Host> velocity{domain.metrics.layout()};
  sim::Unknowns<Dim> unknowns =
      sim::unknowns_at(field.location, domain.metrics.layout(), domain.sides);

  sim::TransportEquation<Dim> equation() const {
    sim::TransportEquation<Dim> equation{};
    equation.transport = {domain.metrics.view(), domain.sides, {},
                          field.location,        diffusivity,  sim::Convection::central};
    equation.closure = closure;
    equation.dt = dt;
    equation.weights = sim::cn_ab2_weights(1);
    equation.old_level = equation.older_level = level.view();
    equation.convecting = velocity.view();
    equation.implicit_convection = 0;
    equation.implicit_diffusion = theta;
    equation.explicit_terms[0] = {velocity.view(), level.view(), 1.5, 1 - theta};
    return equation;
  }
  linalg::SeparableSystem separable() const {
    linalg::SeparableSystem system =
        sim::separable_transport(field, domain.boundaries, domain.grid);
    system.shift = 1 / dt;
    system.factor = theta * diffusivity;
    return system;
  }
};

// The matrix; the residual of a direct solve in it.
template <int Dim>
void expect_one_system(Step<Dim> step) {
  ASSERT_EQ(sim::against_separability(step.field, step.domain.boundaries, Dim), "");
  const linalg::SeparableSystem system = step.separable();
  if (step.unknowns.rows == 0) {
    EXPECT_TRUE(system.axes.empty());
    return;
  }
  unsigned seed = 0;
  for (auto* field : {&step.level, &step.velocity[0], &step.velocity[Dim - 1]}) {
    const auto values = tests::random_values(field->values().size(), ++seed);
    field->values().upload(values);
  }
  linalg::CsrMatrix<Host> matrix(sim::build_pattern<Dim, Host>(step.unknowns));
  linalg::Vector<Host> b(matrix.rows()), x(matrix.rows()), r(matrix.rows());
  sim::assemble_transport(step.equation(), step.unknowns, matrix, b);
  EXPECT_LT(tests::largest_difference(test::dense(matrix), tests::matrix_of(system)), 4e-15);
  linalg::DirectSolver<Host> solver(system);
  solver.solve(b, x);
  linalg::residual(matrix, x, b, r);
  EXPECT_LT(norm(r).to_host(), 1e-13 * norm(b).to_host());
}

template <int Dim>
void expect_same_components(const Domain<Dim>& domain) {
  for (int d = 0; d < Dim; ++d) {
    SCOPED_TRACE(d);
    sim::DiffusedField field{{}, d};
    for (const auto [axis, side] : sim::sides_of_box(Dim))
      field.sides[axis][side] = sim::velocity_side(domain.boundaries.sides[axis][side], axis, d);
    expect_one_system<Dim>({domain, field, domain.velocity->closure(d)});
  }
}

// Every pair of kinds at the two ends of each axis.
std::vector<sim::Boundaries> kinds_of_boxes(int dim) {
  const std::array<std::array<SideKind, 2>, 5> pairs{{{SideKind::wall, SideKind::wall},
                                                      {SideKind::slip, SideKind::wall},
                                                      {SideKind::wall, SideKind::slip},
                                                      {SideKind::slip, SideKind::slip},
                                                      {SideKind::periodic, SideKind::periodic}}};
  std::vector<sim::Boundaries> all{{}};
  for (int axis = 0; axis < dim; ++axis) {
    std::vector<sim::Boundaries> more;
    for (const sim::Boundaries& before : all)
      for (const auto& pair : pairs) {
        more.push_back(before);
        for (int side = 0; side < 2; ++side) more.back().sides[axis][side].kind = pair[side];
      }
    all = more;
  }
  return all;
}

TEST(SeparableTransport, is_the_matrix_of_the_components_in_every_kind_of_box) {
  for (const sim::Boundaries& boundaries : kinds_of_boxes(2))
    for (const bool uneven : {false, true}) {
      const auto axis = [&](int n, double lower, double upper) {
        return uneven ? test::uneven(n, lower, upper)
                      : sim::AxisSettings{.cells = n, .lower = lower, .upper = upper};
      };
      expect_same_components(
          Domain<2>{test::grid_of({axis(5, -1, 1), axis(6, 0.5, 2)}), boundaries});
    }
  for (const sim::Boundaries& boundaries : kinds_of_boxes(3))
    expect_same_components(Domain<3>{
        test::grid_of({test::uneven(4, -1, 1), test::uniform(3, 2), test::uneven(5, 0, 1)}),
        boundaries});
}

TEST(SeparableTransport, is_the_matrix_where_an_axis_has_two_cells) {
  expect_same_components(Domain<2>{test::grid_of({test::uniform(2, 1), test::uniform(4, 1)}), {}});
}

template <int Dim>
void expect_same_scalars(const Domain<Dim>& domain) {
  const std::array<sim::FieldSide, 3> conditions{
      {{sim::Condition::value, 2.0},
       {sim::Condition::flux, 0.5},
       {sim::Condition::convective, sim::Expression::parse("sin(y + t)"), 0.7}}};
  for (const sim::FieldSide& lower : conditions)
    for (const sim::FieldSide& upper : conditions) {
      sim::DiffusedField field{{}, sim::at_cells, diffusivity};
      for (int axis = 0; axis < Dim; ++axis)
        for (int side = 0; side < 2; ++side)
          field.sides[axis][side] = domain.boundaries.periodic(axis)
                                        ? sim::FieldSide{sim::Condition::periodic}
                                    : side == 0 ? lower
                                                : upper;
      sim::FieldBoundary<Dim, Host> boundary(sim::at_cells, field.sides, diffusivity,
                                             domain.metrics, {});
      boundary.refresh({});
      expect_one_system<Dim>({domain, field, boundary.view()});
    }
}

TEST(SeparableTransport, is_the_matrix_of_scalars_with_values_fluxes_and_robin_conditions) {
  test::for_each_domain<2>(expect_same_scalars<2>);
  test::for_each_domain<3>(expect_same_scalars<3>);
}

TEST(SeparableTransport, says_why_a_field_has_none) {
  sim::Boundaries boundaries;
  sim::DiffusedField field{{}, sim::at_cells, 1};
  field.sides[1][1] = {sim::Condition::convective, 0, sim::Expression::parse("1 + x")};
  EXPECT_EQ(sim::against_separability(field, boundaries, 2),
            "the coefficient at y_upper is not constant");
  field.sides[1][1].coefficient = sim::Expression::parse("1 + t");
  EXPECT_EQ(sim::against_separability(field, boundaries, 2),
            "the coefficient at y_upper is not constant");
  field.sides[1][1].coefficient = 1;
  EXPECT_EQ(sim::against_separability(field, boundaries, 2), "");
  boundaries.sides[0][1].kind = SideKind::outflow;
  EXPECT_THAT(sim::against_separability(field, boundaries, 2),
              testing::StartsWith("x_upper is open"));
}

}  // namespace
}  // namespace hodge
