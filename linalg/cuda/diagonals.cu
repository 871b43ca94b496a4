// Cuda space: the diagonals of a pattern.
#include "linalg/matrices/diagonals_impl.hpp"

namespace hodge::linalg {

template Diagonals<Cuda> find_diagonals<Cuda>(int, int, const int*, const int*);

}  // namespace hodge::linalg
