// A run until nothing changes any more, without output; and its result as the start of a run on a
// finer grid.
#pragma once

#include <memory>
#include <string>

#include "sim/config/settings.hpp"
#include "sim/flow/flow.hpp"
#include "sim/flow/problem.hpp"

namespace hodge::tools {

// Steps of settings.time.step.size until max |du/dt| <= settings.time.steady_tolerance. Prints one
// line that begins with `name`. Errors: NumericalError where a solve fails, a field is not finite,
// or settings.time.end comes first.
std::unique_ptr<sim::Flow> run_to_steady_state(const sim::Settings& settings,
                                               const sim::Problem& problem,
                                               const std::string& name);

// The problem with the velocity and pressure of a 2D flow as its initial state, interpolated
// bilinearly between cell centres.
sim::Problem started_from(const sim::Flow& flow, sim::Problem problem);

}  // namespace hodge::tools
