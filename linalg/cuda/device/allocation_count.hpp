// Memory of the GPU that is not allocated by MemoryPrimitives<Cuda>::allocate(), in the counts of
// traffic() and allocated_bytes(), on which recordings depend (space/replay.hpp).
#pragma once

#include <cstddef>

namespace hodge::linalg::cuda {

// Bytes that were allocated or, if negative, deallocated.
void count_allocated(std::ptrdiff_t bytes);

}  // namespace hodge::linalg::cuda
