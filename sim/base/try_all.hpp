// Does everything that it is given, whatever of it fails, and throws the first IoError at the end.
#pragma once

#include <exception>

#include "linalg/base/errors.hpp"

namespace hodge::sim {

template <class... Actions>
void try_all(const Actions&... actions) {
  std::exception_ptr first;
  const auto attempt = [&](const auto& action) {
    try {
      action();
    } catch (const IoError&) {
      if (!first) first = std::current_exception();
    }
  };
  (attempt(actions), ...);
  if (first) std::rethrow_exception(first);
}

}  // namespace hodge::sim
