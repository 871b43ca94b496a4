// The linear systems of a simulation and their sizes, known before anything is allocated.
#pragma once

#include <string>
#include <vector>

#include "linalg/solve/kept_preconditioner.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

struct FlowSystem {
  std::string name;  // "u", "v", "w", "pressure"
  long long rows, nonzeros;
  std::size_t like = 0;  // position of the first system with the same rows and entries, or its own
};

// The velocity components, then the pressure; without solids.
std::vector<FlowSystem> system_sizes(const Boundaries& boundaries, const Grid& grid);

// The same without what the solids take out: the rows and entries of the run itself. Every point of
// the grid is looked at. Errors: those of cell_bodies (model/solid.hpp).
std::vector<FlowSystem> fluid_system_sizes(const Problem& problem, const Grid& grid);

// Kept where the first and the last component of the velocity have the same rows, as in
// TransportSolver.
linalg::Choices velocity_choices(const Problem& problem, const Grid& grid);

}  // namespace hodge::sim
