// The small levels of a grid as plain data, for a space that takes all of their v cycle at once:
// from level[0].r to level[0].z, as run_cycle.hpp has it.
#pragma once

#include "linalg/multigrid/smoothing.hpp"
#include "linalg/multigrid/transfer.hpp"

namespace hodge::linalg::multigrid {

template <int Dim, class T>
struct SmallLevel {
  StencilView<Dim, T> a;
  Coarsening<Dim> to;  // the next one
  T *z, *r, *t, *s;
};

template <class T>
struct SmallSmoothing {
  Smoother smoother;
  int count;  // before and after
  T omega, jacobi;
  ChebyshevStep<T> chebyshev;
};

// Of the last level, by columns.
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

// A level of more than most_cells is not small; 0: the space has no such cycle.
template <class Space>
struct SmallCycle {
  static constexpr int most_cells = 0;
  template <int Dim, class T>
  static void run(const SmallLevels<Dim, T>&) {}
};

}  // namespace hodge::linalg::multigrid

#ifdef __CUDACC__
#include "linalg/cuda/block_cycle.cuh"
#endif
