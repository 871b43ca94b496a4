// What a space's SpMV needs to know beside the entries: which kernel, its parameters, and the rows
// that are too long for it. Plain data: part of CsrView.
#pragma once

#include <climits>

namespace hodge::linalg {

enum class SpmvKernel { csr_scalar, csr_vector, csr_two_step, csr_diagonals };

struct SpmvPlan {
  SpmvKernel kernel = SpmvKernel::csr_scalar;
  // csr_vector, and the sweeps of every kernel: threads a row. 0, as in a view that nobody has
  // planned for, takes what suits the mean length.
  int lanes = 0;
  int staging = 512;  // csr_two_step: entries of the staging buffer
};

// Rows of more than `length` entries. The kernels leave them out; each is cut into pieces of
// piece_length entries, which are summed by a block each and then added in ascending order.
struct LongRowsView {
  int length = INT_MAX;
  int count = 0;
  int pieces = 0;
  int piece_length = 1;
  const int* rows = nullptr;         // count
  const int* first_piece = nullptr;  // count + 1
  const int* owner = nullptr;        // pieces: position in `rows`
};

}  // namespace hodge::linalg
