// Values that a kernel reads or writes once: a GPU's caches keep others in their place.
#pragma once

#include "linalg/base/macros.hpp"

namespace hodge::linalg {

HODGE_HD inline double read_once(const double& value) {
#ifdef __CUDA_ARCH__
  return __ldcs(&value);
#else
  return value;
#endif
}

HODGE_HD inline void write_once(double& to, double value) {
#ifdef __CUDA_ARCH__
  __stcs(&to, value);
#else
  to = value;
#endif
}

}  // namespace hodge::linalg
