// Cuda space: messages between the GPUs of several processes.
#include "linalg/cuda/messages/messages.hpp"

#include "linalg/cuda/peer_memory/peer_memory.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg {

namespace cuda {

namespace {

Messages& messages_of(Communicator& processes) {
  std::shared_ptr<void>& kept = processes.kept_by_space();
  if (kept == nullptr) {
    std::unique_ptr<Messages> made;
    if (!way_is_asked_for("host")) made = messages_by_nccl(processes);
    if (made == nullptr) made = messages_through_host(processes);
    kept = std::shared_ptr<Messages>(std::move(made));
  }
  return *static_cast<Messages*>(kept.get());
}

bool alone(const Communicator& processes) {
  return processes.size() == 1;
}

}  // namespace

}  // namespace cuda

template <>
void MessagePrimitives<Cuda>::start_exchange(Communicator& processes,
                                             std::span<const OutgoingMessage> outgoing,
                                             std::span<const IncomingMessage> incoming) {
  if (!cuda::alone(processes)) cuda::messages_of(processes).start_exchange(outgoing, incoming);
}

template <>
void MessagePrimitives<Cuda>::finish_exchange(Communicator& processes) {
  if (!cuda::alone(processes)) cuda::messages_of(processes).finish_exchange();
}

template <>
void MessagePrimitives<Cuda>::gather_parts(Communicator& processes, std::byte* all,
                                           std::span<const std::size_t> sizes) {
  if (!cuda::alone(processes)) cuda::messages_of(processes).gather_parts(all, sizes);
}

template <>
void MessagePrimitives<Cuda>::sum_over_processes(Communicator& processes, std::int64_t* values,
                                                 int count) {
  if (!cuda::alone(processes)) cuda::messages_of(processes).sum(values, count);
}

template <>
void MessagePrimitives<Cuda>::maximum_over_processes(Communicator& processes, double* values,
                                                     int count) {
  if (!cuda::alone(processes)) cuda::messages_of(processes).maximum(values, count);
}

template <>
bool MessagePrimitives<Cuda>::can_record_messages(Communicator& processes) {
  return cuda::alone(processes) || cuda::messages_of(processes).can_record();
}

template <>
const char* MessagePrimitives<Cuda>::way_of_messages(Communicator& processes) {
  return cuda::alone(processes) ? "none" : cuda::messages_of(processes).way();
}

}  // namespace hodge::linalg
