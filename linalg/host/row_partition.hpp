// Divides the rows of a sparse matrix among the threads of the Host space.
//
// Each thread gets consecutive blocks of block_rows rows, so that all threads have about the same
// number of entries and rows; a binary search in the row offsets finds the ends. Partial sums
// belong to blocks, so results do not depend on the number of threads.
#pragma once

#include <omp.h>

#include "linalg/space/space.hpp"

namespace hodge::linalg::host {

inline constexpr int block_rows = 256;

template <class T>
int row_blocks(const CsrView<T>& a) {
  return static_cast<int>((static_cast<long long>(a.rows) + block_rows - 1) / block_rows);
}

// The work before block `block`: its entries plus its rows.
template <class T>
long long work_before(const CsrView<T>& a, int block) {
  const long long row = std::min<long long>(a.rows, static_cast<long long>(block) * block_rows);
  return row + a.row_offsets[row];
}

// The first block of part `part` out of `parts` that share the work evenly.
template <class T>
int first_block(const CsrView<T>& a, int part, int parts) {
  const int blocks = row_blocks(a);
  const double target = static_cast<double>(work_before(a, blocks)) * part / parts;
  int low = 0, high = blocks;  // the first block with target <= work_before(block)
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (static_cast<double>(work_before(a, middle)) < target) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return part == parts ? blocks : low;
}

// body(block, first row, row behind the last) for every block.
template <class T, class F>
void for_each_row_block(const CsrView<T>& a, F body) {
  const int blocks = row_blocks(a);
#pragma omp parallel if (blocks > 4)
  {
    const int part = omp_get_thread_num(), parts = omp_get_num_threads();
    const int end = first_block(a, part + 1, parts);
    for (int block = first_block(a, part, parts); block < end; ++block) {
      const long long first = static_cast<long long>(block) * block_rows;
      body(block, static_cast<int>(first),
           static_cast<int>(std::min<long long>(a.rows, first + block_rows)));
    }
  }
}

}  // namespace hodge::linalg::host
