// Formulas of a problem where the grid asks for their values: every one must be finite, and a
// coefficient of a convective condition must not be negative.
//
// Cells and faces within solids do not count: nothing there is used.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

struct FormulaFault {
  std::string key;      // "boundaries.x_lower.velocity[0]"
  std::string message;  // "KEY: the formula 'sqrt(-t)' is nan at (0, 0.1), t = 1, expected ..."
};

// Of the sides, the forces and the sources at these times, the first in this order: for a run that
// has failed. On very large grids in every second cell of each axis, or fewer: ten seconds at most.
std::optional<FormulaFault> fault_at(const Problem& problem, const Grid& grid,
                                     const std::vector<double>& times);

// Of the initial state, and of all others at t = 0; on large grids in every second cell of each
// axis, or fewer, so that it takes no longer than a second. Errors: KeyError.
void check_formulas(const Settings& settings, const Problem& problem, const Grid& grid);

}  // namespace hodge::sim
