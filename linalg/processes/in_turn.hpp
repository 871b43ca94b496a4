// Sums whose bits depend on their order, of values that processes share: each process adds its own
// ones to what the processes before it have added. The sums are those of one process that adds the
// values of process 0, then those of process 1, ...
#pragma once

#include <span>

#include "linalg/processes/communicator.hpp"
#include "linalg/processes/message_count.hpp"

namespace hodge::linalg {

// Collective. add_own() adds the own values to `sums`; afterwards all processes have all of them.
// One process after the other does so: what can be computed before, should be.
template <class AddOwn>
void add_in_turn(Communicator& processes, std::span<double> sums, const AddOwn& add_own) {
  const int rank = processes.rank(), last = processes.size() - 1;
  const auto bytes = std::as_writable_bytes(sums);
  if (rank > 0) {
    const CountedMessages waiting(MessageKind::reductions);
    const IncomingMessage so_far{rank - 1, bytes};
    processes.start_exchange({}, {&so_far, 1});
    processes.finish_exchange();
  }
  add_own();
  if (rank < last) {
    const OutgoingMessage so_far{rank + 1, bytes};
    const CountedMessages counted(MessageKind::reductions, {&so_far, 1});
    processes.start_exchange({&so_far, 1}, {});
    processes.finish_exchange();
  }
  if (last == 0) return;
  const CountedMessages counted(MessageKind::reductions, bytes.size());
  processes.broadcast(bytes, last);
}

}  // namespace hodge::linalg
