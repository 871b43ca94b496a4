// Atomic addition in point functions, on the host and on the device (double: compute capability 6.0
// or newer).
//
// Integers give the same result in any order. Sums of floating-point numbers depend on the order of
// the additions and differ in their last bits from run to run; functions that use them say so.
#pragma once

#include "linalg/base/macros.hpp"

namespace hodge::linalg {

template <class T>
HODGE_HD void atomic_add(T* target, T value) {
#ifdef __CUDA_ARCH__
  atomicAdd(target, value);
#else
#pragma omp atomic
  *target += value;
#endif
}

}  // namespace hodge::linalg
