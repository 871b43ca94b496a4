// The steady flow behind a grid of bars at distance 1; exact solution.
//
//   u = U - U exp(lambda x) cos(2 pi y),   v = U lambda / (2 pi) exp(lambda x) sin(2 pi y)
//   p = U^2 (1 - exp(2 lambda x)) / 2,     lambda = Re/2 - sqrt(Re^2/4 + 4 pi^2),   Re = U / nu
//
// The exact velocity is prescribed on all sides; with outflow = 1 fluid leaves through the upper x
// side instead, where the exact solution departs from a uniform stream by exp(lambda x). The flow
// is balanced where the box is a whole number of half periods (1/2) high.
//
// Source: L. I. G. Kovasznay, Proc. Camb. Phil. Soc. 44, 1948.
#include "cases/registry.hpp"

namespace hodge::cases::kovasznay {

Problem make(const Settings& settings) {
  const auto& parameters = settings.parameters;
  const double reynolds = parameters.at("reynolds");
  const double lambda = reynolds / 2 - std::hypot(reynolds / 2, 2 * std::numbers::pi);
  const FormulaNames names{.constants = {{"lambda", lambda}}};
  const auto u = Expression::parse("1 - exp(lambda*x)*cos(2*pi*y)", names);
  const auto v = Expression::parse("lambda/(2*pi)*exp(lambda*x)*sin(2*pi*y)", names);
  const auto p = Expression::parse("(1 - exp(2*lambda*x))/2", names);

  Problem problem;
  problem.viscosity = 1 / reynolds;
  for (int axis = 0; axis < 2; ++axis)
    for (Side& side : problem.boundaries.sides[axis]) side = {SideKind::inflow, {u, v, 0}};
  if (parameters.at("outflow") != 0) problem.boundaries.sides[0][1] = {SideKind::outflow};
  start_from(problem, {sim::vector_function({u, v, 0}), p});
  return problem;
}

Cases describe() {
  return {{.description = "steady flow behind a grid of bars with an exact solution",
           .parameters = {{"reynolds", 40, 1e-6, 1e6,
                           "mean velocity x distance of the bars / kinematic viscosity"},
                          {"outflow", 0, 0, 1,
                           "1: the upper x side is an outflow; 0: the exact velocity there too"}},
           .dimensions = {2},
           .make = make,
           .box = {{-0.5, -0.5, 0}, {1, 0.5, 1}},
           .starter = {"grid.cells: [96, 64]", "time.end: 10", "time.step.size: 0.02",
                       "time.steady.tolerance: 1.0e-5", "output.frames.every: 1"}}};
}

}  // namespace hodge::cases::kovasznay
