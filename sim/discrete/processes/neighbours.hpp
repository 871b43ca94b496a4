// Messages to the two neighbours of a process along one axis, in the memory of a space.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "linalg/processes/communicator.hpp"
#include "linalg/processes/message_count.hpp"
#include "linalg/space/space.hpp"

namespace hodge::sim {

// Counts the messages, sends them and waits for the others. Collective.
template <class Space>
void exchange_with_neighbours(linalg::Communicator& processes,
                              std::span<const linalg::OutgoingMessage> outgoing,
                              std::span<const linalg::IncomingMessage> incoming) {
  const linalg::CountedMessages counted(linalg::MessageKind::neighbours, outgoing);
  Space::start_exchange(processes, outgoing, incoming);
  Space::finish_exchange(processes);
}

// What leaves by the lower and by the upper side; what arrives beyond the upper and beyond the
// lower one, which the neighbours send by their lower and upper sides.
struct NeighbourValues {
  std::array<std::span<double>, 2> outgoing, incoming;
};

// to: the processes beyond the lower and the upper side, -1: none. A process that is the neighbour
// on both sides gets a message for each. Collective.
template <class Space>
void exchange_with_neighbours(linalg::Communicator& processes, const int (&to)[2],
                              const NeighbourValues& values) {
  const auto &out = values.outgoing, &in = values.incoming;
  std::array<linalg::OutgoingMessage, 2> sent;
  std::array<linalg::IncomingMessage, 2> received;
  std::size_t count_sent = 0, count_received = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    if (!out[side].empty()) sent[count_sent++] = {to[side], std::as_bytes(out[side])};
    if (!in[side].empty())
      received[count_received++] = {to[1 - side], std::as_writable_bytes(in[side])};
  }
  exchange_with_neighbours<Space>(
      processes, std::span<const linalg::OutgoingMessage>(sent.data(), count_sent),
      std::span<const linalg::IncomingMessage>(received.data(), count_received));
}

// Numbers of values, in the order of NeighbourValues.
struct NeighbourSizes {
  std::size_t outgoing[2], incoming[2];
};

// Of arrays that hold the parts one after the other. A process that is the neighbour on both sides
// gets both parts in one message.
template <class Space>
void exchange_with_neighbours(linalg::Communicator& processes, const int (&to)[2],
                              const NeighbourSizes& sizes, double* outgoing, double* incoming) {
  const auto &out = sizes.outgoing, &in = sizes.incoming;
  if (to[0] == to[1] && to[0] >= 0) {
    const linalg::OutgoingMessage sent{to[0], std::as_bytes(std::span(outgoing, out[0] + out[1]))};
    const linalg::IncomingMessage received{
        to[0], std::as_writable_bytes(std::span(incoming, in[0] + in[1]))};
    return exchange_with_neighbours<Space>(processes, std::span(&sent, 1), std::span(&received, 1));
  }
  exchange_with_neighbours<Space>(
      processes, to,
      {{std::span(outgoing, out[0]), std::span(outgoing + out[0], out[1])},
       {std::span(incoming, in[0]), std::span(incoming + in[0], in[1])}});
}

}  // namespace hodge::sim
