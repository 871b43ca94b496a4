// What processes that share rows have to decide alike. Collective where they share rows; the own
// value where they do not.
#pragma once

#include <algorithm>
#include <span>

#include "linalg/processes/message_count.hpp"
#include "linalg/processes/shared_rows.hpp"

namespace hodge::linalg {

// The value of process 0: for decisions by the clock.
template <class T>
T of_first_process(const SharedRows& rows, T own) {
  if (!rows.is_shared()) return own;
  const CountedMessages counted(MessageKind::decisions, sizeof(T));
  rows.processes->broadcast(std::as_writable_bytes(std::span(&own, 1)), 0);
  return own;
}

// The greatest of all processes; no NaN.
inline double greatest(Communicator& processes, double own) {
  if (processes.size() == 1) return own;
  const CountedMessages counted(MessageKind::decisions, sizeof(double));
  processes.maximum(std::span(&own, 1));
  return own;
}
inline double greatest(const SharedRows& rows, double own) {
  return greatest(*rows.processes, own);
}

}  // namespace hodge::linalg
