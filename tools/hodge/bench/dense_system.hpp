// A dense random system, and how well an answer solves it.
#pragma once

#include <vector>

#include "linalg/dense/dense.hpp"

namespace hodge::tools::bench {

struct DenseSystem {
  linalg::DenseMatrix<linalg::Host> a;  // entries uniform in (-1, 1)
  std::vector<double> b;

  explicit DenseSystem(int n);
};

// ||b - A x|| / (||A|| ||x|| n eps) in the maximum norm: about 1 or below for a stable method
// (HPL's measure).
double scaled_residual(const DenseSystem& system, const std::vector<double>& x);

}  // namespace hodge::tools::bench
