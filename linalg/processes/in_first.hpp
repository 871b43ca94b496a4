// What process 0 does alone, while the others wait for its end.
#pragma once

#include "linalg/processes/communicator.hpp"

namespace hodge::linalg {

// Collective: process 0 alone runs the action. Its error is thrown on there; in the others the
// result is then false.
template <class Action>
[[nodiscard]] bool done_by_first(Communicator& processes, const Action& action) {
  std::byte done{0};
  const auto tell_others = [&] { processes.broadcast({&done, 1}, 0); };
  if (processes.rank() == 0) {
    try {
      action();
    } catch (...) {
      tell_others();
      throw;
    }
    done = std::byte{1};
  }
  tell_others();
  return done == std::byte{1};
}

}  // namespace hodge::linalg
