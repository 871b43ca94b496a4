// A case as sim sees it: the fluid, the boundaries, the initial state, and the exact solution where
// one is known.
//
//   du/dt + div(u u) = -grad p / density + div(viscosity grad u),   div u = 0
//
// Points have three coordinates, of which a 2D problem ignores the last; velocities have three
// components likewise.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "sim/boundaries/boundaries.hpp"

namespace hodge::sim {

using Point = std::array<double, 3>;

struct ExactSolution {
  std::function<std::array<double, 3>(Point, double t)> velocity;
  std::function<double(Point, double t)> pressure;
};

struct Problem {
  double density = 1;    // rho, M/L^3
  double viscosity = 0;  // nu, kinematic, L^2/T
  Boundaries boundaries;
  std::function<std::array<double, 3>(Point)> initial_velocity;  // absent: at rest
  std::function<double(Point)> initial_pressure;                 // absent: 0
  std::optional<ExactSolution> exact;
};

}  // namespace hodge::sim
