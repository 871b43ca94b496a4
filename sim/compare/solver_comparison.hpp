// Solves the systems of a run with other solvers too: from the same starting guess, with the same
// stopping rule, on copies of x, so that the run is not changed.
//
// With `guesses` also: what starting guesses and kept preconditioners save (guess_comparison.hpp).
// Memory: three vectors and one solver at a time. A solver that fails, breaks down or does not fit
// into memory is reported to the sink with its reason.
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
