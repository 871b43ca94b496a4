// Where the kernels of all processes meet (peer_block.hpp): each process tells the others a
// number, and waits until theirs have come. Who has left a meeting sees what the kernels of the
// others wrote before they came.
//
// The last block of a kernel that writes to other GPUs meets for the kernel, so that a meeting
// takes no launch and no message. Number and tickets are in the memory of the GPU, because the
// kernels of a recording are the same each time. Between two H100 a meeting takes about 3 us where
// an all-reduce of NCCL takes 8.
#pragma once

#include <memory>

#include "linalg/cuda/peer_memory/peer_block.hpp"
#include "linalg/cuda/peer_memory/peer_counters.cuh"
#include "linalg/processes/communicator.hpp"

namespace hodge::linalg::cuda {

class PeerMeeting {
 public:
  // For kernels.
  struct View {
    PeerCounter* come;          // meetings that this process has come to,
    PeerCounter* left;          // and that it has left
    PeerCounter* tickets;       // of blocks
    const PeerCounter* others;  // their numbers, in the memory of this process, a line for each
    PeerCounter* const* told;   // the number of this process in the memory of each of the others
    int count;                  // others

    // By one thread, behind a fence.
    __device__ void tell_others() const {
      const PeerCounter number = *come + 1;
      *come = number;
      for (int p = 0; p < count; ++p) store_release(told[p], number);
    }
    __device__ void wait_for_others() const {
      const PeerCounter number = *left + 1;
      for (int p = 0; p < count; ++p)
        wait_for(others + p * (peer_counter_bytes / sizeof(PeerCounter)), number);
      *left = number;
    }
    // By all threads of a kernel, whose last block waits for the others.
    __device__ void meet() const {
      if (!is_last_of_grid(tickets)) return;
      tell_others();
      wait_for_others();
    }
  };

  // Null, on all processes alike, where they do not reach each other's memory. Collective.
  static std::unique_ptr<PeerMeeting> open(Communicator& processes);

  // Meetings take place in one order on all processes.
  const View& view() const { return view_; }
  // Kernels that do nothing else: a meeting, or one in two halves, between which this process may
  // come to further ones. What is waited for on one stream has to be told before, on any.
  void meet(cudaStream_t on) const;
  void tell_others(cudaStream_t on) const;
  void wait_for_others(cudaStream_t on) const;

 private:
  PeerMeeting(Communicator& processes, std::unique_ptr<PeerBlock> memory);

  std::unique_ptr<PeerBlock> memory_;
  View view_;
};

}  // namespace hodge::linalg::cuda
