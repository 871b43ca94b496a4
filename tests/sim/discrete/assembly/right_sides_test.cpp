#include "sim/discrete/assembly/right_sides.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "sim/discrete/assembly/numbering.hpp"
#include "sim/discrete/assembly/transport.hpp"
#include "sim/discrete/bodies/staircase.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

using test::Domain;
using test::Host;

// Two levels whose values beyond the sides are not those that the sides give now. Along periodic
// axes they must be those at the other end.
template <int Dim>
VelocityField<Dim, Host> old_level(const Domain<Dim>& domain, unsigned seed) {
  VelocityField<Dim, Host> velocity = test::random_velocity<Dim>(domain, seed);
  for (int d = 0; d < Dim; ++d) {
    linalg::Vector<Host>& values = velocity[d].values();
    if (domain.boundaries.periodic(0) || domain.boundaries.periodic(1))
      values = 1.3 * values;
    else
      values.upload(tests::random_values(values.size(), seed + 10 * static_cast<unsigned>(d)));
  }
  return velocity;
}

// A box with everything that the equations of a step read.
template <int Dim>
struct Step {
  explicit Step(const Domain<Dim>& of, const std::vector<std::uint8_t>& solid = {})
      : domain(of),
        bodies(of.metrics.layout(), staircase(of.metrics.layout(), solid, of.boundaries)) {
    for (int d = 0; d < Dim; ++d) forcing[d].upload(tests::random_values(forcing[d].size(), 7));
  }

  // Of a component, or of a scalar that has the values of the first one.
  TransportEquation<Dim> equation(int location, const std::string& scheme) const {
    TransportEquation<Dim> equation{};
    const int d = std::max(location, 0);
    equation.transport = {domain.metrics.view(),
                          domain.sides,
                          bodies.view(),
                          location,
                          0.3,
                          find_convection_scheme(scheme).kind};
    for (const auto [axis, side] : sides_of_box(Dim))
      if (domain.sides.open[axis][side]) equation.transport.side_flows.of[axis][side] = &entering;
    equation.closure = location == at_cells ? scalar.view() : domain.velocity->closure(d);
    equation.dt = 0.1;
    equation.weights = cn_ab2_weights(0.7);
    equation.old_level = equation.older_level = now[d].view();
    equation.convecting = now.view();
    equation.implicit_convection = 0;
    equation.implicit_diffusion = 0.4;
    equation.explicit_terms[0] = {now.view(), now[d].view(), equation.weights.e0, 0.6};
    equation.explicit_terms[1] = {before.view(), before[d].view(), equation.weights.e1, 0};
    equation.pressure = pressure.view();
    equation.density = 1.7;
    return equation;
  }
  NumberedUnknowns<Dim, Host> unknowns(int location) const {
    return {location, domain.metrics.layout(), domain.sides, domain.sides, bodies.view()};
  }

  const Domain<Dim>& domain;
  Bodies<Dim, Host> bodies;
  VelocityField<Dim, Host> now = old_level(domain, 1), before = old_level(domain, 2);
  Field<Dim, Host> pressure = test::random_pressure<Dim>(domain, 3);
  SideFlow entering{-1.0, 1.0, 2.0, 1.0};  // what enters carries less
  FieldBoundary<Dim, Host> scalar = scalar_boundary();
  std::array<linalg::Vector<Host>, Dim> forcing = zeros();

 private:
  static std::array<linalg::Vector<Host>, Dim> zeros() {
    std::array<linalg::Vector<Host>, Dim> vectors;
    for (linalg::Vector<Host>& v : vectors) v = linalg::Vector<Host>(2000);
    return vectors;
  }
  FieldBoundary<Dim, Host> scalar_boundary() const {
    FieldSides sides;
    for (const auto [axis, side] : sides_of_box(3)) {
      sides[axis][side] = {Condition::convective, Expression::parse("1 + x"), 0.8};
      if (domain.boundaries.periodic(axis)) sides[axis][side] = {Condition::periodic};
    }
    FieldBoundary<Dim, Host> boundary(at_cells, sides, 0.3, domain.metrics, {});
    boundary.refresh({});
    return boundary;
  }
};

// The right side that is assembled with the matrix, of a component or a scalar by itself.
template <int Dim>
std::vector<double> by_rows(const Step<Dim>& step, int location, const std::string& scheme,
                            bool is_driven) {
  const NumberedUnknowns<Dim, Host> unknowns = step.unknowns(location);
  Field<Dim, Host> forcing(step.domain.metrics.layout());
  forcing.values().fill(is_driven ? 0.0 : 0.25);
  if (is_driven) {
    const auto f = forcing.view();
    for_each_on_host(unknowns.view().box, [&](const Index<Dim>& c) {
      if (unknowns.view().contains(c))
        f(c) = step.forcing[std::max(location, 0)].data()[unknowns.view().row(c)];
    });
  }
  TransportEquation<Dim> equation = step.equation(location, scheme);
  equation.forcing = std::as_const(forcing).view();
  linalg::CsrMatrix<Host> matrix(build_pattern<Dim, Host>(unknowns.view()));
  linalg::Vector<Host> b(unknowns.rows());
  assemble_transport(equation, unknowns.view(), matrix, b);
  return b.to_host();
}

template <int Dim>
RightSide<Dim> right_side(const Step<Dim>& step, int location, const std::string& scheme,
                          const Unknowns<Dim>& unknowns, linalg::Vector<Host>& b, bool is_driven) {
  b.resize(unknowns.rows);
  for (int i = 0; i < unknowns.rows; ++i)
    b.data()[i] = is_driven ? step.forcing[std::max(location, 0)].data()[i] : 1e9;
  return {step.equation(location, scheme), unknowns, b.data(), is_driven, 0.25};
}

void expect_near(const linalg::Vector<Host>& found, const std::vector<double>& expected) {
  ASSERT_EQ(static_cast<std::size_t>(found.size()), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(found.data()[i], expected[i], 1e-12) << i;
}

template <int Dim>
void expect_right_sides(const Step<Dim>& step) {
  const std::optional<UniformGrid<Dim>> uniform =
      uniform_grid<Dim>(step.domain.grid, step.domain.metrics.layout());
  for (const char* scheme : {"central", "upwind", "quick"})
    for (const bool is_driven : {false, true}) {
      SCOPED_TRACE(::testing::Message() << scheme << " " << is_driven);
      std::array<RightSide<Dim>, Dim> sides;
      std::array<linalg::Vector<Host>, Dim> b;
      std::vector<NumberedUnknowns<Dim, Host>> unknowns;
      for (int d = 0; d < Dim; ++d) {
        unknowns.push_back(step.unknowns(d));
        sides[d] = right_side(step, d, scheme, unknowns[d].view(), b[d], is_driven);
      }
      assemble_right_sides<0, Dim, Host>(sides, uniform);
      for (int d = 0; d < Dim; ++d) {
        SCOPED_TRACE(d);
        expect_near(b[d], by_rows(step, d, scheme, is_driven));
      }
      const NumberedUnknowns<Dim, Host> cells = step.unknowns(at_cells);
      assemble_right_sides<at_cells, Dim, Host, 1>(
          {right_side(step, at_cells, scheme, cells.view(), b[0], is_driven)}, uniform);
      expect_near(b[0], by_rows(step, at_cells, scheme, is_driven));
    }
}

template <int Dim>
std::vector<std::uint8_t> block(const Domain<Dim>& domain) {
  std::vector<std::uint8_t> solid(static_cast<std::size_t>(domain.grid.cell_count()), 0);
  const Box<Dim> box = domain.metrics.layout().interior();
  for_each_on_host(box, [&](const Index<Dim>& c) {
    bool inside = c[0] >= 1 && c[0] < 3 && c[1] >= 2 && c[1] < 4;
    if (Dim == 3) inside = inside && c[Dim - 1] == 0;  // against a side
    solid[static_cast<std::size_t>(box.position(c))] = inside ? 1 : 0;
  });
  return solid;
}

TEST(RightSides, of_all_locations_are_those_assembled_with_the_matrix) {
  test::for_each_domain<2>([](const Domain<2>& domain) {
    expect_right_sides(Step<2>(domain));
    expect_right_sides(Step<2>(domain, block(domain)));
  });
  test::for_each_domain<3>([](const Domain<3>& domain) {
    expect_right_sides(Step<3>(domain));
    expect_right_sides(Step<3>(domain, block(domain)));
  });
}

TEST(RightSides, follow_moving_walls_and_inflows_of_the_new_level) {
  Boundaries boundaries;
  boundaries.sides[0][0].kind = SideKind::inflow;
  boundaries.sides[0][0].velocity = {Expression::parse("1 + y"), 0.5, -0.5};
  boundaries.sides[0][1].velocity = {0, 2, 1};
  boundaries.sides[1][1].velocity = {3, 0, -1};
  boundaries.sides[2][0].kind = SideKind::slip;
  const Domain<3> domain{
      test::grid_of({test::uneven(4, -0.3, 0.7), test::uneven(5, 0, 1), test::uneven(3, 0, 1)}),
      boundaries};
  expect_right_sides(Step<3>(domain));
  expect_right_sides(Step<3>(domain, block(domain)));
}

TEST(RightSides, of_faces_in_open_sides_are_those_of_half_volumes) {
  for (const int axis : {0, 1})
    for (const auto& [lower, upper] : {std::pair{SideKind::pressure, SideKind::outflow},
                                       std::pair{SideKind::outflow, SideKind::wall},
                                       std::pair{SideKind::wall, SideKind::pressure}}) {
      Boundaries boundaries;
      boundaries.sides[axis][0].kind = lower;
      boundaries.sides[axis][1].kind = upper;
      boundaries.sides[1 - axis][1].velocity = {0.5, 0.25, 0};
      const Domain<2> plane{test::grid_of({test::uneven(4, 0, 1), test::uneven(6, 0, 2)}),
                            boundaries};
      expect_right_sides(Step<2>(plane));
      const Domain<3> box{
          test::grid_of({test::uneven(4, 0, 1), test::uneven(5, 0, 2), test::uneven(3, 0, 1)}),
          boundaries};
      expect_right_sides(Step<3>(box));
      expect_right_sides(Step<3>(box, block(box)));
    }
}

// Equal cells have kernels of their own.
TEST(RightSides, on_equal_cells_are_those_assembled_with_the_matrix) {
  const Domain<3> domain{
      test::grid_of({test::uniform(4, 1), test::uniform(5, 2), test::uniform(3, 2)}),
      test::with_periodic({0})};
  ASSERT_TRUE(uniform_grid<3>(domain.grid, domain.metrics.layout()));
  expect_right_sides(Step<3>(domain));
}

TEST(RightSides, of_a_uniform_stream_are_exactly_zero) {
  const Domain<2> domain{test::grid_of({test::uneven(4, 0, 1), test::uneven(6, 0, 2)}),
                         test::with_periodic({0, 1})};
  Step<2> step(domain);
  step.pressure.values().fill(3.0);
  for (auto* level : {&step.now, &step.before})
    for (const int d : {0, 1}) (*level)[d].values().fill(d == 0 ? 1000.1 : -0.3);
  std::array<RightSide<2>, 2> sides;
  std::array<linalg::Vector<Host>, 2> b;
  for (const int d : {0, 1}) {
    sides[d] = right_side(step, d, "central", step.unknowns(d).view(), b[d], false);
    sides[d].constant_forcing = 0;
  }
  assemble_right_sides<0, 2, Host>(sides, {});
  for (const int d : {0, 1})
    for (const double value : b[d].to_host()) EXPECT_EQ(value, 0.0);
}

}  // namespace
}  // namespace hodge::sim
