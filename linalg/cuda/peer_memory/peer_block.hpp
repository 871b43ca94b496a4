// A block of GPU memory of each process, which the kernels of all of them reach (peer_memory.hpp):
// for counters and messages. Included by .cu files only.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "linalg/cuda/peer_memory/peer_memory.hpp"
#include "linalg/processes/communicator.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg::cuda {

class PeerBlock {
 public:
  // Of `bytes`, at least PeerMemory::least_bytes, and zero on all processes when it returns. Null,
  // on all processes alike, where they do not reach each other's memory. Collective. Errors:
  // MemoryError.
  static std::unique_ptr<PeerBlock> open(Communicator& processes, std::size_t bytes);

  std::byte* of(int process) const { return all_->array_of(static_cast<std::size_t>(process)); }

  // The place of a process in a list of all others than `of`.
  static std::size_t place_among_others(int process, int of) {
    return static_cast<std::size_t>(process < of ? process : process - 1);
  }

 private:
  struct Deallocate {
    std::size_t bytes;
    void operator()(std::byte* data) const { Cuda::deallocate(data, bytes); }
  };
  using Memory = std::unique_ptr<std::byte, Deallocate>;

  PeerBlock(Memory own, std::unique_ptr<PeerMemory> all)
      : own_(std::move(own)), all_(std::move(all)) {}

  Memory own_;
  std::unique_ptr<PeerMemory> all_;
};

}  // namespace hodge::linalg::cuda
