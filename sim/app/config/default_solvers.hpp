// The solvers that a file without the section `solvers` gets.
#pragma once

#include "linalg/settings/settings.hpp"

namespace hodge::sim {

// Of multigrid where a file does not name one: as fast as ssor_sai on a CPU and a tenth faster on a
// GPU, where its passes over a level are fewer (linalg/RESULTS.md).
inline constexpr const char* default_smoother = "chebyshev";

// With multigrid. Where a file names ssor_sai instead, order and omega are what suits it.
linalg::SolverSettings default_pressure_solver();

// Of the velocity components and of scalars.
linalg::SolverSettings default_transport_solver(bool symmetric);

}  // namespace hodge::sim
