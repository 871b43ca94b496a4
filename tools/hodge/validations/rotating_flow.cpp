// Flows in a frame that rotates, Omega = 1/2 (f = 1) about z: the inertial oscillation of a uniform
// velocity, which turns by t clockwise, in every time scheme; and the layer of Ekman between a wall
// at rest and a velocity (1, 0) far above it,
//
//   u = 1 - exp(-z/d) cos(z/d),   v = exp(-z/d) sin(z/d),   d^2 = nu / Omega
//
// whose pressure gradient is a force of (0, 1).
//
// Bounds: the orders of the schemes in time less 0.1 (rk3 less 0.15). Order 1.8 in space: it rises
// to 2 from below (1.80, 1.85 on 16 to 64 cells), because the row beside a wall has an error of
// third order and of the other sign.
// Source: V. W. Ekman, Ark. Mat. Astron. Fys. 2, 1905.
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::rotating_flow {

using sim::SideKind;

constexpr const char* ekman = "exact solution; Ekman 1905";

Problem rotating_problem(double viscosity) {
  Problem problem;
  problem.viscosity = viscosity;
  problem.rotation = {0, 0, 0.5};
  for (int d = 0; d < 3; ++d) problem.boundaries.set(d, SideKind::periodic);
  return problem;
}

Settings column_settings(const Report& report, int cells, const std::string& scheme) {
  Settings settings = case_settings(report, "taylor_green_3d", {3, 3, cells}, {}, scheme);
  for (sim::AxisSettings& axis : settings.grid.axes) axis.lower = 0, axis.upper = 1;
  settings.pressure.tolerance = settings.transport.tolerance = 1e-11;
  return settings;
}

double turned_velocity_error(const Report& report, const std::string& scheme, long steps) {
  Problem problem = rotating_problem(0.01);
  problem.initial_velocity = [](const Point&) { return std::array{1.0, 0.0, 0.0}; };
  const FlowPointer flow = sim::make_flow(column_settings(report, 3, scheme), problem);
  constexpr double end = 2;
  advance(*flow, {.end = end, .steps = steps, .name = scheme});
  const std::vector<double> u = flow->cell_arrays({"velocity"})[0].values;
  return std::hypot(u[0] - std::cos(end), u[1] + std::sin(end));
}

void add_oscillations(Report& report) {
  struct Scheme {
    const char* name;
    double least_order;
  };
  for (const Scheme& scheme : {Scheme{"bdf2", 1.9},
                               {"backward_euler", 0.9},
                               {"cn_ab2", 1.9},
                               {"rk3", 2.85},
                               {"ab2", 1.9}}) {
    Convergence study{fmt::format("inertial oscillation, {}", scheme.name),
                      "steps",
                      {{"velocity error at t = 2", scheme.least_order}},
                      "turns by f t"};
    for (const int steps : doubled(40))
      study.add(steps, fmt::format("{}, {} steps", scheme.name, steps),
                {turned_velocity_error(report, scheme.name, steps)});
    study.write(report);
  }
}

void add_ekman_layers(Report& report) {
  Convergence study{"Ekman layer",
                    "cells across",
                    {{"velocity error, L2", 1.8}, {"velocity error, largest", 1.75}},
                    ekman};
  for (const int cells : doubled(report.choose(16, 32))) {
    Settings settings = column_settings(report, cells, "bdf2");
    set_steady(settings, {.step = 0.2, .tolerance = 1e-10, .end = 1e4});
    Problem problem = rotating_problem(0.02);
    const auto exact = [](const Point& x, double) -> std::array<double, 3> {
      const double s = x[2] / std::sqrt(0.02 / 0.5);
      return {1 - std::exp(-s) * std::cos(s), std::exp(-s) * std::sin(s), 0};
    };
    for (sim::Side& side : problem.boundaries.sides[2]) side.kind = SideKind::wall;
    const auto above = exact({0, 0, 1}, 0);
    problem.boundaries.sides[2][1].velocity = {above[0], above[1], 0};
    problem.force[1] = 1;
    problem.exact.emplace();
    problem.exact->velocity = exact;
    problem.exact->pressure = [](const Point&, double) { return 0.0; };
    const std::string run = fmt::format("Ekman layer, {} cells across", cells);
    const auto norms = run_to_steady_state(report, settings, problem, run)->error_norms().value();
    study.add(cells, run, {norms.velocity_l2, norms.velocity_max});
  }
  study.write(report);
}

Validations describe() {
  return {{"inertial oscillations in every time scheme, and layers of Ekman",
           {add_oscillations, add_ekman_layers}}};
}

}  // namespace hodge::tools::validations::rotating_flow
