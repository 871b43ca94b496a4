// The stream of the Cuda space, for libraries of the toolkit that are called from C++ files.
#pragma once

#include <cuda_runtime.h>

namespace hodge::linalg::cuda {

// What has been gathered is launched first (queue.hpp).
cudaStream_t library_stream();

}  // namespace hodge::linalg::cuda
