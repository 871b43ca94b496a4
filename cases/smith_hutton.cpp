// A scalar carried round a bend of 180 degrees by a given velocity, with little or no diffusion: a
// steep front enters through the left half of the lower side and should leave through the right
// half as steep as it came.
//
//   u = 2 y (1 - x^2),   v = -2 x (1 - y^2)     on -1 <= x <= 1, 0 <= y <= 1
//
//              c = 1 - tanh(10)
//         +-----------------------+        D = 1 / ratio, the ratio of density and diffusivity
//         |    --------------     |        rho / Gamma of the source
//         |  /   ---------    \   |
//         +-----------|-----------+
//    c = 1 + tanh(10(2x+1))  dc/dy = 0
//
// The two halves of the lower side are one convective condition, whose coefficient is so large on
// the left that it prescribes the value, and 0 on the right.
//
// Source: R. M. Smith & A. G. Hutton, Numer. Heat Transfer 5, 1982.
#include <cmath>
#include <string>

#include "cases/registry.hpp"
#include "linalg/base/errors.hpp"

namespace hodge::cases {
namespace {

void check_box(const sim::GridSettings& grid) {
  const auto differs = [&](int d, double lower, double upper) {
    return grid.axes[d].lower != lower || grid.axes[d].upper != upper;
  };
  if (differs(0, -1, 1) || differs(1, 0, 1))
    throw ConfigError(
        "smith_hutton: the box must be [-1, 1] x [0, 1]; remove grid.lower and upper");
}

sim::ScalarProblem carried_scalar(double diffusivity) {
  using sim::Expression;
  const double outside = 1 - std::tanh(10.0);
  sim::ScalarProblem scalar;
  scalar.name = "scalar";
  scalar.diffusivity = diffusivity;
  scalar.initial = [=](sim::Point) { return outside; };
  for (auto& axis : scalar.sides)
    for (sim::ScalarSide& side : axis) side = {sim::ScalarSideKind::value, outside};
  scalar.sides[1][0] = {sim::ScalarSideKind::convective,
                        Expression::parse("1 + tanh(10*(2*x + 1))"),
                        Expression::parse("x < 0 ? 1e30 : 0")};
  return scalar;
}

sim::Problem make_smith_hutton(const sim::Settings& settings) {
  using sim::Expression;
  check_box(settings.grid);
  sim::Problem problem;
  problem.prescribed_velocity = {Expression::parse("2*y*(1 - x^2)"),
                                 Expression::parse("-2*x*(1 - y^2)"), 0};
  problem.boundaries.sides[1][0] = {sim::SideKind::inflow, *problem.prescribed_velocity};
  problem.scalars = {carried_scalar(1 / settings.parameters.at("ratio"))};
  return problem;
}

}  // namespace

Case smith_hutton() {
  return {
      .name = "smith_hutton",
      .description = "a steep front of a scalar carried round a bend",
      .parameters = {{"ratio", 1000, 1e-3, 1e12,
                      "1 / diffusivity; the source has 10, 100, 500, 1000 and 1e6"}},
      .dimensions = {2},
      .make = make_smith_hutton,
      .box = {{-1, 0, 0}, {1, 1, 1}},
      .starter = {"grid.cells: [80, 40]", "time.scheme: backward_euler", "time.end: 20",
                  "time.step.size: 0.02", "time.steady.tolerance: 1e-6",
                  "convection.scheme: van_leer", "output.frames.every: 1"},
  };
}

}  // namespace hodge::cases
