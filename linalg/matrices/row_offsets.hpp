// Row offsets (CSR) from row indices (COO) and back, for entries that are sorted by row.
//
//   row_offsets: rows + 1 ints, row i holds the entries row_offsets[i] .. row_offsets[i+1] - 1
//   row_indices: one int an entry, ascending
//
// Example with 5 rows: row indices 0 0 0 0 2 2 2 4 4 <-> row offsets 0 4 4 7 7 9. Any rows may be
// empty, and so may be the matrix. All arrays are in the memory of the space.
#pragma once

#include "linalg/space/space.hpp"

namespace hodge::linalg {

// How row offsets are found:
//
//   count_and_scan   counts the entries of each row by atomic additions of integers, whose result
//                    does not depend on their order; then adds up the counts
//   row_changes      entry i in row r, followed by an entry in row s, sets the offsets r+1 .. s to
//                    i + 1; one pass without atomics
enum class Compression { count_and_scan, row_changes };

template <class Space>
void compress_row_indices(int rows, int nonzeros, const int* row_indices, Compression how,
                          int* row_offsets);

// The row of every entry. Each entry searches the offsets, so long rows cost no more than short
// ones: O(nonzeros log rows) reads on Cuda, O(nonzeros + rows) on Host.
template <class Space>
void expand_row_offsets(int rows, int nonzeros, const int* row_offsets, int* row_indices);

// 0, 1, ..., n - 1
template <class Space>
void count_up(int n, int* out);

}  // namespace hodge::linalg
