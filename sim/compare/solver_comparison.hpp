// Solves the systems of a run by other solvers, too: from the same starting guess, with the same
// stopping rule, on copies of x. The run is left as it is.
//
// Beside it, where `guesses` is asked for: what starting guesses and kept preconditioners save
// (guess_comparison.hpp). Memory: three vectors and one solver at a time. A solver
// that fails, breaks down or does not fit into memory is told to the sink with its reason.
#pragma once

#include <memory>

#include "sim/compare/compared_system.hpp"
#include "sim/model/settings.hpp"
#include "sim/time/solve_observer.hpp"

namespace hodge::sim {

// settings.compare must be there. The sink must outlive the comparison.
template <class Space>
std::unique_ptr<SolveObserver<Space>> make_solver_comparison(const Settings& settings,
                                                             ComparisonSink& sink);

}  // namespace hodge::sim
