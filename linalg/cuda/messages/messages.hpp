// How the messages of one communicator travel between GPUs: by NCCL, or by the communicator itself
// through memory of the host. One object for each communicator, kept by it.
#pragma once

#include <memory>
#include <span>

#include "linalg/processes/communicator.hpp"

namespace hodge::linalg::cuda {

class Messages {
 public:
  virtual ~Messages() = default;
  virtual void start_exchange(std::span<const OutgoingMessage> outgoing,
                              std::span<const IncomingMessage> incoming) = 0;
  virtual void finish_exchange() = 0;
  virtual void gather_parts(std::byte* all, std::span<const std::size_t> sizes) = 0;
  virtual void sum(std::int64_t* values, int count) = 0;
  virtual void maximum(double* values, int count) = 0;
  virtual bool can_record() const = 0;
  virtual const char* way() const = 0;
};

// Null where NCCL cannot connect these processes, the same on all of them. Collective.
std::unique_ptr<Messages> messages_by_nccl(Communicator& processes);
std::unique_ptr<Messages> messages_through_host(Communicator& processes);

}  // namespace hodge::linalg::cuda
