// Sums and maxima over the GPUs of one machine through memory that each GPU has open for all others
// (peer_memory.hpp): one kernel writes the own values into the memory of every other process, waits
// for theirs, and combines them. It is queued as other kernels are, and may be recorded.
//
// Every half of a value travels in one word with the number of the sum, so that who finds the
// number has the half: no fence, and no counter. Words of two sums take turns: who comes to the
// next sum but one has the values of the next one, which the others sent after they had read these.
// Included by .cu files only.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "linalg/cuda/peer_memory/peer_block.hpp"
#include "linalg/cuda/peer_memory/peer_counters.cuh"
#include "linalg/processes/communicator.hpp"

namespace hodge::linalg::cuda {

class PeerSums {
 public:
  static constexpr int most_values = 4096;  // of a kernel

  // Null, on all processes alike, where they do not reach each other's memory. Collective.
  static std::unique_ptr<PeerSums> open(Communicator& processes);

  // As of MessagePrimitives. Collective; waits on the GPU alone.
  void sum(std::int64_t* values, int count);
  void maximum(double* values, int count);

  // For kernels.
  using Word = unsigned long long;  // the number of the sum, and half of a value
  struct View {
    PeerCounter* number;      // of the sums that are done
    Word* const* of_others;   // where the words of this process stand in the memory of each other
    const Word* from_others;  // those of each of the others, in the memory of this process
    int others;
  };

 private:
  PeerSums(Communicator& processes, std::unique_ptr<PeerBlock> memory);

  static std::size_t bytes_for(int processes);

  std::unique_ptr<PeerBlock> memory_;
  View view_;
};

}  // namespace hodge::linalg::cuda
