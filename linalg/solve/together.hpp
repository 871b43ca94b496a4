// Whether processes that share the rows of a system solve it together, each with its own rows, or
// each the whole system (whole_solve.hpp).
#pragma once

#include "linalg/matrices/operator.hpp"

namespace hodge::linalg {

// On the Host always. On a GPU where each process has rows that begin with a chunk of the sums
// (processes/sum_chunks.hpp), the kernels know ghosts, and the system is too large for the cg of
// one kernel (solvers/resident_cg.hpp). The same on all processes; collective.
template <class Space, class T>
bool can_be_solved_together(const LinearOperator<Space, T>& a);

}  // namespace hodge::linalg
