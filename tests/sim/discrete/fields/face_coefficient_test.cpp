// A diffusivity that varies, in everything that reads it: rows, right sides, stages, limited
// fluxes, conditions of sides.
#include "sim/discrete/fields/face_coefficient.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "linalg/solve/solve.hpp"
#include "sim/discrete/assembly/limited_fluxes.hpp"
#include "sim/discrete/assembly/right_sides.hpp"
#include "sim/discrete/assembly/transport.hpp"
#include "sim/time/runge_kutta.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

using test::Domain;
using test::Host;
using Ratio = std::function<double(const Point&)>;

// r of the point where each value is, as its provider stores it.
template <int Dim>
struct Coefficient {
  Coefficient(const Domain<Dim>& domain, bool of_velocity, const Ratio& r)
      : cells(domain.metrics.layout()), faces(domain.metrics.layout()) {
    const GridView<Dim> grid = domain.metrics.view();
    Box<Dim> box = domain.metrics.layout().interior();
    for (int d = 0; d < Dim; ++d) --box.lower[d], box.upper[d] += 2;
    for_each_on_host(box, [&](const Index<Dim>& c) {
      Point centre{};
      for (int d = 0; d < Dim; ++d) centre[d] = grid.centre(d, c[d]);
      cells.view()(c) = r(centre);
      for (int e = 0; e < Dim; ++e) {
        Point at = centre;
        for (int d = 0; d < Dim; ++d)
          if ((d == e) != of_velocity || (of_velocity && Dim == 2)) at[d] = grid.edge(d, c[d]);
        faces[e].view()(c) = r(at);
      }
    });
  }
  FaceCoefficient<Dim> view() const {
    FaceCoefficient<Dim> view{cells.view(), {}, {}};
    for (int e = 0; e < Dim; ++e) view.faces[e] = faces[e].view();
    return view;
  }

  Field<Dim, Host> cells;
  VelocityField<Dim, Host> faces;
};

// What a step assembles, of D = 0.3 or of D = 1.2 and r.
template <int Dim>
struct Step {
  const Domain<Dim>& domain;
  Ratio r;                // null: none
  double transposed = 0;  // weight of the gradient
  VelocityField<Dim, Host> now = test::random_velocity(domain, 1),
                           before = test::random_velocity(domain, 2);
  Field<Dim, Host> pressure = test::random_pressure(domain, 3);
  Coefficient<Dim> field{domain, true, r ? r : [](const Point&) { return 0.0; }};
  SideFlow entering{-1.0, 1.0, 2.0, 1.0};
  FieldBoundary<Dim, Host> scalar = boundary(Condition::convective);

  double diffusivity() const { return r ? 1.2 : 0.3; }
  FaceCoefficient<Dim> coefficient() const { return r ? field.view() : FaceCoefficient<Dim>{}; }
  FieldBoundary<Dim, Host> boundary(Condition condition) const {
    FieldSides sides;
    for (const auto [axis, side] : sides_of_box(3)) {
      sides[axis][side] = {condition, Expression::parse("1 + x"), 0.8};
      if (domain.boundaries.periodic(axis)) sides[axis][side] = {Condition::periodic};
    }
    FieldBoundary<Dim, Host> boundary(at_cells, sides, diffusivity(), domain.metrics, {});
    BoundaryStep<Dim> step;
    step.dt = 0.1;
    step.weights = bdf2_weights(1);
    step.convecting = now.view();
    for (const auto [axis, side] : sides_of_box(Dim)) {
      step.side_flows.of[axis][side] = &entering;
      step.open_area[axis][side] = 1;
    }
    step.old_level = now[0].view();
    step.older_level = before[0].view();
    step.coefficient = coefficient();
    boundary.refresh(step);
    return boundary;
  }
  TransportOperator<Dim> transport(int location, Convection scheme) const {
    TransportOperator<Dim> on{domain.metrics.view(), domain.sides, {},           location,
                              diffusivity(),         scheme,       coefficient()};
    for (const auto [axis, side] : sides_of_box(Dim))
      if (domain.sides.open[axis][side]) on.side_flows.of[axis][side] = &entering;
    return on;
  }
  TransportEquation<Dim> equation(int location, Convection scheme, double implicit) const {
    const int d = std::max(location, 0);
    TransportEquation<Dim> equation{};
    equation.transport = transport(location, scheme);
    equation.closure = location == at_cells ? scalar.view() : domain.velocity->closure(d);
    equation.dt = 0.1;
    equation.weights = cn_ab2_weights(0.7);
    equation.old_level = equation.older_level = now[d].view();
    equation.convecting = now.view();
    equation.implicit_convection = implicit;
    equation.implicit_diffusion = 0.4;
    equation.explicit_terms[0] = {now.view(), now[d].view(), equation.weights.e0, 0.6};
    equation.explicit_terms[1] = {before.view(), before[d].view(), equation.weights.e1, 0};
    if (location != at_cells)
      for (ExplicitTerm<Dim>& term : equation.explicit_terms) term.transposed = transposed;
    equation.pressure = pressure.view();
    return equation;
  }
  Unknowns<Dim> unknowns(int location) const {
    return unknowns_at(location, domain.metrics.layout(), domain.sides);
  }

  // Values of the matrix and the right side.
  std::vector<double> rows(int location, Convection scheme, double implicit) const {
    linalg::CsrMatrix<Host> matrix(build_pattern<Dim, Host>(unknowns(location)));
    linalg::Vector<Host> b(matrix.rows());
    assemble_transport(equation(location, scheme, implicit), unknowns(location), matrix, b);
    std::vector<double> all = matrix.values().to_host();
    const std::vector<double> right = b.to_host();
    all.insert(all.end(), right.begin(), right.end());
    return all;
  }
  template <int Location>
  std::vector<double> right_side(Convection scheme) const {
    const Unknowns<Dim> points = unknowns(Location);
    linalg::Vector<Host> b(points.rows);
    assemble_right_sides<Location, Dim, Host, 1>(
        {RightSide<Dim>{equation(Location, scheme, 0.0), points, b.data(), false, 0.0}}, {});
    return b.to_host();
  }
  // Of a scalar: the new level, and its rates.
  std::vector<double> stage(Convection scheme) const {
    Field<Dim, Host> rates(domain.metrics.layout()), next(domain.metrics.layout());
    StageEquation<Dim> equation{};
    equation.transport = transport(at_cells, scheme);
    equation.velocity = now.view();
    equation.dt = 0.1;
    equation.stage = find_time_scheme("rk3").stages[0];
    equation.keeps_rates = true;
    take_stage<at_cells, Dim, Host, 1>(
        equation, {stage_field(at_cells, before[0], rates, rates, next, unknowns(at_cells))});
    std::vector<double> all = next.values().to_host();
    const std::vector<double> rate = rates.values().to_host();
    all.insert(all.end(), rate.begin(), rate.end());
    return all;
  }
  std::vector<double> limited() const {
    LimitScratch<Dim, Host> scratch(domain.metrics.layout());
    Field<Dim, Host> result(domain.metrics.layout());
    RangeSources<Dim> of{domain.sides, before[0].view(), {}, {}, {}, {}};
    of.amounts = {scalar.view(),
                  {{now.view(), now[0].view(), 0.02}, {before.view(), before[1].view(), 0.03}},
                  before[0].view()};
    add_limited_amounts(transport(at_cells, Convection::van_leer), unknowns(at_cells), of,
                        before[1], scratch, result);
    return result.values().to_host();
  }
  std::vector<double> closures(Condition condition) const {
    const FieldBoundary<Dim, Host> of = boundary(condition);
    std::vector<double> all;
    for (const auto [axis, side] : sides_of_box(Dim))
      if (!domain.boundaries.periodic(axis))
        for_each_on_host(side_faces(domain.metrics.layout(), axis),
                         [&, axis = axis, side = side](const Index<Dim>& c) {
                           all.push_back(of.view().offset(axis, side, c));
                           all.push_back(of.view().slope(axis, side, c));
                         });
    return all;
  }
};

template <int Dim>
void expect_bits_on(const Domain<Dim>& domain) {
  const Step<Dim> constant{domain, {}}, field{domain, [](const Point&) { return 0.25; }};
  for (const Convection scheme : {Convection::central, Convection::quick}) {
    for (int location = at_cells; location < Dim; ++location)
      for (const double implicit : {0.0, 1.0})
        EXPECT_EQ(field.rows(location, scheme, implicit),
                  constant.rows(location, scheme, implicit));
    EXPECT_EQ(field.template right_side<at_cells>(scheme),
              constant.template right_side<at_cells>(scheme));
    EXPECT_EQ(field.template right_side<0>(scheme), constant.template right_side<0>(scheme));
    EXPECT_EQ(field.stage(scheme), constant.stage(scheme));
  }
  EXPECT_EQ(field.limited(), constant.limited());
  for (const Condition condition :
       {Condition::flux, Condition::convective, Condition::outflow, Condition::free})
    EXPECT_EQ(field.closures(condition), constant.closures(condition));
}

template <int Dim>
void for_each_domain_and_an_open_one(const std::function<void(const Domain<Dim>&)>& visit) {
  test::for_each_domain<Dim>(visit);
  Boundaries boundaries;
  boundaries.sides[0][0].kind = SideKind::inflow;
  boundaries.sides[0][1].kind = SideKind::outflow;
  boundaries.sides[1][1].velocity = {1, 0, -1};
  std::vector<AxisSettings> axes{test::uneven(4, -0.3, 0.7), test::uneven(6, 0.5, 2.5)};
  if constexpr (Dim == 3) axes.push_back(test::uneven(3, -1.0, -0.4));
  visit({test::grid_of(axes), boundaries});
}

// A quarter is exact in binary, so that D r g has the bits of (D / 4) g.
TEST(FaceCoefficient, that_is_the_same_everywhere_gives_the_bits_of_the_constant) {
  for_each_domain_and_an_open_one<2>(expect_bits_on<2>);
  for_each_domain_and_an_open_one<3>(expect_bits_on<3>);
}

template <int Dim>
void expect_equal_right_sides(const Domain<Dim>& domain) {
  const Step<Dim> step{
      domain, [](const Point& x) { return 2 + std::sin(3 * x[0]) * std::cos(5 * x[1] - x[2]); },
      0.7};
  const std::vector<double> rows = step.rows(0, Convection::quick, 0.0),
                            right = step.template right_side<0>(Convection::quick);
  for (std::size_t i = 0; i < right.size(); ++i)
    ASSERT_NEAR(right[i], rows[rows.size() - right.size() + i], 1e-11) << i;
}

TEST(FaceCoefficient, that_varies_makes_the_same_right_side_with_and_without_the_matrix) {
  for_each_domain_and_an_open_one<2>(expect_equal_right_sides<2>);
  for_each_domain_and_an_open_one<3>(expect_equal_right_sides<3>);
}

// The largest error of q = u in - div(r grad q) = f, of a scalar or of component 0 of a velocity
// (u, v) without divergence, whose transposed gradient counts too.
//
//   r = 1 + x y,   u = x^3 + x y^2,   v = -3 x^2 y - y^3 / 3
double error_of_steady_diffusion(int location, int n) {
  const Expression u = Expression::parse("x^3 + x*y^2"), v = Expression::parse("-3*x^2*y - y^3/3");
  const Expression force =
      Expression::parse(location == at_cells ? "-13*x^2*y - y^3 - 8*x" : "-10*x^2*y - 2*y^3 - 8*x");
  Boundaries boundaries;
  for (auto& sides : boundaries.sides)
    for (Side& side : sides) side.velocity = {u, v, 0};
  const Domain<2> domain{test::grid_of({test::uniform(n, 1), test::symmetric(n, 1)}), boundaries};
  const Layout<2> layout = domain.metrics.layout();
  const auto sampled = [&](int at, const Expression& formula) {
    Field<2, Host> field(layout);
    field.values().upload(sample<2>(domain.grid, layout, at,
                                    [&](const MeanBox& box) { return formula(point_of(box), 0); }));
    return field;
  };
  VelocityField<2, Host> velocity(layout);
  for (const int d : {0, 1}) velocity[d] = sampled(d, d == 0 ? u : v);
  fill_velocity_ghosts(velocity, domain.closures());
  const Coefficient<2> r(domain, location != at_cells,
                         [](const Point& x) { return 1 + x[0] * x[1]; });
  FieldSides values;
  for (auto& axis : values) axis = {FieldSide{Condition::value, u}, FieldSide{Condition::value, u}};
  FieldBoundary<2, Host> scalar(at_cells, values, 1.0, domain.metrics, {});
  scalar.refresh({});
  const Field<2, Host> forcing = sampled(location, force), zero(layout);
  TransportEquation<2> equation{};
  equation.transport = {domain.metrics.view(), domain.sides, {}, location, 1.0,
                        Convection::central,   r.view()};
  equation.closure = location == at_cells ? scalar.view() : domain.velocity->closure(0);
  equation.dt = 1e12;
  equation.weights = backward_euler_weights(1);
  equation.old_level = equation.older_level = zero.view();
  equation.implicit_convection = 0;
  equation.forcing = forcing.view();
  if (location != at_cells) {
    equation.explicit_terms[0].velocity = velocity.view();
    equation.explicit_terms[0].transposed = 1;
  }
  const Unknowns<2> unknowns = unknowns_at(location, layout, domain.sides);
  linalg::CsrMatrix<Host> matrix(build_pattern<2, Host>(unknowns), linalg::Symmetry::symmetric);
  linalg::Vector<Host> b(matrix.rows()), x(matrix.rows());
  assemble_transport(equation, unknowns, matrix, b);
  linalg::SolverSettings settings{.method = "cg", .preconditioner = {"jacobi"}};
  settings.tolerance = 1e-11;
  EXPECT_TRUE(
      linalg::LinearSolver<Host>(settings, matrix.rows()).solve(matrix, b, x, {}).converged());
  double error = 0;
  for_each_on_host(unknowns.box, [&](const Index<2>& c) {
    error = std::max(error, std::abs(x.to_host()[static_cast<std::size_t>(unknowns.row(c))] -
                                     u(point_of<2>(domain.grid, location, c), 0)));
  });
  return error;
}

TEST(FaceCoefficient, that_varies_keeps_second_order_in_implicit_diffusion) {
  for (const int location : {static_cast<int>(at_cells), 0}) {
    const double coarse = error_of_steady_diffusion(location, 12),
                 fine = error_of_steady_diffusion(location, 24);
    EXPECT_GT(std::log2(coarse / fine), 1.9) << location << ": " << coarse << " " << fine;
  }
}

// Of analytic functions, to far less than a grid's error.
double slope(const std::function<double(const Point&)>& f, int e, const Point& x) {
  constexpr double step = 1e-4;
  Point below = x, above = x;
  below[e] -= step;
  above[e] += step;
  return (f(above) - f(below)) / (2 * step);
}

// Of the rates of a velocity in a periodic box: -div(u u) + div(r (grad u + grad u^T)).
template <int Dim>
double error_of_rates(int n) {
  constexpr double k = 2 * std::numbers::pi;
  const auto u = [](int d, const Point& x) {
    return std::sin(k * x[d]) * std::cos(k * x[(d + 1) % Dim]) +
           (d == 0 ? 1 : -0.5) * std::cos(k * x[(d + 1) % Dim]);
  };
  const Ratio r = [](const Point& x) {
    return 1 + 0.5 * std::sin(k * x[0]) * std::cos(k * x[Dim - 1]);
  };
  const std::vector<AxisSettings> axes(Dim, test::uniform(n, 1));
  const Domain<Dim> domain{test::grid_of(axes), test::with_periodic({0, 1, 2})};
  const Layout<Dim> layout = domain.metrics.layout();
  VelocityField<Dim, Host> velocity(layout), rates(layout), next(layout);
  for (int d = 0; d < Dim; ++d)
    for_each_on_host(layout.interior(), [&](const Index<Dim>& c) {
      velocity[d].view()(c) = u(d, point_of<Dim>(domain.grid, d, c));
    });
  fill_velocity_ghosts(velocity, domain.closures());
  const Coefficient<Dim> coefficient(domain, true, r);
  const Field<Dim, Host> pressure(layout);
  StageEquation<Dim> equation{};
  equation.transport = {domain.metrics.view(), domain.sides,      {}, 0, 0.1,
                        Convection::central,   coefficient.view()};
  equation.velocity = velocity.view();
  equation.pressure = pressure.view();
  equation.dt = 0.1;
  equation.stage = find_time_scheme("rk3").stages[0];
  equation.keeps_rates = true;
  equation.uniform = uniform_grid<Dim>(domain.grid, layout);
  std::array<StageField<Dim>, Dim> components;
  for (int d = 0; d < Dim; ++d)
    components[d] = stage_field(d, velocity[d], rates[d], rates[d], next[d],
                                unknowns_at(d, layout, domain.sides));
  take_stage<0, Dim, Host>(equation, components);
  double error = 0;
  for (int d = 0; d < Dim; ++d)
    for_each_on_host(layout.interior(), [&](const Index<Dim>& c) {
      double exact = 0;
      for (int e = 0; e < Dim; ++e)
        exact += slope(
            [&](const Point& x) {
              const auto component = [&](int of) {
                return [&u, of](const Point& y) { return u(of, y); };
              };
              return 0.1 * r(x) * (slope(component(d), e, x) + slope(component(e), d, x)) -
                     u(d, x) * u(e, x);
            },
            e, point_of<Dim>(domain.grid, d, c));
      error = std::max(error, std::abs(rates[d].view()(c) - exact));
    });
  return error;
}

TEST(FaceCoefficient, that_varies_keeps_second_order_in_the_full_stress_of_a_stage) {
  EXPECT_GT(std::log2(error_of_rates<2>(32) / error_of_rates<2>(64)), 1.9);
  EXPECT_GT(std::log2(error_of_rates<3>(16) / error_of_rates<3>(32)), 1.85);
}

}  // namespace
}  // namespace hodge::sim
