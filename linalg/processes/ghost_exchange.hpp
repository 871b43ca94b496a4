// Brings the entries of a shared vector that other processes hold and this one reads, its ghosts.
//
//   exchange.start(x);                              // packs and sends the own entries of x
//   ... work that reads own entries ...
//   const double* ghosts = exchange.finish<double>();  // valid until the next start()
//
// Who needs what is found once, by the constructor. start() and finish() are called by all
// processes that have neighbours, in the same order. Messages: one each way for each pair of
// neighbours. Memory: 4 + 8 bytes per entry that is sent, 8 per ghost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linalg/processes/communicator.hpp"

namespace hodge::linalg {

// Where a ghost is at home.
struct GhostPlace {
  int owner = 0;  // process
  int row = 0;    // its number there, from 0
};

class GhostExchange {
 public:
  // Collective. Ghosts of one owner stand together.
  GhostExchange(Communicator& processes, std::span<const GhostPlace> ghosts);

  template <class T>  // double or float
  void start(const T* own) const;
  template <class T>
  const T* finish() const;  // in the order of the ghosts

  int ghosts() const { return ghosts_; }
  std::size_t sent() const { return packed_.size(); }  // own entries per exchange

  // Consecutive entries of a list that belong to one neighbour.
  struct Part {
    int process;
    std::size_t first, count;
  };
  // What is sent and received, for a space that packs by itself (matrices/device_ghosts.hpp).
  Communicator& processes() const { return *processes_; }
  const std::vector<int>& packed() const { return packed_; }
  const std::vector<Part>& parts_of_packed() const { return receivers_; }
  const std::vector<Part>& parts_of_ghosts() const { return senders_; }

 private:
  Communicator* processes_;
  int ghosts_;
  std::vector<Part> senders_, receivers_;  // parts of the ghosts, and of packed_
  std::vector<int> packed_;                // numbers of the own entries that others read
  // 8 bytes for each entry; a const product writes here.
  mutable std::vector<std::byte> outgoing_, incoming_;
  mutable std::vector<OutgoingMessage> outgoing_messages_;
  mutable std::vector<IncomingMessage> incoming_messages_;
};

}  // namespace hodge::linalg
