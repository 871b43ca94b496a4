// A box of fluid at rest whose upper y side, the lid, moves along +x with velocity 1; all other
// sides are at rest.
//
//   Re = U L / nu,   U = 1, L the box's extent along x
//
// Reference: U. Ghia, K. N. Ghia & C. T. Shin, J. Comput. Phys. 48, 1982 (2D, unit square).
#include "cases/registry.hpp"

namespace hodge::cases {
namespace {

constexpr double lid_speed = 1.0;

sim::Problem make_lid_driven_cavity(const sim::Settings& settings) {
  const auto& parameters = settings.parameters;
  const double length = settings.grid.axes[0].upper - settings.grid.axes[0].lower;
  sim::Problem problem;
  problem.viscosity = lid_speed * length / parameters.at("reynolds");
  problem.boundaries.sides[1][1].velocity = {lid_speed, 0, 0};
  return problem;
}

}  // namespace

Case lid_driven_cavity() {
  return {
      .name = "lid_driven_cavity",
      .description = "a closed box driven by its moving upper side",
      .parameters = {{"reynolds", 1000, 1e-3, 1e9,
                      "lid speed x extent along x / kinematic viscosity"}},
      .dimensions = {2, 3},
      .make = make_lid_driven_cavity,
      .starter = {"grid.cells: [64, 64]", "time.end: 40", "time.step.cfl: 4", "time.step.max: 0.05",
                  "time.steady.tolerance: 1e-4", "solvers.pressure.tolerance: 1e-6",
                  "output.frames.every: 1"},
  };
}

}  // namespace hodge::cases
