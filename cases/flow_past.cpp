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
  for (sim::Side& side : sides[1]) side.kind = sim::SideKind::slip;
  for (sim::Side& side : sides[2]) side.kind = sim::SideKind::periodic;
  problem.initial_velocity = [disturbance](sim::Point x) {
    const double a = x[0] - 1.5, b = x[1] - 0.5;
    return std::array<double, 3>{speed, disturbance * std::exp(-a * a - b * b), 0};
  };
  problem.solids = {std::move(body)};
  return problem;
}

}  // namespace hodge::cases
