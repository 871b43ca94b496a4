#include "sim/time/step_report.hpp"

#include <fmt/format.h>

namespace hodge::sim {

std::string solve_failure(const SolveSummary& solve, long step, double time) {
  return fmt::format("the {} system of step {} at t = {:.6g} was not solved: {}", solve.system,
                     step, time, linalg::describe(solve.report));
}

}  // namespace hodge::sim
