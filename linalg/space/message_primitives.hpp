// Messages between the memories of a space: what a Communicator does for memory of the host.
// host/messages.cpp, cuda/messages/messages.cu.
//
// All functions are collective. On Cuda the messages are part of the space's work: they are queued
// behind the kernels that write what is sent, kernels queued behind finish_exchange() see what has
// arrived, and nothing waits, where NCCL connects the GPUs. Where it cannot (it is not installed,
// or two processes share a GPU), the messages pass through memory of the host: then every function
// waits for the GPU, and none may be part of a recording.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "linalg/processes/communicator.hpp"

namespace hodge::linalg {

template <class Space>
struct MessagePrimitives {
  // None to oneself; those of a pair are listed in the same order by both. Neither the messages nor
  // the lists may change before finish_exchange().
  static void start_exchange(Communicator& processes, std::span<const OutgoingMessage> outgoing,
                             std::span<const IncomingMessage> incoming);
  static void finish_exchange(Communicator& processes);
  // all: the parts of process 0, 1, ..., of sizes[p] bytes. Each process brings its own part, at
  // its place, and gets those of the others. On Cuda sizes are multiples of 4.
  static void gather_parts(Communicator& processes, std::byte* all,
                           std::span<const std::size_t> sizes);
  // Each value becomes its sum over all processes: of integers, so that the order does not matter.
  static void sum_over_processes(Communicator& processes, std::int64_t* values, int count);
  // Each value becomes its maximum over all processes. No value may be NaN.
  static void maximum_over_processes(Communicator& processes, double* values, int count);

  // Whether the functions above may be part of a recording (replay.hpp), as kernels may.
  static bool can_record_messages(Communicator& processes);
  // How messages travel, in words: "NCCL 2.28.3", "MPI through memory of the host".
  static const char* way_of_messages(Communicator& processes);
};

}  // namespace hodge::linalg
