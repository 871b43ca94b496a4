// What a run says beside the reason when it has to stop: where the fields are worst, and what most
// likely led there. Only called then: the fields are brought to the host.
#pragma once

#include <string>

#include "sim/flow/flow.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// "pressure is no number in 12 of 4096 cells, the first at (0.1, 0.2)", else
// "|u| is largest, 3.2, at (0.1, 0.2)".
std::string worst_place(const Flow& flow, const Problem& problem);

struct LastStep {
  double dt = 0;
  double cfl = 0;              // of the step that failed
  bool solver_failed = false;  // or a fallback was needed
  double max_speed = 0;        // |u| before or after it, whichever is a number
  std::string cause{};         // where the step knows it (StepReport)
};

// "likely cause: the CFL number was 2.1 and cn_ab2 with upwind convection is stable up to 0.5;
// lower time.step.cfl". The first that holds of: a formula that is no number, what the step knows,
// a step beyond the scheme's stability, a failed solver, long implicit steps, coarse cells with
// central convection; else that none was found.
std::string likely_cause(const Flow& flow, const Settings& settings, const Problem& problem,
                         const LastStep& step);

}  // namespace hodge::sim
