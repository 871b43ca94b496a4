// The linear systems of a simulation and their sizes, known before anything is allocated.
#pragma once

#include <string>
#include <vector>

#include "sim/flow/problem.hpp"
#include "sim/grid/grid.hpp"

namespace hodge::sim {

struct SystemSize {
  std::string name;  // "u", "v", "w", "pressure"
  long long rows, nonzeros;
};

// The velocity components, then the pressure.
std::vector<SystemSize> system_sizes(const Boundaries& boundaries, const Grid& grid);

// The same without what the solids take out: the rows and entries of the run itself. Every point of
// the grid is looked at. Errors: those of cell_bodies (solids/solid.hpp).
std::vector<SystemSize> fluid_system_sizes(const Problem& problem, const Grid& grid);

}  // namespace hodge::sim
