// The linear systems of a simulation and their sizes, known before anything is allocated.
#pragma once

#include <string>
#include <vector>

#include "sim/boundaries/boundaries.hpp"
#include "sim/grid/grid.hpp"

namespace hodge::sim {

struct SystemSize {
  std::string name;  // "u", "v", "w", "pressure"
  long long rows, nonzeros;
};

// The velocity components, then the pressure.
std::vector<SystemSize> system_sizes(const Boundaries& boundaries, const Grid& grid);

}  // namespace hodge::sim
