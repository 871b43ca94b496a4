// Steady flow between two resting plates, the lower and the upper y side, H apart; exact solution.
//
//   u = 6 U s (1 - s),  v = w = 0,  s = (y - y_lower) / H,   Re = U H / nu,  U the mean velocity
//
//   inflow = 0   driven by the acceleration 12 nu U / H^2 in a box periodic along x; p = 0
//   inflow = 1   the profile flows in at the lower x side and out at the upper one;
//                p = 12 nu U / H^2 (x_upper - x)
//
// In 3D the box is periodic along z. Source: F. M. White, Viscous Fluid Flow, Sec. 3-3.
#include "cases/registry.hpp"

namespace hodge::cases::poiseuille {

Problem make(const Settings& settings) {
  const auto& parameters = settings.parameters;
  const auto& [along, across, span] = settings.grid.axes;
  const double mean = parameters.at("mean_velocity"), height = across.upper - across.lower;
  const bool flows_in = parameters.at("inflow") != 0;
  Problem problem;
  problem.viscosity = mean * height / parameters.at("reynolds");
  const double push = 12 * problem.viscosity * mean / (height * height);
  const auto profile =
      Expression::parse("6*mean*(y - lower)*(upper - y)/(upper - lower)^2",
                        {{{"mean", mean}, {"lower", across.lower}, {"upper", across.upper}}, {}});

  auto& sides = problem.boundaries.sides;
  for (const int axis : {0, 2}) problem.boundaries.set(axis, SideKind::periodic);
  if (flows_in) {
    sides[0][0] = {SideKind::inflow, {profile, 0, 0}};
    sides[0][1] = {SideKind::outflow};
  } else {
    problem.force[0] = push;
  }
  const auto pressure = [=, end = along.upper](Point x, double) {
    return flows_in ? push * (end - x[0]) : 0.0;
  };
  start_from(problem, {sim::vector_function({profile, 0, 0}), pressure});
  return problem;
}

Cases describe() {
  return {
      {.description = "steady flow between two plates with an exact solution",
       .parameters = {{"reynolds", 100, 1e-6, 1e9,
                       "mean velocity x distance of the plates / kinematic viscosity"},
                      {"mean_velocity", 1, 1e-9, 1e9, "over the height"},
                      {"inflow", 0, 0, 1,
                       "0: periodic along x, driven by a force; 1: inflow and outflow"}},
       .make = make,
       .box = {{0, 0, 0}, {2, 1, 1}},
       .starter = {"grid.cells: [32, 32]", "time.end: 10", "time.step.cfl: 2", "time.step.max: 0.1",
                   "time.steady.tolerance: 1.0e-6", "output.frames.every: 0.5"}}};
}

}  // namespace hodge::cases::poiseuille
