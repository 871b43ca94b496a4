// Messages to the two neighbours of a process along one axis, in the memory of a space.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "linalg/processes/communicator.hpp"
#include "linalg/processes/message_count.hpp"
#include "linalg/space/space.hpp"

namespace hodge::sim {

// Values. What leaves by the lower and by the upper side, one after the other; what arrives beyond
// the upper and beyond the lower one, which the neighbours send by their lower and upper sides.
struct NeighbourSizes {
  std::size_t outgoing[2], incoming[2];
};

// to: the processes beyond the lower and the upper side, -1: none. A process that is the neighbour
// on both sides gets both parts in one message. Collective.
template <class Space>
void exchange_with_neighbours(linalg::Communicator& processes, const int (&to)[2],
                              const NeighbourSizes& sizes, double* outgoing, double* incoming) {
  const auto bytes = [](double* values, std::size_t count) {
    return std::as_writable_bytes(std::span(values, count));
  };
  const auto &out = sizes.outgoing, &in = sizes.incoming;
  std::array<linalg::OutgoingMessage, 2> sent;
  std::array<linalg::IncomingMessage, 2> received;
  std::size_t count_sent = 0, count_received = 0;
  if (to[0] == to[1] && to[0] >= 0) {
    sent[count_sent++] = {to[0], bytes(outgoing, out[0] + out[1])};
    received[count_received++] = {to[0], bytes(incoming, in[0] + in[1])};
  } else {
    if (out[0] > 0) sent[count_sent++] = {to[0], bytes(outgoing, out[0])};
    if (out[1] > 0) sent[count_sent++] = {to[1], bytes(outgoing + out[0], out[1])};
    if (in[0] > 0) received[count_received++] = {to[1], bytes(incoming, in[0])};
    if (in[1] > 0) received[count_received++] = {to[0], bytes(incoming + in[0], in[1])};
  }
  const std::span outgoing_messages = std::span(sent).first(count_sent);
  const linalg::CountedMessages counted(linalg::MessageKind::neighbours, outgoing_messages);
  Space::start_exchange(processes, outgoing_messages, std::span(received).first(count_received));
  Space::finish_exchange(processes);
}

}  // namespace hodge::sim
