// The ghosts of vectors that processes share, in the memory of a GPU: GhostExchange, whose lists it
// takes, for the space Cuda (processes/ghost_exchange.hpp).
//
// A kernel packs the own entries that others read, and the messages are part of the GPU's work
// (space/message_primitives.hpp). Memory: 4 + 8 bytes per entry that is sent, 8 per ghost.
#pragma once

#include <memory>
#include <vector>

#include "linalg/processes/ghost_exchange.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

class DeviceGhosts {
 public:
  explicit DeviceGhosts(const GhostExchange& lists);

  // Queues the exchange of the own entries of a vector. Kernels that are queued behind it see the
  // ghosts, until the next one. Called by all processes in the same order.
  template <class T>  // double or float
  const T* fetch(const T* own) const;

 private:
  Communicator* processes_;
  std::vector<GhostExchange::Part> sent_, received_;
  Buffer<int, Cuda> packed_;
  // 8 bytes for each entry; a const product writes here.
  Buffer<double, Cuda> outgoing_, incoming_;
  double *outgoing_data_, *incoming_data_;
  mutable std::vector<OutgoingMessage> outgoing_messages_;
  mutable std::vector<IncomingMessage> incoming_messages_;
};

// Null for the Host.
template <class Space>
std::shared_ptr<const DeviceGhosts> device_ghosts(const GhostExchange&) {
  return nullptr;
}
#if HODGE_HAS_CUDA
template <>
std::shared_ptr<const DeviceGhosts> device_ghosts<Cuda>(const GhostExchange& lists);
#endif

}  // namespace hodge::linalg
