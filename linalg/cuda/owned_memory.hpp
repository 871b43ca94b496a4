// Memory of the GPU that belongs to an object of the Cuda space itself.
#pragma once

#include <cstddef>
#include <memory>

#include "linalg/space/space.hpp"

namespace hodge::linalg::cuda {

struct DeallocateOwned {
  std::size_t bytes = 0;
  void operator()(std::byte* data) const { Cuda::deallocate(data, bytes); }
};
using OwnedMemory = std::unique_ptr<std::byte, DeallocateOwned>;

// Errors: MemoryError.
inline OwnedMemory owned_memory(std::size_t bytes) {
  return OwnedMemory(static_cast<std::byte*>(Cuda::allocate(bytes)), DeallocateOwned{bytes});
}

}  // namespace hodge::linalg::cuda
