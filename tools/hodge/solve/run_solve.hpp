// One solve, or all of them, on the device that is asked for.
#pragma once

#include "tools/hodge/solve/system.hpp"

namespace hodge::tools {

// Solves once, prints the report, writes x and the history. Returns the exit code 0, or throws
// NumericalError with the reason.
int solve_once(const SolveArguments& arguments, const System& system);

// Solves with every applicable pair of method and preconditioner and prints a table, fastest first.
// Throws NumericalError where none of them has converged.
int compare_solvers(const SolveArguments& arguments, const System& system);

}  // namespace hodge::tools
