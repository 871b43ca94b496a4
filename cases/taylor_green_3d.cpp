// The Taylor-Green vortex in a periodic cube: large vortices that break down into turbulence.
//
//   u = U sin(k x) cos(k y) cos(k z),  v = -U cos(k x) sin(k y) cos(k z),  w = 0   at t = 0
//   p = U^2/16 (cos(2 k x) + cos(2 k y)) (cos(2 k z) + 2),   Re = U / (k nu),  k = 2 pi / period
//
// Reference: W. M. van Rees, A. Leonard, D. I. Pullin & P. Koumoutsakos, J. Comput. Phys. 230, 2011
// (Re = 1600, 512^3 spectral). Source: G. I. Taylor & A. E. Green, Proc. R. Soc. Lond. A 158, 1937.
#include "cases/registry.hpp"

namespace hodge::cases::taylor_green_3d {

struct Vortex {
  double k, speed;

  Vector velocity(const Point& x) const {
    const double u = speed * std::cos(k * x[2]);
    return {u * std::sin(k * x[0]) * std::cos(k * x[1]),
            -u * std::cos(k * x[0]) * std::sin(k * x[1]), 0};
  }
};

Problem make(const Settings& settings) {
  const auto& parameters = settings.parameters;
  check_periods("taylor_green_3d", settings, "period");
  const Vortex vortex{2 * std::numbers::pi / parameters.at("period"), parameters.at("speed")};
  Problem problem;
  problem.viscosity = vortex.speed / (vortex.k * parameters.at("reynolds"));
  for (const int axis : {0, 1, 2}) problem.boundaries.set(axis, SideKind::periodic);
  problem.initial_velocity = [vortex](Point x) { return vortex.velocity(x); };
  return problem;
}

constexpr double default_period = 2 * std::numbers::pi;

Cases describe() {
  return {
      {.description = "large vortices in a periodic cube that break down into turbulence",
       .parameters = {{"reynolds", 1600, 1e-3, 1e9, "speed x period / (2 pi kinematic viscosity)"},
                      {"speed", 1, 1e-9, 1e9, "largest velocity component at the start"},
                      {"period", default_period, 1e-9, 1e9, "of the velocity, along every axis"}},
       .dimensions = {3},
       .make = make,
       .box = {{0, 0, 0}, {default_period, default_period, default_period}},
       .starter = {"grid.cells: [32, 32, 32]", "time.scheme: cn_ab2", "time.end: 10",
                   "time.step.cfl: 0.4", "time.step.max: 0.05",
                   "solvers.pressure.tolerance: 1.0e-6", "output.frames.every: 0.5"}}};
}

}  // namespace hodge::cases::taylor_green_3d
