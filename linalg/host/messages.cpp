// Host space: messages, which are those of the communicator.
#include <algorithm>
#include <numeric>
#include <vector>

#include "linalg/space/space.hpp"

namespace hodge::linalg {

template <>
void MessagePrimitives<Host>::start_exchange(Communicator& processes,
                                             std::span<const OutgoingMessage> outgoing,
                                             std::span<const IncomingMessage> incoming) {
  processes.start_exchange(outgoing, incoming);
}

template <>
void MessagePrimitives<Host>::finish_exchange(Communicator& processes) {
  processes.finish_exchange();
}

template <>
void MessagePrimitives<Host>::gather_parts(Communicator& processes, std::byte* all,
                                           std::span<const std::size_t> sizes) {
  const auto own = static_cast<std::size_t>(processes.rank());
  const auto before = sizes.begin() + static_cast<std::ptrdiff_t>(own);
  const std::byte* const begin = all + std::accumulate(sizes.begin(), before, std::size_t{0});
  const std::vector<std::byte> part(begin, begin + sizes[own]);
  processes.gather(part, {all, std::accumulate(sizes.begin(), sizes.end(), std::size_t{0})}, sizes);
}

template <>
void MessagePrimitives<Host>::sum_over_processes(Communicator& processes, std::int64_t* values,
                                                 int count) {
  processes.sum({values, static_cast<std::size_t>(count)});
}

template <>
void MessagePrimitives<Host>::maximum_over_processes(Communicator& processes, double* values,
                                                     int count) {
  processes.maximum({values, static_cast<std::size_t>(count)});
}

template <>
bool MessagePrimitives<Host>::can_record_messages(Communicator&) {
  return false;  // the Host has no recordings
}

template <>
const char* MessagePrimitives<Host>::way_of_messages(Communicator&) {
  return "MPI";
}

}  // namespace hodge::linalg
