// Many small dense systems at once: A_k x_k = b_k for k = 0 .. count-1, each of n <= 32 unknowns,
// by Gaussian elimination with partial pivoting (per-cell chemistry, local problems).
//
// `a` holds the matrices one after the other, each by columns (count * n * n values), `b` the
// right-hand sides (count * n); x takes the place of b, and a is used up. singular[k] becomes the
// first column whose candidates for a pivot are all zero or not a finite number, -1 where there is
// none; x_k means nothing there. On CUDA a warp works on a system with a row of it in each lane's
// registers, narrow systems sharing a warp, one thread each up to n = 4; on the Host OpenMP threads
// share the systems. Nothing is allocated, nothing waits. Cost: the memory is read and written
// once, 2/3 n^3 operations a system.
//
// ShapeError for n beyond 1 .. 32 or a negative count. T is float or double.
#pragma once

#include "linalg/space/space.hpp"

namespace hodge::linalg {

inline constexpr int batched_gauss_most = 32;

template <class Space, class T>
void solve_batched(int n, int count, T* a, T* b, int* singular);

}  // namespace hodge::linalg
