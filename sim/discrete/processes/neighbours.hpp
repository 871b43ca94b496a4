// Messages to the two neighbours of a process along one axis, in the memory of a space.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "linalg/processes/communicator.hpp"
#include "linalg/processes/message_count.hpp"
#include "linalg/space/space.hpp"

namespace hodge::sim {

// What leaves by the lower and by the upper side; what arrives beyond the upper and beyond the
// lower one, which the neighbours send by their lower and upper sides.
struct NeighbourValues {
  std::array<std::span<double>, 2> outgoing, incoming;
};

namespace detail {

// One behind the other in memory.
inline bool are_adjacent(const std::array<std::span<double>, 2>& parts) {
  return parts[0].data() + parts[0].size() == parts[1].data();
}

}  // namespace detail

// to: the processes beyond the lower and the upper side, -1: none. A process that is the neighbour
// on both sides gets both parts, in one message if they are adjacent on both processes. Collective.
template <class Space>
void exchange_with_neighbours(linalg::Communicator& processes, const int (&to)[2],
                              const NeighbourValues& values) {
  const auto bytes = [](const std::span<double>& part) { return std::as_writable_bytes(part); };
  const auto &out = values.outgoing, &in = values.incoming;
  std::array<linalg::OutgoingMessage, 2> sent;
  std::array<linalg::IncomingMessage, 2> received;
  std::size_t count_sent = 0, count_received = 0;
  if (to[0] == to[1] && to[0] >= 0 && detail::are_adjacent(out) && detail::are_adjacent(in)) {
    sent[count_sent++] = {to[0], bytes({out[0].data(), out[0].size() + out[1].size()})};
    received[count_received++] = {to[0], bytes({in[0].data(), in[0].size() + in[1].size()})};
  } else {
    for (std::size_t side = 0; side < 2; ++side) {
      if (!out[side].empty()) sent[count_sent++] = {to[side], bytes(out[side])};
      if (!in[side].empty()) received[count_received++] = {to[1 - side], bytes(in[side])};
    }
  }
  const std::span outgoing_messages = std::span(sent).first(count_sent);
  const linalg::CountedMessages counted(linalg::MessageKind::neighbours, outgoing_messages);
  Space::start_exchange(processes, outgoing_messages, std::span(received).first(count_received));
  Space::finish_exchange(processes);
}

// Numbers of values, in the order of NeighbourValues.
struct NeighbourSizes {
  std::size_t outgoing[2], incoming[2];
};

// Of arrays that hold the parts one after the other.
template <class Space>
void exchange_with_neighbours(linalg::Communicator& processes, const int (&to)[2],
                              const NeighbourSizes& sizes, double* outgoing, double* incoming) {
  const auto parts = [](double* values, const std::size_t(&size)[2]) {
    return std::array{std::span(values, size[0]), std::span(values + size[0], size[1])};
  };
  exchange_with_neighbours<Space>(
      processes, to, {parts(outgoing, sizes.outgoing), parts(incoming, sizes.incoming)});
}

}  // namespace hodge::sim
