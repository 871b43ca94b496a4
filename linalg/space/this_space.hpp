// The space that the present compiler works for: Cuda under nvcc, Host otherwise.
//
// A file X_each_space.hpp has the bodies of templates that loop over point functions, and ends with
// their instantiations for ThisSpace. The build compiles it once for each space: the host compiler
// for Host and nvcc for Cuda.
#pragma once

#include "linalg/space/space.hpp"

namespace hodge::linalg {

#ifdef __CUDACC__
using ThisSpace = Cuda;
#else
using ThisSpace = Host;
#endif

}  // namespace hodge::linalg
