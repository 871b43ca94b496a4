// Decaying Beltrami flow in a cube, whose exact velocity is prescribed on all sides.
//
//   u = -a [exp(a x) sin(a y + d z) + exp(a z) cos(a x + d y)] F
//   p = -a^2/2 [exp(2 a x) + 2 sin(a x + d y) cos(a z + d x) exp(a (y + z)) + ...] F^2
//   F = exp(-nu d^2 t);   v, w and the terms left out of p by rotating x -> y -> z -> x
//
// The vorticity is d u, so that convection is a pure gradient. Source: C. R. Ethier & D. A.
// Steinman, Int. J. Numer. Meth. Fluids 19, 1994.
#include "cases/registry.hpp"

namespace hodge::cases::ethier_steinman {

// The formula with its coordinates rotated: x -> y -> z -> x.
std::string rotated(std::string formula) {
  for (char& c : formula)
    if (c >= 'X' && c <= 'Z') c = c == 'X' ? 'Y' : c == 'Y' ? 'Z' : 'X';
  return formula;
}

// X, Y, Z as the coordinates, so that rotated() meets nothing else.
Expression parse(std::string formula, const FormulaNames& names) {
  for (char& c : formula)
    if (c >= 'X' && c <= 'Z') c = static_cast<char>(c - 'X' + 'x');
  return Expression::parse(formula, names);
}

const std::string first_velocity =
    "-a*(exp(a*X)*sin(a*Y + d*Z) + exp(a*Z)*cos(a*X + d*Y))*exp(-nu*d^2*t)";
const std::string first_pressure =
    "-a^2/2*(exp(2*a*X) + 2*sin(a*X + d*Y)*cos(a*Z + d*X)*exp(a*(Y + Z)))*exp(-2*nu*d^2*t)";

Problem make(const Settings& settings) {
  const auto& parameters = settings.parameters;
  const double viscosity = parameters.at("viscosity");
  const FormulaNames names{
      .constants = {{"a", parameters.at("a")}, {"d", parameters.at("d")}, {"nu", viscosity}}};
  const std::string second = rotated(first_velocity), second_pressure = rotated(first_pressure);
  const std::array<Expression, 3> u{parse(first_velocity, names), parse(second, names),
                                    parse(rotated(second), names)};
  const auto p =
      parse(first_pressure + " + " + second_pressure + " + " + rotated(second_pressure), names);

  Problem problem;
  problem.viscosity = viscosity;
  for (auto& sides : problem.boundaries.sides)
    for (Side& side : sides) side = {SideKind::inflow, u};
  start_from(problem, {sim::vector_function(u), p});
  return problem;
}

Cases describe() {
  return {
      {.description = "decaying Beltrami flow with an exact solution",
       .parameters = {{"viscosity", 0.1, 0, 1e9, "kinematic"},
                      {"a", std::numbers::pi / 4, 1e-9, 1e3, "growth of the velocity in space"},
                      {"d", std::numbers::pi / 2, 1e-9, 1e3, "wave number: vorticity / velocity"}},
       .dimensions = {3},
       .make = make,
       .box = {{-1, -1, -1}, {1, 1, 1}},
       .starter = {"grid.cells: [24, 24, 24]", "time.end: 1", "time.step.size: 0.02",
                   "output.frames.every: 0.1"}}};
}

}  // namespace hodge::cases::ethier_steinman
