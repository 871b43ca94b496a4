// The part of the experiment ssor_sai that measures how the truncated product is built.
#pragma once

#include "tools/hodge/bench/experiment.hpp"

namespace hodge::tools::bench {

constexpr double built_omega = 1.0;

// The table `construction`: the ways to compute the rows of the truncated product. Gao & Wang take
// one warp a row, with the row in shared memory.
void compare_constructions(ExperimentRun& run);

}  // namespace hodge::tools::bench
