// The v cycle over the small levels of a grid in one kernel, from level[0].r to level[0].z, with
// the same result as run_cycle.hpp.
#pragma once

#include "linalg/multigrid/small_levels.hpp"

namespace hodge::linalg::multigrid {

// A level of more than most_cells cells is not small; 0: the space has no such kernel.
template <class Space>
struct SmallCycle {
  static constexpr int most_cells = 0;
  template <int Dim, class T>
  static void run(const SmallLevels<Dim, T>&) {}
};

}  // namespace hodge::linalg::multigrid

#ifdef __CUDACC__
#include "linalg/multigrid/block_cycle.cuh"
#endif
