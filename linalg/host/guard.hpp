// The guard of the Host space: primitives do nothing while it points to a raised flag.
#pragma once

#include "linalg/space/space.hpp"

namespace hodge::linalg::host {

inline thread_local const int* guard = nullptr;

inline bool halted() {
  return guard != nullptr && *guard != 0;
}

}  // namespace hodge::linalg::host
