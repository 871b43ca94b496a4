// Natural convection of air in a box: the lower x side is hot, the upper x side cold, the others
// let no heat through; gravity along -y, all sides at rest.
//
//   Ra = g beta (T_hot - T_cold) L^3 / (nu kappa),   Pr = nu / kappa,   L the extent along x
//
// Units: T = 1 hot, 0 cold; velocity sqrt(g beta (T_hot - T_cold) L) = 1, that of free fall, so
// that
//
//   nu = L sqrt(Pr / Ra),   kappa = L / sqrt(Ra Pr),   buoyancy (T - 1/2) / L along y.
//
// A velocity in the unit kappa / L of the literature is sqrt(Ra Pr) times ours; a Nusselt number,
// the flux of heat over that of a fluid at rest, is the same.
//
// Source: G. de Vahl Davis, Int. J. Numer. Meth. Fluids 3, 1983 (2D, unit square, Pr = 0.71).
#include "cases/registry.hpp"

namespace hodge::cases::heated_cavity {

Problem make(const Settings& settings) {
  const double rayleigh = settings.parameters.at("rayleigh");
  const double prandtl = settings.parameters.at("prandtl");
  const double lower = settings.grid.axes[0].lower;
  const double length = settings.grid.axes[0].upper - lower;
  ScalarProblem temperature;
  temperature.name = "temperature";
  temperature.diffusivity = length / std::sqrt(rayleigh * prandtl);
  temperature.initial = [=](Point x) { return 1 - (x[0] - lower) / length; };
  temperature.sides[0][0] = {ScalarSideKind::value, 1};
  temperature.sides[0][1] = {ScalarSideKind::value, 0};
  temperature.buoyancy = {0, 1 / length, 0};
  temperature.neutral = 0.5;

  Problem problem;
  problem.viscosity = length * std::sqrt(prandtl / rayleigh);
  problem.scalars = {temperature};
  return problem;
}

Cases describe() {
  return {{.description = "natural convection between a hot and a cold side",
           .parameters = {{"rayleigh", 1e5, 1e-3, 1e12,
                           "buoyancy against viscosity and conduction, of the extent along x"},
                          {"prandtl", 0.71, 1e-6, 1e6,
                           "kinematic viscosity / thermal diffusivity; air: 0.71"}},
           .make = make,
           .starter = {
               "grid.cells: [64, 64]",
               "grid.stretching: {x: {kind: tanh, strength: 1.2}, y: {kind: tanh, strength: 1.2}}",
               "time.end: 100", "time.step.cfl: 2", "time.step.max: 0.2",
               "time.steady.tolerance: 1.0e-4", "solvers.pressure.tolerance: 1.0e-6",
               "output.frames.every: 2"}}};
}

}  // namespace hodge::cases::heated_cavity
