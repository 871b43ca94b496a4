// What the flows past a body have in common: a uniform stream of speed 1 along x meets a body of
// width 1 at the origin.
//
//   lower x   inflow, u = (1, 0)          upper x   outflow
//   other sides along y   slip            along z   periodic
//
// The flow starts as the uniform stream with a disturbance, so that vortices need not wait for
// rounding to set them off:
//
//   v = disturbance exp(-(x - 3/2)^2 - (y - 1/2)^2)   in the wake, to one side
#pragma once

#include "cases/registry.hpp"

namespace hodge::cases {

inline Problem stream_past(const Settings& settings, const sim::Solid& body) {
  constexpr double speed = 1, width = 1;
  const double disturbance = settings.parameters.at("disturbance");
  Problem problem;
  problem.viscosity = speed * width / settings.parameters.at("reynolds");
  auto& sides = problem.boundaries.sides;
  sides[0][0] = {SideKind::inflow, {speed, 0, 0}};
  sides[0][1] = {SideKind::outflow};
  problem.boundaries.set(1, SideKind::slip);
  problem.boundaries.set(2, SideKind::periodic);
  problem.initial_velocity = [disturbance](Point x) {
    const double a = x[0] - 1.5, b = x[1] - 0.5;
    return Vector{speed, disturbance * std::exp(-a * a - b * b), 0};
  };
  problem.solids = {body};
  return problem;
}

// The case of such a flow; `cells` is that setting of its starter.
inline Case flow_past(const char* description, const sim::Solid& body, const CaseBox& box,
                      const char* cells) {
  return {.description = description,
          .parameters = {{"reynolds", 100, 1e-3, 1e9,
                          "speed of the stream x width of the body / kinematic viscosity"},
                         {"disturbance", 0.2, 0, 10,
                          "speed across the stream in the wake at the start"}},
          .make = [body](const Settings& settings) { return stream_past(settings, body); },
          .box = box,
          .starter = {cells, "grid.stretching.x: {kind: core, lower: -1, upper: 3, cells: 32}",
                      "grid.stretching.y: {kind: core, lower: -1, upper: 1, cells: 16}",
                      "forces: {speed: 1, length: 1}", "time.end: 100", "time.step.size: 0.05",
                      "solvers.pressure.tolerance: 1.0e-6", "output.frames.every: 1"}};
}

}  // namespace hodge::cases
