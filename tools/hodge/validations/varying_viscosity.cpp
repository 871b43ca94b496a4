// Fluids whose viscosity depends on the shear rate, driven along a channel of height 1 by a force
// of 1 per unit of mass: errors against the exact profiles; and two layers that one moving wall
// shears.
//
// Bounds: order 1.8 on the last two grids of the power law with n < 1 and of Carreau; 1.4 of the
// power law with n > 1 and of Cross, whose profiles or viscosities are not smooth in the middle.
// The layers are exact up to the tolerance of the solvers.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/model/rheology.hpp"
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::varying_viscosity {

using sim::SideKind;

struct Fluid {
  std::string name;
  sim::Rheology rheology;
  std::function<double(double shear_rate)> viscosity;
  const char* source;
  double least_order = 1.8;
};

std::vector<Fluid> fluids() {
  const auto power_law = [](double n) {
    return Fluid{fmt::format("power law, n = {}", n),
                 {"power_law", {{"consistency", 0.4}, {"exponent", n}, {"least_shear_rate", 1e-5}}},
                 [n](double g) { return 0.4 * std::pow(g, n - 1); },
                 "exact profile; Bird, Stewart & Lightfoot 2002, Sec. 8.3",
                 n > 1 ? 1.4 : 1.8};
  };
  const std::map<std::string, double> parameters{
      {"zero_shear", 0.5}, {"infinite_shear", 0.02}, {"time", 3}, {"exponent", 0.4}};
  return {power_law(0.5),
          power_law(1.6),
          {"Carreau",
           {"carreau", parameters},
           [](double g) { return 0.02 + 0.48 * std::pow(1 + 9 * g * g, -0.3); },
           "exact profile; Carreau 1972"},
          {"Cross",
           {"cross", {{"zero_shear", 0.5}, {"infinite_shear", 0.02}, {"time", 3}, {"exponent", 1}}},
           [](double g) { return 0.02 + 0.48 / (1 + (3 * g)); },
           "exact profile; Cross 1965",
           1.4}};
}

// At which the fluid has a stress, by bisection.
double shear_rate_of(const Fluid& fluid, double stress) {
  double below = 0, above = 1e3;
  for (int k = 0; k < 80; ++k) {
    const double g = 0.5 * (below + above);
    (fluid.viscosity(g) * g < stress ? below : above) = g;
  }
  return below;
}

// The integral from the closer wall of the shear rate under the stress 1/2 - y.
double exact_velocity(const Fluid& fluid, double y) {
  const double at = std::min(y, 1 - y);
  constexpr int parts = 500;
  double sum = 0;
  for (int k = 0; k < parts; ++k)
    sum += shear_rate_of(fluid, 0.5 - at * (k + 0.5) / parts) * at / parts;
  return sum;
}

Settings channel_settings(const Report& report, int cells) {
  Settings settings = case_settings(report, "poiseuille", {4, cells}, {}, "backward_euler");
  for (const std::size_t d : {0u, 1u}) {
    settings.grid.axes[d].lower = 0;
    settings.grid.axes[d].upper = 1;
  }
  settings.pressure.tolerance = settings.transport.tolerance = 1e-10;
  return settings;
}

Problem between_walls() {
  Problem problem;
  problem.boundaries.set(0, SideKind::periodic);
  return problem;
}

void add_channels(Report& report) {
  for (const Fluid& fluid : fluids()) {
    Convergence study{fluid.name,
                      "cells across",
                      {{"velocity error, L2", fluid.least_order}, {"velocity error, largest"}},
                      fluid.source};
    for (const int cells : doubled(report.choose(8, 16))) {
      Settings settings = channel_settings(report, cells);
      set_steady(settings, {.step = 1000, .tolerance = 1e-11, .end = 1e6});
      Problem problem = between_walls();
      problem.force[0] = 1;
      problem.varying_viscosity = viscosity_of(fluid.rheology);
      problem.exact.emplace();
      problem.exact->velocity = [&fluid](Point x, double) {
        return std::array<double, 3>{exact_velocity(fluid, x[1]), 0, 0};
      };
      problem.exact->pressure = [](Point, double) { return 0.0; };
      const std::string run = fmt::format("{}, {} cells across", fluid.name, cells);
      const auto norms = run_to_steady_state(report, settings, problem, run)->error_norms().value();
      study.add(cells, run, {norms.velocity_l2, norms.velocity_max});
    }
    study.write(report);
  }
}

void add_layers(Report& report) {
  for (const int cells : {8, 32}) {
    Settings settings = channel_settings(report, cells);
    set_steady(settings, {.step = 1e6, .tolerance = 1e-12, .end = 1e9});
    Problem problem = between_walls();
    problem.boundaries.sides[1][1].velocity[0] = 1;
    problem.varying_viscosity = sim::Expression::parse("y < 0.25 ? 1 : 0.001");
    problem.exact.emplace();
    problem.exact->velocity = [](Point x, double) {
      const double stress = 1 / (0.25 + 0.75 / 0.001);
      return std::array<double, 3>{x[1] < 0.25 ? stress * x[1] : 1 - stress / 0.001 * (1 - x[1]), 0,
                                   0};
    };
    problem.exact->pressure = [](Point, double) { return 0.0; };
    const std::string run = fmt::format("two layers, viscosities 1 and 0.001, {} cells", cells);
    const auto norms = run_to_steady_state(report, settings, problem, run)->error_norms().value();
    report.limit("velocity error, largest", run, norms.velocity_max, at_most(1e-8),
                 "equal stress in both layers");
  }
}

Validations describe() {
  return {
      {"channels of fluids whose viscosity depends on the shear rate; Couette flow of two layers",
       {add_channels, add_layers}}};
}

}  // namespace hodge::tools::validations::varying_viscosity
