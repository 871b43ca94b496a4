#include "sim/time/step_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hodge::sim {

std::string solve_failure(const SolveSummary& solve, long step, double time) {
  return fmt::format("the {} system of step {} at t = {:.6g} was not solved: {}", solve.system,
                     step, time, linalg::describe(solve.report));
}

void count_reactions(int iterations, double seconds, StepReport& report) {
  report.reaction_seconds += seconds;
  auto found =
      std::find_if(report.solves.begin(), report.solves.end(),
                   [](const SolveSummary& solve) { return solve.system == reactions_entry; });
  if (found == report.solves.end())
    found = report.solves.insert(found, {reactions_entry, 0, 0, {}});
  found->iterations += iterations;
  found->seconds += seconds;
}

std::string coefficient_failure(const std::string& key, long step, double time, double least) {
  return fmt::format("{} is {} in step {} at t = {:.6g}, expected a finite number > 0", key,
                     least < 0 ? fmt::format("{:.6g}", least) : "0 or no finite number", step,
                     time);
}

std::string undamped_failure(const char* scheme, long step, double ratio, double most_apart,
                             double largest_step) {
  return fmt::format(
      "fluid.viscosity is {:.3g} times larger at one place than at another in step {}: beyond {:g} "
      "{} wants steps of at most {:.3g}; take another time.scheme (bdf2), or smaller steps "
      "(time.step.size, time.step.max)",
      ratio, step, most_apart, scheme, largest_step);
}

// With no name of a scheme: of what heat along sharp surfaces brings (bodies/sharp_media.hpp).
std::string deferred_failure(const std::string& system, const std::string& convection, long step,
                             double time, double share) {
  const std::string what = convection.empty()
                               ? fmt::format("heat along the surfaces of sharp bodies ({})", system)
                               : fmt::format("convection of {} by {}", system, convection);
  return fmt::format(
      "{} in step {} at t = {:.6g} did not converge: its last iteration "
      "changed {:.2g} of what the step does; take smaller steps (time.step.cfl, time.step.size){}",
      what, step, time, share,
      convection.empty() ? " or treatment: staircase (solids[0].treatment)" : "");
}

}  // namespace hodge::sim
