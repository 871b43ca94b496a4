// Three bodies carried round the middle of the unit square by a solid rotation, once in the time 1:
// each a scalar of its own, none of which should change its shape.
//
//   u = -2 pi (y - 1/2),   v = 2 pi (x - 1/2)
//
//        +-------------+        disc      1 within 0.15 of (1/2, 3/4), but for a slot of width 0.05
//        |     (|)     |                  up to y = 0.85
//        | o           |        cone      1 - r / 0.15 around (1/2, 1/4)
//        |      ^      |        gaussian  s0^2 / s^2 exp(-r^2 / (2 s^2)) around (0.3, 1/2),
//        +-------------+                  s^2 = s0^2 + 2 D t, s0 = 0.05
//
// Disc and cone have no diffusion; D is the parameter diffusivity. The exact solution of the
// gaussian is that of the whole plane, below 2e-8 at the sides while D = 0; there c = 0.
//
// Sources: S. T. Zalesak, J. Comput. Phys. 31, 1979 (the disc); R. J. LeVeque, SIAM J. Numer. Anal.
// 33, 1996 (the arrangement).
#include <algorithm>

#include "cases/registry.hpp"

namespace hodge::cases::rotating_cone {

constexpr double radius = 0.15;          // of disc and cone
constexpr double initial_spread = 0.05;  // s0

// Where the fluid now at x was at the start.
Point origin_of(const Point& x, double t) {
  const double angle = -2 * std::numbers::pi * t;
  const double a = x[0] - 0.5, b = x[1] - 0.5;
  return {0.5 + std::cos(angle) * a - std::sin(angle) * b,
          0.5 + std::sin(angle) * a + std::cos(angle) * b, 0};
}

double disc(const Point& x) {
  const bool slot = std::abs(x[0] - 0.5) < 0.025 && x[1] < 0.85;
  return std::hypot(x[0] - 0.5, x[1] - 0.75) <= radius && !slot ? 1.0 : 0.0;
}

double cone(const Point& x) {
  return std::max(0.0, 1 - std::hypot(x[0] - 0.5, x[1] - 0.25) / radius);
}

double gaussian(const Point& x, double spread_squared) {
  const double r = std::hypot(x[0] - 0.3, x[1] - 0.5);
  return initial_spread * initial_spread / spread_squared * std::exp(-0.5 * r * r / spread_squared);
}

// Value 0 on all sides.
ScalarProblem body(const char* name, double (*shape)(const Point&)) {
  ScalarProblem scalar;
  scalar.name = name;
  scalar.initial = [shape](Point x) { return shape(x); };
  scalar.exact = [shape](Point x, double t) { return shape(origin_of(x, t)); };
  for (auto& axis : scalar.sides)
    for (ScalarSide& side : axis) side.kind = ScalarSideKind::value;
  return scalar;
}

Problem make(const Settings& settings) {
  Problem problem;
  problem.prescribed_velocity = {Expression::parse("-2*pi*(y - 0.5)"),
                                 Expression::parse("2*pi*(x - 0.5)"), 0};
  for (auto& axis : problem.boundaries.sides)
    for (Side& side : axis) side = {SideKind::inflow, *problem.prescribed_velocity};
  const double diffusivity = settings.parameters.at("diffusivity");
  const auto at_start = [](const Point& x) { return gaussian(x, initial_spread * initial_spread); };
  problem.scalars = {body("disc", disc), body("cone", cone), body("gaussian", at_start)};
  problem.scalars[2].diffusivity = diffusivity;
  problem.scalars[2].exact = [diffusivity](Point x, double t) {
    return gaussian(origin_of(x, t), initial_spread * initial_spread + 2 * diffusivity * t);
  };
  return problem;
}

Cases describe() {
  return {
      {.description = "a disc, a cone and a gaussian in solid rotation",
       .parameters = {{"diffusivity", 0, 0, 1e9, "of the gaussian; disc and cone have none"}},
       .dimensions = {2},
       .make = make,
       .starter = {"grid.cells: [64, 64]", "time.scheme: rk3", "time.end: 1", "time.step.cfl: 0.5",
                   "convection.scalars: van_leer", "output.frames.every: 0.05"}}};
}

}  // namespace hodge::cases::rotating_cone
