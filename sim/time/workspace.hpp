// Right side and solution of whichever system is being solved; all systems of a simulation share
// them.
#pragma once

#include "linalg/vectors/vector.hpp"

namespace hodge::sim {

template <class Space>
struct Workspace {
  linalg::Vector<Space> right_side, solution;

  // No allocation once `rows` has been as large before.
  void resize(int rows) {
    right_side.resize(rows);
    solution.resize(rows);
  }
};

}  // namespace hodge::sim
