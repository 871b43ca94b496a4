// A run until nothing changes any more, without output; and its result as the start of a run on a
// finer grid.
#pragma once

#include <memory>
#include <string>

#include "sim/flow/flow.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"
#include "tools/hodge/validate/report.hpp"

namespace hodge::tools {

// Steps of settings.time.step.size until the rate of change of velocity and scalars is at most
// settings.time.steady_tolerance. Tells when and after how many seconds. Errors: NumericalError
// where a solve fails, a field is not finite, or settings.time.end comes first.
std::unique_ptr<sim::Flow> run_to_steady_state(const Report& report, const sim::Settings& settings,
                                               const sim::Problem& problem,
                                               const std::string& name);

// The problem with the velocity, pressure and scalars of a flow as its initial state, linear
// between cell centres.
sim::Problem started_from(const sim::Flow& flow, sim::Problem problem);

}  // namespace hodge::tools
