// A layer of fluid between two walls at rest, heated from below, periodic along x (and z); gravity
// along -y. It starts from pure conduction with a disturbance that rolls grow from:
//
//   T = 1 - Y + amplitude cos(k (x - x_lower)) sin(pi Y),   Y = (y - y_lower) / H,   u = 0
//
//   Ra = g beta (T_lower - T_upper) H^3 / (nu kappa),   Pr = nu / kappa,   H the extent along y
//   k = 2 pi waves / (extent along x)
//
// Units: T = 1 below, 0 above; velocity sqrt(g beta (T_lower - T_upper) H) = 1, that of free fall,
// so that
//
//   nu = H sqrt(Pr / Ra),   kappa = H / sqrt(Ra Pr),   buoyancy (T - 1/2) / H along y.
//
// Conduction is stable below Ra = 1707.762, where rolls with k H = 3.116 begin to grow.
//
// Sources: S. Chandrasekhar, Hydrodynamic and Hydromagnetic Stability, 1961, Sec. 15 (onset);
// R. M. Clever & F. H. Busse, J. Fluid Mech. 65, 1974 (rolls of k H = 3.117, Pr = 0.71).
#include "cases/registry.hpp"

namespace hodge::cases::rayleigh_benard {

constexpr double critical_wavelength = 2 * std::numbers::pi / 3.117;

ScalarProblem temperature(const Settings& settings) {
  using std::numbers::pi;
  const auto& parameters = settings.parameters;
  const sim::AxisSettings &along = settings.grid.axes[0], &across = settings.grid.axes[1];
  const double height = across.upper - across.lower;
  const double k = 2 * pi * parameters.at("waves") / (along.upper - along.lower);
  ScalarProblem scalar;
  scalar.name = "temperature";
  scalar.diffusivity = height / std::sqrt(parameters.at("rayleigh") * parameters.at("prandtl"));
  scalar.initial = [=, amplitude = parameters.at("amplitude"), x_lower = along.lower,
                    y_lower = across.lower](Point x) {
    const double above = (x[1] - y_lower) / height;
    return 1 - above + amplitude * std::cos(k * (x[0] - x_lower)) * std::sin(pi * above);
  };
  scalar.sides[1][0] = {ScalarSideKind::value, 1};
  scalar.sides[1][1] = {ScalarSideKind::value, 0};
  scalar.buoyancy = {0, 1 / height, 0};
  scalar.neutral = 0.5;
  return scalar;
}

Problem make(const Settings& settings) {
  const auto& parameters = settings.parameters;
  if (const double waves = parameters.at("waves"); waves != std::round(waves))
    throw ConfigError("rayleigh_benard: waves is " + std::to_string(waves) +
                      "; a periodic box needs a whole number");
  const sim::AxisSettings& across = settings.grid.axes[1];
  const double height = across.upper - across.lower;
  Problem problem;
  problem.viscosity = height * std::sqrt(parameters.at("prandtl") / parameters.at("rayleigh"));
  problem.scalars = {temperature(settings)};
  for (const int axis : {0, 2}) problem.boundaries.set(axis, SideKind::periodic);
  return problem;
}

Cases describe() {
  return {
      {.description = "rolls in a layer of fluid that is heated from below",
       .parameters =
           {{"rayleigh", 5000, 1e-3, 1e12,
             "buoyancy against viscosity and conduction, of the extent along y"},
            {"prandtl", 0.71, 1e-6, 1e6, "kinematic viscosity / thermal diffusivity; air: 0.71"},
            {"amplitude", 0.01, 0, 1, "of the disturbance of the temperature at the start"},
            {"waves", 1, 1, 1e6, "pairs of rolls in the box at the start, a whole number"}},
       .make = make,
       .box = {{0, 0, 0}, {critical_wavelength, 1, critical_wavelength}},
       .starter = {"grid.cells: [64, 32]", "time.end: 200", "time.step.cfl: 1",
                   "time.step.max: 0.25", "time.steady.tolerance: 1.0e-5",
                   "convection.scalars: central", "output.frames.every: 5"}}};
}

}  // namespace hodge::cases::rayleigh_benard
