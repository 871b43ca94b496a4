// Host space: the diagonals of a pattern.
#include "linalg/matrices/diagonals_impl.hpp"

namespace hodge::linalg {

template Diagonals<Host> find_diagonals<Host>(int, int, const int*, const int*);

}  // namespace hodge::linalg
