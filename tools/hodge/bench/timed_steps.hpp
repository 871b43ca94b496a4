// A flow advanced as a run advances it, without output: some steps to settle, then timed ones.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/app/run/statistics.hpp"
#include "sim/flow/flow.hpp"
#include "tools/hodge/bench/flow_case.hpp"

namespace hodge::tools::bench {

struct TimedSteps {
  sim::RunStatistics statistics;         // of the timed steps
  std::vector<double> assembly_seconds;  // of each
  SolveBytes bytes;                      // of all
};

struct StepCounts {
  long settling, timed;
};

// Errors: those of make_flow; NumericalError where a step fails.
TimedSteps time_steps(sim::Flow& flow, const Job& job, const StepCounts& counts);

}  // namespace hodge::tools::bench
