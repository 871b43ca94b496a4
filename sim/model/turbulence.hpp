// Large-eddy simulation: what the scales below the grid take from those on it, as an eddy viscosity
// (discrete/operators/closures/).
#pragma once

#include <array>
#include <string>

namespace hodge::sim {

// What a dynamic model averages over: all periodic axes, or the 27 cells around each.
inline constexpr std::array<const char*, 2> average_names{"periodic", "local"};

struct Turbulence {
  std::string model;      // a name of closure_table()
  double constant = 0;    // of the model; of a dynamic one the largest C_s that it may find
  double prandtl = 0.9;   // eddy viscosity over eddy diffusivity, of all scalars
  std::string average{};  // of a dynamic model: a name of average_names; empty: the first
};

}  // namespace hodge::sim
