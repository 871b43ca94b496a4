#include "sim/time/step_report.hpp"

#include <fmt/format.h>

namespace hodge::sim {

std::string solve_failure(const SolveSummary& solve, long step, double time) {
  return fmt::format("the {} system of step {} at t = {:.6g} was not solved: {}", solve.system,
                     step, time, linalg::describe(solve.report));
}

std::string deferred_failure(const std::string& system, const std::string& convection, long step,
                             double time, double share) {
  return fmt::format(
      "convection of {} by {} in step {} at t = {:.6g} did not converge: its last iteration "
      "changed {:.2g} of what the step does; take smaller steps (time.step.cfl, time.step.size)",
      system, convection, step, time, share);
}

}  // namespace hodge::sim
