// Flow between two resting plates, the lower and the upper y side, 2 h apart, under an oscillating
// acceleration G cos(omega t); exact solution (Womersley's in a plane channel).
//
//   u = Re{ G / (i omega) [1 - cosh(k s) / cosh(k)] exp(i omega t) },   v = w = 0,  p = 0
//   s = (y - y_middle) / h,  k = Wo sqrt(i),  Wo = h sqrt(omega / nu)
//
// Source: J. R. Womersley, J. Physiol. 127, 1955 (a pipe); C. Loudon & A. Tordesillas, J. Theor.
// Biol. 191, 1998 (a plane channel).
#include <complex>

#include "cases/registry.hpp"

namespace hodge::cases::oscillating_flow {

using Complex = std::complex<double>;

struct Oscillation {
  double amplitude, omega, womersley;
  double middle, half_height;

  double u(const Point& x, double t) const {
    const double s = (x[1] - middle) / half_height;
    const Complex i(0, 1), k = womersley * std::sqrt(i);
    // cosh(k s) / cosh(k) without overflow
    const double r = std::abs(s);
    const Complex hump =
        std::exp(k * (r - 1)) * (1.0 + std::exp(-2.0 * k * r)) / (1.0 + std::exp(-2.0 * k));
    return (amplitude / (i * omega) * (1.0 - hump) * std::exp(i * omega * t)).real();
  }
};

Problem make(const Settings& settings) {
  const auto& parameters = settings.parameters;
  const sim::AxisSettings& y = settings.grid.axes[1];
  const Oscillation flow{parameters.at("amplitude"), 2 * std::numbers::pi / parameters.at("period"),
                         parameters.at("womersley"), 0.5 * (y.lower + y.upper),
                         0.5 * (y.upper - y.lower)};
  Problem problem;
  problem.viscosity =
      flow.omega * flow.half_height * flow.half_height / (flow.womersley * flow.womersley);
  problem.force[0] =
      Expression::parse("amplitude*cos(omega*t)",
                        {.constants = {{"amplitude", flow.amplitude}, {"omega", flow.omega}}});
  for (const int axis : {0, 2}) problem.boundaries.set(axis, SideKind::periodic);
  const auto velocity = [flow](Point x, double t) { return Vector{flow.u(x, t), 0, 0}; };
  start_from(problem, {velocity, [](Point, double) { return 0.0; }});
  return problem;
}

Cases describe() {
  return {{.description = "a channel under an oscillating force with an exact solution",
           .parameters = {{"womersley", 5, 1e-3, 1e3,
                           "half the height x sqrt(angular frequency / kinematic viscosity)"},
                          {"period", 1, 1e-9, 1e9, "of the acceleration"},
                          {"amplitude", 1, -1e9, 1e9, "of the acceleration along x"}},
           .make = make,
           .box = {{0, -1, 0}, {1, 1, 1}},
           .starter = {"grid.cells: [16, 64]", "time.end: 3", "time.step.size: 0.01",
                       "output.frames.every: 0.1"}}};
}

}  // namespace hodge::cases::oscillating_flow
