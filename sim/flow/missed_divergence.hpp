// Whether a projection kept what it promised. The residual of the pressure system is
// factor V div u cell by cell, so its tolerance bounds max |div u| (time/pressure_projection.hpp);
// the diagnostics measure it. A promise that is missed by less than a factor of 10 is not worth a
// stop, nor is what rounding leaves: 1e-12 of max sum_d |u_d| / h_d.
#pragma once

#include <optional>
#include <string>

#include "sim/flow/flow.hpp"

namespace hodge::sim {

// Measured and promised, as the beginning of a sentence; nothing where the promise is kept or none
// was made.
std::optional<std::string> missed_divergence(const StepReport& report, const Diagnostics& now);

inline constexpr const char* cause_of_missed_divergence =
    "mass that cannot balance, or a pressure system that is not that of the flow; neither should "
    "get here, so please report it with this file";

}  // namespace hodge::sim
