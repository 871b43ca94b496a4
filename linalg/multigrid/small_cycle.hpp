// The v cycle over the small levels of a grid in one kernel, from level[0].r to level[0].z, with
// the same result as run_cycle.hpp.
#pragma once

#include "linalg/multigrid/smoothing.hpp"
#include "linalg/multigrid/transfer.hpp"

namespace hodge::linalg::multigrid {

template <int Dim, class T>
struct SmallLevel {
  StencilView<Dim, T> a;
  Coarsening<Dim> to;  // the next level
  T *z, *r, *t, *s;
};

template <class T>
struct SmallSmoothing {
  Smoother smoother;
  int count;  // smoothings before and after the correction
  T omega, jacobi;
  ChebyshevStep<T> chebyshev;
};

// The inverse of the last level's matrix, by columns.
template <class T>
struct DenseInverse {
  int n = 0;
  const T* values = nullptr;
  bool transposed = false;
  HODGE_HD const T& at(int i, int j) const { return values[transposed ? j + n * i : i + n * j]; }
};

template <int Dim, class T>
struct SmallLevels {
  static constexpr int most = 7;
  int count = 0;
  SmallLevel<Dim, T> level[most];
  SmallSmoothing<T> smoothing;
  DenseInverse<T> dense;
};

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
