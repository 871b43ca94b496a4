// The problem that a configuration describes in formulas.
#pragma once

#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// Fluid, boundaries, initial state and exact solution of CustomSettings; not its scalars.
Problem custom_problem(const CustomSettings& custom);

// The scalars of a configuration, which belong to the problem of every case.
std::vector<ScalarProblem> custom_scalars(const CustomSettings& custom);

}  // namespace hodge::sim
