// The solvers that a file without the section `solvers` gets.
#pragma once

#include "sim/model/system_settings.hpp"

namespace hodge::sim {

// Of multigrid where a file does not name one: as fast as ssor_sai on a CPU and a tenth faster on a
// GPU, where its passes over a level are fewer (linalg/RESULTS.md).
inline constexpr const char* default_smoother = "chebyshev";

// A kind with the options that suit the system, where a file does not say otherwise.
linalg::PreconditionerSettings pressure_preconditioner(const std::string& kind);
linalg::PreconditionerSettings transport_preconditioner(const std::string& kind);

SystemSettings default_pressure_solver();

// Of the velocity components and of scalars.
SystemSettings default_transport_solver(bool symmetric);

}  // namespace hodge::sim
