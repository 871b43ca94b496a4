// What a run that fails prints beside the reason: where the fields are worst, and the likely cause.
// Costly: the fields are copied to the host.
#pragma once

#include <functional>
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
  double max_speed = 0;        // |u| after the step; before it where that is no number
  std::string cause{};         // as StepReport gives it; empty: not known
  std::string bad_key{};       // likewise
};

// Where the configuration gives the value of a key, "cavity.yaml:7:12"; empty: not known.
using PlaceOfKey = std::function<std::string(const std::string& key)>;

// "likely cause: the CFL number was 2.1 and cn_ab2 with upwind convection is stable up to 0.5;
// lower time.step.cfl". The first that holds of: a formula that is no number, what the step knows,
// a step beyond the scheme's stability, a failed solver, long implicit steps, coarse cells with
// central convection; else that none was found.
std::string likely_cause(const Flow& flow, const Settings& settings, const Problem& problem,
                         const LastStep& step, const PlaceOfKey& place_of);

}  // namespace hodge::sim
