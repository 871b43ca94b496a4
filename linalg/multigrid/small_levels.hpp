// The small levels of a grid as plain data, for a kernel that does the whole v cycle over them
// (small_cycle.hpp).
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

}  // namespace hodge::linalg::multigrid
