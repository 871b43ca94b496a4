// The Brusselator with diffusion in a fluid at rest, dimensionless:
//
//   du/dt = a + u^2 v - (b + 1) u + diffusivity lap u (+ f)
//   dv/dt = b u - u^2 v + diffusivity lap v
//
//   brusselator        the periodic unit square; u = 22 y (1 - y)^(3/2), v = 27 x (1 - x)^(3/2) at
//                      t = 0; f = pulse in the disc of radius 0.1 about (0.3, 0.6) once t >= 1.1
//   brusselator_line   0 < x < 1, uniform along y; u = 1 + sin(2 pi x), v = 3 at t = 0;
//                      u = a, v = b / a at both ends: the steady state, so that splitting does not
//                      lose order there
//
// f belongs to the rates, whose integration finds the jump in time.
// Source: I. Prigogine & R. Lefever, J. Chem. Phys. 48, 1968 (the reactions); E. Hairer &
// G. Wanner, Solving Ordinary Differential Equations II, 1996, Sec. IV.10 (the square) and IV.1
// (the line).
#include "cases/registry.hpp"

namespace hodge::cases::brusselator {

ScalarProblem scalar(const Settings& settings, const std::string& name, const std::string& rate) {
  ScalarProblem scalar;
  scalar.name = name;
  scalar.diffusivity = settings.parameters.at("diffusivity");
  scalar.reaction = Expression::parse(rate, {settings.parameters, {"u", "v"}});
  return scalar;
}

Problem brusselator_at_rest(const Settings& settings, const std::string& forcing) {
  Problem problem;
  problem.prescribed_velocity = sim::PrescribedVelocity{};
  problem.scalars.push_back(scalar(settings, "u", "a + u^2*v - (b + 1)*u" + forcing));
  problem.scalars.push_back(scalar(settings, "v", "b*u - u^2*v"));
  return problem;
}

Problem make_square(const Settings& settings) {
  const bool pulsed = settings.parameters.at("pulse") != 0;
  Problem problem = brusselator_at_rest(
      settings, pulsed ? " + if(t >= 1.1 && (x - 0.3)^2 + (y - 0.6)^2 <= 0.01, pulse, 0)" : "");
  for (const int axis : {0, 1}) problem.boundaries.set(axis, SideKind::periodic);
  problem.scalars[0].initial = [](const Point& x) { return 22 * x[1] * std::pow(1 - x[1], 1.5); };
  problem.scalars[1].initial = [](const Point& x) { return 27 * x[0] * std::pow(1 - x[0], 1.5); };
  return problem;
}

Problem make_line(const Settings& settings) {
  const double a = settings.parameters.at("a"), b = settings.parameters.at("b");
  Problem problem = brusselator_at_rest(settings, "");
  problem.boundaries.set(1, SideKind::periodic);
  problem.scalars[0].initial = [](const Point& x) {
    return 1 + std::sin(2 * std::numbers::pi * x[0]);
  };
  problem.scalars[1].initial = [](const Point&) { return 3.0; };
  for (const int side : {0, 1}) {
    problem.scalars[0].sides[0][side] = {ScalarSideKind::value, a};
    problem.scalars[1].sides[0][side] = {ScalarSideKind::value, b / a};
  }
  return problem;
}

Cases describe() {
  return {{.description = "an oscillating reaction with diffusion, periodic, pulsed",
           .parameters = {{"a", 1, 1e-6, 1e6, "inflow of u"},
                          {"b", 3.4, 0, 1e6, "rate of u -> v; oscillates above 1 + a^2"},
                          {"diffusivity", 0.1, 0, 1e9, "of both"},
                          {"pulse", 5, -1e6, 1e6, "added to du/dt in the disc from t = 1.1 on"}},
           .dimensions = {2},
           .make = make_square,
           .starter = {"grid.cells: [64, 64]", "time.end: 10", "time.step.size: 0.025",
                       "output.frames.every: 0.5"}},
          {.name = "brusselator_line",
           .description = "an oscillating reaction with diffusion between two fixed ends",
           .parameters = {{"a", 1, 1e-6, 1e6, "inflow of u"},
                          {"b", 3, 0, 1e6, "rate of u -> v; oscillates above 1 + a^2"},
                          {"diffusivity", 0.02, 0, 1e9, "of both"}},
           .dimensions = {2},
           .make = make_line,
           .starter = {"grid.cells: [128, 4]", "time.end: 10", "time.step.size: 0.02",
                       "output.frames.every: 0.5"}}};
}

}  // namespace hodge::cases::brusselator
