// A box of fluid at rest whose upper y side, the lid, moves along +x with velocity 1; all other
// sides are at rest.
//
//   Re = U L / nu,   U = 1, L the box's extent along x
//
// Reference: U. Ghia, K. N. Ghia & C. T. Shin, J. Comput. Phys. 48, 1982 (2D, unit square).
#include "cases/registry.hpp"

namespace hodge::cases::lid_driven_cavity {

Problem make(const Settings& settings) {
  constexpr double lid_speed = 1.0;
  const auto& parameters = settings.parameters;
  const double length = settings.grid.axes[0].upper - settings.grid.axes[0].lower;
  Problem problem;
  problem.viscosity = lid_speed * length / parameters.at("reynolds");
  problem.boundaries.sides[1][1].velocity = {lid_speed, 0, 0};
  return problem;
}

Cases describe() {
  return {{.description = "a closed box driven by its moving upper side",
           .parameters = {{"reynolds", 1000, 1e-3, 1e9,
                           "lid speed x extent along x / kinematic viscosity"}},
           .make = make,
           .starter = {"grid.cells: [64, 64]", "time.end: 40", "time.step.cfl: 4",
                       "time.step.max: 0.05", "time.steady.tolerance: 1.0e-4",
                       "solvers.pressure.tolerance: 1.0e-6", "output.frames.every: 1"}}};
}

}  // namespace hodge::cases::lid_driven_cavity
