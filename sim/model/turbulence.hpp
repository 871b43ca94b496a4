// Large-eddy simulation: what the scales below the grid take from those on it, as an eddy viscosity
// (discrete/operators/closures/).
#pragma once

#include <string>

namespace hodge::sim {

struct Turbulence {
  std::string model;     // a name of closure_table()
  double constant = 0;   // of the model
  double prandtl = 0.9;  // eddy viscosity over eddy diffusivity, of all scalars
};

}  // namespace hodge::sim
