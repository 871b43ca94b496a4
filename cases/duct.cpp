// Steady flow through a duct of rectangular section, 2a along y and 2b along z, periodic along x
// and driven by the acceleration G; exact solution as a series.
//
//   u = 16 a^2 G / (pi^3 nu) sum_{i = 1, 3, 5, ...} (-1)^((i-1)/2) / i^3
//       [1 - cosh(i pi z / 2a) / cosh(i pi b / 2a)] cos(i pi y / 2a)          y, z from the middle
//
//   v = w = 0, p = 0,  Re = u_scale 2a / nu,  G = nu u_scale / a^2
//
// Source: F. M. White, Viscous Fluid Flow, Sec. 3-3.3 (non-circular ducts).
#include "cases/registry.hpp"

namespace hodge::cases::duct {

// Beyond it the terms, i^-3 exp(-i pi (b - |z|) / 2a), are left out everywhere.
constexpr int last_term = 4001;

struct Duct {
  double a, b;            // half widths along y, z
  double y0, z0;          // the middle
  double velocity_scale;  // G a^2 / nu

  // The part of the series without cosh is the parabola of a channel.
  double u(const Point& x) const {
    const double y = (x[1] - y0) / a, z = std::abs(x[2] - z0);
    double sum = 0;
    for (int i = 1; i <= last_term; i += 2) {
      const double k = i * std::numbers::pi / (2 * a), decay = std::exp(k * (z - b));
      // cosh(k z) / cosh(k b) without overflow
      const double hump = decay * (1 + std::exp(-2 * k * z)) / (1 + std::exp(-2 * k * b));
      const double sign = i % 4 == 1 ? 1 : -1;
      sum +=
          sign * hump * std::cos(i * std::numbers::pi / 2 * y) / (static_cast<double>(i) * i * i);
      if (decay < 1e-17) break;
    }
    return velocity_scale * (0.5 * (1 - y * y) - 16 / std::pow(std::numbers::pi, 3) * sum);
  }
};

Problem make(const Settings& settings) {
  const auto& parameters = settings.parameters;
  const auto& [along, y, z] = settings.grid.axes;
  const Duct duct{0.5 * (y.upper - y.lower), 0.5 * (z.upper - z.lower), 0.5 * (y.upper + y.lower),
                  0.5 * (z.upper + z.lower), parameters.at("velocity_scale")};
  Problem problem;
  problem.viscosity = duct.velocity_scale * 2 * duct.a / parameters.at("reynolds");
  problem.force[0] = problem.viscosity * duct.velocity_scale / (duct.a * duct.a);
  problem.boundaries.set(0, SideKind::periodic);
  const auto velocity = [duct](Point x, double) { return Vector{duct.u(x), 0, 0}; };
  start_from(problem, {velocity, [](Point, double) { return 0.0; }});
  return problem;
}

Cases describe() {
  return {{.description = "steady flow through a rectangular duct with an exact series",
           .parameters = {{"reynolds", 100, 1e-6, 1e9,
                           "velocity_scale x extent along y / kinematic viscosity"},
                          {"velocity_scale", 1, 1e-9, 1e9,
                           "G a^2 / nu; a square duct flows at most 0.295 of it"}},
           .dimensions = {3},
           .make = make,
           .box = {{0, -1, -1}, {1, 1, 1}},
           .starter = {"grid.cells: [8, 32, 32]", "time.end: 100", "time.step.size: 1",
                       "time.steady.tolerance: 1.0e-9", "output.frames.every: 10"}}};
}

}  // namespace hodge::cases::duct
