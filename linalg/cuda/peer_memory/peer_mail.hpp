// Messages between GPUs of one machine through memory that each GPU has open for all others
// (peer_memory.hpp): a kernel of the sender writes a message into a slot of the receiver, and a
// kernel of the receiver copies it to where it belongs. Both are queued as other kernels are, and
// may be recorded.
//
// Every ordered pair of processes has two slots, which take turns, and four counters:
//
//   sent, received    messages, each counted by its own process
//   arrived           sent ones that are in their slot: the sender writes it into the receiver
//   consumed          received ones whose slot is free: the receiver writes it into the sender
//
// A slot may be filled when consumed >= sent - 1, and emptied when arrived > received. Counters are
// in the memory of GPUs, because the kernels of a recording are the same each time.
//
// What one process sends to another in an exchange is cut where a slot is full. In each round a
// process fills a slot of every receiver, and then empties those that were filled for it, in one
// kernel. Its blocks wait for the kernels of other processes, which wait for it: all of them have
// to be on the GPU at once (most_blocks()).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "linalg/cuda/peer_memory/peer_block.hpp"
#include "linalg/cuda/peer_memory/peer_counters.cuh"
#include "linalg/processes/communicator.hpp"

namespace hodge::linalg::cuda {

class PeerMail {
 public:
  static constexpr std::size_t slot_bytes = std::size_t{16} << 20;
  static constexpr int most_parts = 8;  // messages, or pieces of them, in a slot

  // Null, on all processes alike, where they do not reach each other's memory. Collective.
  static std::unique_ptr<PeerMail> open(Communicator& processes);

  // All messages of an exchange; both processes of a pair know their sizes. Waits on the GPU alone.
  void exchange(std::span<const OutgoingMessage> outgoing,
                std::span<const IncomingMessage> incoming);

 private:
  enum Which { sent, received, arrived, consumed, counters };
  enum Tickets { of_sending, of_receiving, tickets };

  PeerMail(Communicator& processes, std::unique_ptr<PeerBlock> memory)
      : rank_(processes.rank()), size_(processes.size()), memory_(std::move(memory)) {}

  static std::size_t bytes_for(int processes);
  // In the memory of process `of`, what belongs to its pair with `other`.
  std::byte* slots(int of, int other) const;
  PeerCounter* counter(Which which, int of, int other) const;
  PeerCounter* ticket(Tickets which) const;
  PeerCounter* line(int of, std::size_t number) const;

  int rank_, size_;
  std::unique_ptr<PeerBlock> memory_;
};

}  // namespace hodge::linalg::cuda
