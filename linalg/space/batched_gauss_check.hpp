// The checks of solve_batched()'s arguments, for every space.
#pragma once

#include <string>

#include "linalg/base/errors.hpp"
#include "linalg/space/batched_gauss.hpp"

namespace hodge::linalg {

inline void check_batch(int n, int count) {
  if (n < 1 || n > batched_gauss_most) {
    throw ShapeError("batched Gauss: systems of " + std::to_string(n) +
                     " unknowns, expected 1 to " + std::to_string(batched_gauss_most));
  }
  if (count < 0) throw ShapeError("batched Gauss: " + std::to_string(count) + " systems");
}

}  // namespace hodge::linalg
