// Direct solves of boxes by each way of transforming their axes, beside the way that is chosen.
#pragma once

#include "linalg/matrices/separable_system.hpp"
#include "tools/hodge/bench/linear_problem.hpp"

namespace hodge::tools::bench {

// The system of a box. Cells of width 1; in the sides of a Dirichlet box, half a cell from the last
// centres, the value is 0.
linalg::SeparableSystem separable(const Box& box);

// The table "direct": set-up, time and memory. No matrix is built, so boxes may be large.
void measure_direct_ways(ExperimentRun& run);

}  // namespace hodge::tools::bench
