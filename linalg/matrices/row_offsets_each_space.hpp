// The bodies of row_offsets.hpp.
#pragma once

#include <type_traits>

#include "linalg/base/atomic.hpp"
#include "linalg/matrices/row_offsets.hpp"
#include "linalg/space/this_space.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg {

namespace detail {

template <class Space>
void count_and_scan(int rows, int nonzeros, const int* row_indices, int* row_offsets) {
  Space::clear(row_offsets, sizeof(int) * (static_cast<std::size_t>(rows) + 1));
  for_each<Space>(nonzeros,
                  [=] HODGE_LAMBDA(int i) { atomic_add(&row_offsets[row_indices[i]], 1); });
  Space::exclusive_scan(rows + 1, row_offsets, row_offsets);
}

// Point i stands between the entries i - 1 and i. The row before the first entry is -1, the row
// after the last one is `rows`.
template <class Space>
void mark_row_changes(int rows, int nonzeros, const int* row_indices, int* row_offsets) {
  for_each<Space>(nonzeros + 1, [=] HODGE_LAMBDA(int i) {
    const int above = i == 0 ? -1 : row_indices[i - 1];
    const int below = i == nonzeros ? rows : row_indices[i];
    for (int row = above + 1; row <= below; ++row) row_offsets[row] = i;
  });
}

// The row that holds entry k: the last one whose offset is not beyond k.
HODGE_HD inline int row_of_entry(int rows, const int* row_offsets, int k) {
  int lower = 0, upper = rows;  // row_offsets[lower] <= k < row_offsets[upper]
  while (upper - lower > 1) {
    const int middle = lower + (upper - lower) / 2;
    (row_offsets[middle] <= k ? lower : upper) = middle;
  }
  return lower;
}

}  // namespace detail

template <class Space>
void compress_row_indices(int rows, int nonzeros, const int* row_indices, Compression how,
                          int* row_offsets) {
  if (how == Compression::count_and_scan) {
    detail::count_and_scan<Space>(rows, nonzeros, row_indices, row_offsets);
  } else {
    detail::mark_row_changes<Space>(rows, nonzeros, row_indices, row_offsets);
  }
}

template <class Space>
void expand_row_offsets(int rows, int nonzeros, const int* row_offsets, int* row_indices) {
  // A thread of the host searches once per 256 entries; threads of a GPU take one entry each, so
  // that neighbours write side by side.
  constexpr int tile = std::is_same_v<Space, Host> ? 256 : 1;
  const int tiles = nonzeros / tile + (nonzeros % tile != 0 ? 1 : 0);
  for_each<Space>(tiles, [=] HODGE_LAMBDA(int t) {
    const int first = t * tile;
    const int last = nonzeros - first > tile ? first + tile : nonzeros;
    int row = detail::row_of_entry(rows, row_offsets, first);
    for (int k = first; k < last; ++k) {
      while (row_offsets[row + 1] <= k) ++row;
      row_indices[k] = row;
    }
  });
}

template <class Space>
void count_up(int n, int* out) {
  for_each<Space>(n, [=] HODGE_LAMBDA(int i) { out[i] = i; });
}

template void compress_row_indices<ThisSpace>(int, int, const int*, Compression, int*);
template void expand_row_offsets<ThisSpace>(int, int, const int*, int*);
template void count_up<ThisSpace>(int, int*);

}  // namespace hodge::linalg
