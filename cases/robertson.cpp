// Robertson's kinetics in a closed box at rest: three species whose rates differ by nine orders of
// magnitude, uniform at the start.
//
//   a -> b  (k1),   b + b -> b + c  (k2),   b + c -> a + c  (k3);   a + b + c stays what it is
//
//   da/dt = -k1 a + k3 b c
//   db/dt =  k1 a - k3 b c - k2 b^2
//   dc/dt =  k2 b^2                                     a = 1, b = c = 0 at t = 0; dimensionless
//
// Source: H. H. Robertson, in: J. Walsh (ed.), Numerical Analysis: An Introduction, 1966; values in
// E. Hairer & G. Wanner, Solving Ordinary Differential Equations II, 1996, Sec. IV.1.
#include "cases/registry.hpp"

namespace hodge::cases::robertson {

Problem make(const Settings& settings) {
  const FormulaNames names{settings.parameters, {"a", "b", "c"}};
  Problem problem;
  problem.prescribed_velocity = sim::PrescribedVelocity{};
  for (const char* reaction : {"-k1*a + k3*b*c", "k1*a - k3*b*c - k2*b^2", "k2*b^2"}) {
    ScalarProblem scalar;
    scalar.name = names.variables[problem.scalars.size()];
    scalar.diffusivity = settings.parameters.at("diffusivity");
    scalar.reaction = Expression::parse(reaction, names);
    problem.scalars.push_back(scalar);
  }
  problem.scalars[0].initial = [](const Point&) { return 1.0; };
  return problem;
}

Cases describe() {
  return {{.description = "Robertson's stiff kinetics in a closed box at rest",
           .parameters = {{"k1", 0.04, 0, 1e12, "rate of a -> b, 1/T"},
                          {"k2", 3e7, 0, 1e12, "rate of b + b -> b + c, 1/([b] T)"},
                          {"k3", 1e4, 0, 1e12, "rate of b + c -> a + c, 1/([b] T)"},
                          {"diffusivity", 0, 0, 1e9, "of all three"}},
           .make = make,
           .starter = {"grid.cells: [4, 4]", "time.end: 40", "time.step.size: 0.5",
                       "output.frames.every: 5"}}};
}

}  // namespace hodge::cases::robertson
