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

// *target becomes the smaller of the two; for rare cases on the host, where threads wait.
HODGE_HD inline void atomic_min(int* target, int value) {
#ifdef __CUDA_ARCH__
  atomicMin(target, value);
#else
#pragma omp critical
  *target = value < *target ? value : *target;
#endif
}

}  // namespace hodge::linalg
