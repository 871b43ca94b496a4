// Whether the method capacitance takes few iterations beside the solids of a box.
//
// Its iterations grow where the flow around the solids differs much from one through them
// (linalg/solvers/capacitance.hpp): beside thin bodies, in narrow gaps, where a body spans the
// box. Bodies that are as thick as they are wide, and as far from each other and from the sides as
// they are wide, take about ten. A body at a side counts with its mirror image there.
//
// The decision hangs on the shapes, the box and its periodic axes alone, so that it is the same for
// every grid, device, number of threads and of processes.
#pragma once

#include <string>

#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

// "" or why it may take many: "inlet is more than 2.5 times as wide as thick".
std::string against_few_iterations(const Problem& problem, const Grid& grid);

}  // namespace hodge::sim
