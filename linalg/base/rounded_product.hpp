// A product that is rounded before anything is added to it. nvcc fuses a product with the sum
// behind it, which rounds once; sums whose terms may come from different processes cannot have
// that.
#pragma once

#include "linalg/base/macros.hpp"

namespace hodge::linalg {

HODGE_HD inline double rounded_product(double a, double b) {
#ifdef __CUDA_ARCH__
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}

}  // namespace hodge::linalg
