// Many small dense systems at once: A_k x_k = b_k for k = 0 .. count-1, each of n <= 32 unknowns,
// by Gaussian elimination with partial pivoting (per-cell chemistry, local problems).
//
// `a` holds the matrices one after the other, each by columns (count * n * n values), `b` the
// right-hand sides (count * n). The solutions overwrite b, and a is overwritten too. singular[k]
// becomes the first column whose candidates for a pivot are all zero or not a finite number, and
// x_k is meaningless then; it is -1 where every column has a pivot. On CUDA each lane of a warp
// keeps one row in registers; systems of n <= 16 share a warp, and up to n = 4 one thread solves a
// system alone. On the Host the systems are divided among OpenMP threads. The function neither
// allocates nor waits. Cost: the memory is read and written once, 2/3 n^3 operations per system.
//
// ShapeError for n beyond 1 .. 32 or a negative count. T is float or double.
#pragma once

#include <string>

#include "linalg/base/errors.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg {

inline constexpr int batched_gauss_most = 32;

template <class Space, class T>
void solve_batched(int n, int count, T* a, T* b, int* singular);

// The checks of the arguments, for every space.
inline void check_batch(int n, int count) {
  if (n < 1 || n > batched_gauss_most) {
    throw ShapeError("batched Gauss: systems of " + std::to_string(n) +
                     " unknowns, expected 1 to " + std::to_string(batched_gauss_most));
  }
  if (count < 0) throw ShapeError("batched Gauss: " + std::to_string(count) + " systems");
}

}  // namespace hodge::linalg
