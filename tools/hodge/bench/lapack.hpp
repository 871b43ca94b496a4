// A yardstick: dgesv of LAPACK on the host (OpenBLAS where it is installed).
#pragma once

#include <string>
#include <vector>

#include "linalg/dense/dense.hpp"

namespace hodge::tools::bench {

// The file that was opened; empty where there is none.
std::string lapack_library();

// Solves A x = b, both overwritten. False where the matrix is singular. Only with a library.
bool lapack_solve(linalg::DenseMatrix<linalg::Host>& a, std::vector<double>& b);

}  // namespace hodge::tools::bench
