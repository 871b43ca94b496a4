// Divides the rows of a sparse matrix among the threads of the Host space.
//
// Each thread gets consecutive blocks of 16 pieces (pieces.hpp: 256 rows unless lines are short),
// so that all threads have about the same number of entries and rows; a binary search in the row
// offsets finds the ends.
#pragma once

#include "linalg/host/pieces.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg::host {

inline constexpr int pieces_of_block = 16;
inline constexpr int blocks_of_group = 16;

inline int row_blocks(const RowPieces& pieces) {
  return (pieces.count() + pieces_of_block - 1) / pieces_of_block;
}

inline int first_row(const RowPieces& pieces, int block) {
  return pieces.first_row(static_cast<long long>(block) * pieces_of_block);
}

// The work before block `block`: its entries plus its rows.
template <class T>
long long work_before(const CsrView<T>& a, const RowPieces& pieces, int block) {
  const int row = first_row(pieces, block);
  return static_cast<long long>(row) + a.row_offsets[row];
}

// The first block of part `part` out of `parts` that share the work evenly.
template <class T>
int first_block(const CsrView<T>& a, const RowPieces& pieces, int part, int parts) {
  const int blocks = row_blocks(pieces);
  const double target = static_cast<double>(work_before(a, pieces, blocks)) * part / parts;
  int low = 0, high = blocks;  // the first block with target <= work_before(block)
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (static_cast<double>(work_before(a, pieces, middle)) < target) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return part == parts ? blocks : low;
}

inline bool is_parallel(const RowPieces& pieces) {
  return row_blocks(pieces) > 4;
}

// body(first block, block behind the last) for groups of at most blocks_of_group blocks.
template <class T, class F>
void for_each_row_group(const CsrView<T>& a, const RowPieces& pieces, F body) {
#pragma omp parallel if (is_parallel(pieces))
  {
    const int part = omp_get_thread_num(), parts = omp_get_num_threads();
    const int end = first_block(a, pieces, part + 1, parts);
    for (int block = first_block(a, pieces, part, parts); block < end; block += blocks_of_group)
      body(block, std::min(end, block + blocks_of_group));
  }
}

// body(first row, row behind the last) for every block.
template <class T, class F>
void for_each_row_block(const CsrView<T>& a, F body) {
  const RowPieces pieces(a.rows, {});
  for_each_row_group(a, pieces, [&](int block, int end) {
    int first = first_row(pieces, block);
    while (block < end) {
      const int last = first_row(pieces, ++block);
      body(first, last);
      first = last;
    }
  });
}

}  // namespace hodge::linalg::host
