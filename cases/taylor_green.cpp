// Decaying Taylor-Green vortices on a periodic plane, carried along by a uniform velocity (u0, v0);
// exact solution.
//
//   u = u0 - U cos(kX) sin(kY) F,   v = v0 + U sin(kX) cos(kY) F
//   p = -U^2/4 (cos(2kX) + cos(2kY)) F^2
//   X = x - u0 t,  Y = y - v0 t,  k = 2 pi / wavelength,  F = exp(-2 nu k^2 t)
//
// Source: G. I. Taylor & A. E. Green, Proc. R. Soc. Lond. A 158, 1937; A. J. Chorin, Math. Comp.
// 22, 1968 (the plane).
#include "cases/registry.hpp"

namespace hodge::cases::taylor_green {

struct Vortices {
  double wave_number, speed, viscosity;
  double u0, v0;

  double decay(double t) const { return std::exp(-2 * viscosity * wave_number * wave_number * t); }
  Vector velocity(const Point& at, double t) const {
    const double x = wave_number * (at[0] - u0 * t), y = wave_number * (at[1] - v0 * t);
    const double amplitude = speed * decay(t);
    return {u0 - amplitude * std::cos(x) * std::sin(y), v0 + amplitude * std::sin(x) * std::cos(y),
            0.0};
  }
  double pressure(const Point& at, double t) const {
    const double x = wave_number * (at[0] - u0 * t), y = wave_number * (at[1] - v0 * t);
    const double amplitude = speed * decay(t);
    return -0.25 * amplitude * amplitude * (std::cos(2 * x) + std::cos(2 * y));
  }
};

Problem make(const Settings& settings) {
  const auto& parameters = settings.parameters;
  const double wavelength = parameters.at("wavelength");
  check_periods("taylor_green", settings, "wavelength");
  const Vortices vortices{2 * std::numbers::pi / wavelength, parameters.at("speed"),
                          parameters.at("viscosity"), parameters.at("u0"), parameters.at("v0")};
  Problem problem;
  problem.viscosity = vortices.viscosity;
  for (const int axis : {0, 1, 2}) problem.boundaries.set(axis, SideKind::periodic);
  start_from(problem, {[vortices](Point x, double t) { return vortices.velocity(x, t); },
                       [vortices](Point x, double t) { return vortices.pressure(x, t); }});
  return problem;
}

Cases describe() {
  return {{.description = "decaying periodic vortices with an exact solution",
           .parameters = {{"viscosity", 0.01, 0, 1e9, "kinematic"},
                          {"speed", 1, 0, 1e9, "largest speed of the vortices at the start"},
                          {"wavelength", 1, 1e-9, 1e9, "of the velocity, along both axes"},
                          {"u0", 0, -1e9, 1e9, "uniform velocity along x"},
                          {"v0", 0, -1e9, 1e9, "uniform velocity along y"}},
           .dimensions = {2},
           .make = make,
           .starter = {"grid.cells: [64, 64]", "time.end: 1", "time.step.size: 0.01",
                       "output.frames.every: 0.1"}}};
}

}  // namespace hodge::cases::taylor_green
