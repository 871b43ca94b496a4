// Solves that an absolute tolerance has kept from changing anything: their right-hand side is not 0
// and they took no iteration.
#pragma once

#include <optional>
#include <string>

#include "sim/model/settings.hpp"
#include "sim/time/step_report.hpp"

namespace hodge::sim {

SystemKind kind_of_system(const std::string& system);  // "pressure", "u", "v", "w" or a scalar

// The absolute tolerance of the configuration that kept this solve from an iteration, in the unit
// of the field (sim/CONFIGURATION.md); 0: it took some, or another test or nothing asked for none.
double tolerance_that_skipped(const SolveSummary& solve, const Settings& settings);

// A line about the first such solve of a step: the system, the step, what to change.
std::optional<std::string> skipped_solve_text(const StepReport& report, const Settings& settings,
                                              long step, double time);

}  // namespace hodge::sim
