// A channel that suddenly becomes twice as high: fluid flows in through the upper half of the lower
// x side, whose lower half is the step, and out at the upper x side.
//
//   u = 24 U s (1/2 - s) for s > 0, else 0;  v = 0   at x = x_lower,  s = (y - y_middle) / H
//   Re = U H / nu,   U the mean velocity of the inflow, H the height of the box
//
// At Re = 800 the flow separates behind the step and, farther down, from the upper wall.
// Reference: D. K. Gartling, Int. J. Numer. Meth. Fluids 11, 1990 (box 30 H long).
#include "cases/registry.hpp"

namespace hodge::cases::backward_facing_step {

Problem make(const Settings& settings) {
  const auto& parameters = settings.parameters;
  const sim::AxisSettings& y = settings.grid.axes[1];
  const double speed = parameters.at("speed"), height = y.upper - y.lower;
  const double middle = 0.5 * (y.lower + y.upper);
  const FormulaNames names{.constants = {{"speed", speed}, {"middle", middle}, {"height", height}}};
  const auto inflow = Expression::parse(
      "if(y > middle, 24*speed*(y - middle)*(middle + height/2 - y)/height^2, 0)", names);
  const auto developed =
      Expression::parse("3*speed*(y - middle + height/2)*(middle + height/2 - y)/height^2", names);

  Problem problem;
  problem.viscosity = speed * height / parameters.at("reynolds");
  auto& sides = problem.boundaries.sides;
  sides[0][0] = {SideKind::inflow, {inflow, 0, 0}};
  sides[0][1] = {SideKind::outflow};
  problem.boundaries.set(2, SideKind::periodic);
  problem.initial_velocity = [developed](Point x) { return Vector{developed(x, 0), 0, 0}; };
  return problem;
}

Cases describe() {
  return {{.description = "flow over a step into a channel of twice the height",
           .parameters = {{"reynolds", 800, 1e-3, 1e9,
                           "mean inflow velocity x channel height / kinematic viscosity"},
                          {"speed", 1, 1e-9, 1e9, "mean velocity of the inflow"}},
           .make = make,
           .box = {{0, -0.5, 0}, {30, 0.5, 1}},
           .starter = {"grid.cells: [240, 32]", "time.end: 100", "time.step.cfl: 2",
                       "time.step.max: 0.1", "time.steady.tolerance: 1.0e-4",
                       "output.frames.every: 5"}}};
}

}  // namespace hodge::cases::backward_facing_step
