// What the solids leave of the box, and what its connected regions need: found once, on the host.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/discrete/bodies/cut_cell.hpp"
#include "sim/discrete/boundaries/closed_inflow.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

struct FluidDomain {
  std::vector<std::uint8_t> bodies;  // of every cell (model/solid.hpp); empty without solids
  std::vector<CutCell> cut;          // by sharp bodies
  std::vector<int> pinned;           // pressure rows, one in each region without a level of its own
  bool has_level = false;            // the pressure's level is determined: by open sides or pins
  ClosedInflow inflow;               // to be balanced; none with a prescribed velocity
  double volume = 0;
};

// Errors: those of cell_bodies and check_contacts; ConfigError where no fluid is left, and where
// the inflow of a region that reaches no open side does not balance at t = 0.
FluidDomain fluid_domain(const Grid& grid, const Problem& problem);

}  // namespace hodge::sim
