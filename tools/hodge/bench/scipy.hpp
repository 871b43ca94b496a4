// A yardstick: the truncated SSOR approximate inverse by SciPy's sparse matrices, on one core
// (tools/bench_scipy.py).
#pragma once

#include <string>

#include "tools/hodge/matrix/host_matrix.hpp"

namespace hodge::tools::bench {

// Why SciPy cannot be used; empty where it can.
std::string scipy_absence();

struct SciPyResult {
  double seconds = 0;  // 0 where it failed
  double sum = 0;      // of the product's entries: to see that both computed the same
};

// For a symmetric A. Passes the matrix in files of a temporary folder.
SciPyResult scipy_ssor_sai(const HostMatrix& a, int order, double omega);

}  // namespace hodge::tools::bench
