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
#include "cases/registry.hpp"

namespace hodge::cases::smith_hutton {

constexpr CaseBox bend{{-1, 0, 0}, {1, 1, 1}};

ScalarProblem carried_scalar(double diffusivity) {
  const double outside = 1 - std::tanh(10.0);
  ScalarProblem scalar;
  scalar.name = "scalar";
  scalar.diffusivity = diffusivity;
  scalar.initial = [=](Point) { return outside; };
  for (auto& axis : scalar.sides)
    for (ScalarSide& side : axis) side = {ScalarSideKind::value, outside};
  scalar.sides[1][0] = {ScalarSideKind::convective, Expression::parse("1 + tanh(10*(2*x + 1))"),
                        Expression::parse("x < 0 ? 1e30 : 0")};
  return scalar;
}

Problem make(const Settings& settings) {
  check_box("smith_hutton", settings, bend, "[-1, 1] x [0, 1]");
  Problem problem;
  problem.prescribed_velocity = {Expression::parse("2*y*(1 - x^2)"),
                                 Expression::parse("-2*x*(1 - y^2)"), 0};
  problem.boundaries.sides[1][0] = {SideKind::inflow, *problem.prescribed_velocity};
  problem.scalars = {carried_scalar(1 / settings.parameters.at("ratio"))};
  return problem;
}

Cases describe() {
  return {{.description = "a steep front of a scalar carried round a bend",
           .parameters = {{"ratio", 1000, 1e-3, 1e12,
                           "1 / diffusivity; the source has 10, 100, 500, 1000 and 1e6"}},
           .dimensions = {2},
           .make = make,
           .box = bend,
           .starter = {"grid.cells: [80, 40]", "time.scheme: backward_euler", "time.end: 20",
                       "time.step.size: 0.02", "time.steady.tolerance: 1.0e-6",
                       "convection.scheme: van_leer", "output.frames.every: 1"}}};
}

}  // namespace hodge::cases::smith_hutton
