// What the configuration itself describes: fluid, boundaries, scalars, initial state and exact
// solution as formulas, without a line of C++.
#include "cases/registry.hpp"
#include "sim/flow/custom_problem.hpp"

namespace hodge::cases::custom {

Cases describe() {
  return {
      {.description = "all of it from the file: fluid, boundaries, scalars, initial, exact",
       .make = [](const Settings& settings) { return sim::custom_problem(settings.custom); },
       .described_in_file = true,
       .starter = {
           "parameters.reynolds: 100", "grid.cells: [96, 32]", "grid.lower: [0, 0]",
           "grid.upper: [3, 1]", "fluid.viscosity: 1/reynolds",
           "boundaries.x_lower: {kind: inflow, velocity: [6*y*(1 - y), 0]}",
           "boundaries.x_upper: outflow", "initial.velocity: [6*y*(1 - y), 0]",
           "scalars.dye: {diffusivity: 0.001, boundaries: {x_lower: {value: \"y > 0.5 ? 1 : 0\"}}}",
           "solids: [{name: ball, sphere: {centre: [0.75, 0.5], radius: 0.125}}]", "time.end: 10",
           "time.step.max: 0.05", "convection.scheme: van_leer",
           "solvers.pressure.tolerance: 1.0e-6", "output.frames.every: 0.25"}}};
}

}  // namespace hodge::cases::custom
