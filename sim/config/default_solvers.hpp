// The solvers that a file without the section `solvers` gets.
#pragma once

#include "linalg/settings.hpp"

namespace hodge::sim {

linalg::SolverSettings default_pressure_solver();

// Of the velocity components and of scalars.
linalg::SolverSettings default_transport_solver(bool symmetric);

}  // namespace hodge::sim
