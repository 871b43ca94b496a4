// Cuda space: blocks of memory that the kernels of all processes reach (peer_block.hpp).
#include "linalg/cuda/peer_memory/peer_block.hpp"

#include <span>

#include "linalg/processes/agree.hpp"

namespace hodge::linalg::cuda {

std::unique_ptr<PeerBlock> PeerBlock::open(Communicator& processes, std::size_t bytes) {
  Memory own(static_cast<std::byte*>(Cuda::allocate(bytes)), Deallocate{bytes});
  std::unique_ptr<PeerMemory> all = PeerMemory::open(processes, std::span(own.get(), bytes));
  if (all == nullptr) return nullptr;
  Cuda::clear(own.get(), bytes);
  Cuda::synchronize();
  (void)greatest(processes, 0.0);  // nobody writes before all blocks are zero
  return std::unique_ptr<PeerBlock>(new PeerBlock(std::move(own), std::move(all)));
}

}  // namespace hodge::linalg::cuda
