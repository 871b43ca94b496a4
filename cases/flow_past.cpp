#include "cases/flow_past.hpp"

#include <cmath>

namespace hodge::cases {
namespace {

constexpr double speed = 1, width = 1;

}  // namespace

sim::Problem flow_past(const sim::Settings& settings, sim::Solid body) {
  const double disturbance = settings.parameters.at("disturbance");
  sim::Problem problem;
  problem.viscosity = speed * width / settings.parameters.at("reynolds");
  auto& sides = problem.boundaries.sides;
  sides[0][0] = {sim::SideKind::inflow, {speed, 0, 0}};
  sides[0][1] = {sim::SideKind::outflow};
  problem.boundaries.set(1, sim::SideKind::slip);
  problem.boundaries.set(2, sim::SideKind::periodic);
  problem.initial_velocity = [disturbance](sim::Point x) {
    const double a = x[0] - 1.5, b = x[1] - 0.5;
    return std::array<double, 3>{speed, disturbance * std::exp(-a * a - b * b), 0};
  };
  problem.solids = {std::move(body)};
  return problem;
}

Case case_of_flow_past(const char* name, const char* description, MakeProblem make, CaseBox box,
                       const char* cells) {
  return {
      .name = name,
      .description = description,
      .parameters = {{"reynolds", 100, 1e-3, 1e9,
                      "speed of the stream x width of the body / kinematic viscosity"},
                     {"disturbance", 0.2, 0, 10,
                      "speed across the stream in the wake at the start"}},
      .dimensions = {2, 3},
      .make = make,
      .box = box,
      .starter = {cells,
                  "grid.stretching: {x: {kind: core, lower: -1, upper: 3, cells: 32}, y: {kind: "
                  "core, lower: -1, upper: 1, cells: 16}}",
                  "forces: {speed: 1, length: 1}", "time.end: 100", "time.step.size: 0.05",
                  "solvers.pressure.tolerance: 1e-6", "output.frames.every: 1"},
  };
}

}  // namespace hodge::cases
