// What a space's SpMV needs to know beside the entries: which kernel, its parameters, and the rows
// that are too long for it. Plain data: part of CsrView.
#pragma once

#include <climits>

namespace hodge::linalg {

enum class SpmvKernel { csr_scalar, csr_vector, csr_two_step, csr_stream };

struct SpmvPlan {
  SpmvKernel kernel = SpmvKernel::csr_scalar;
  int lanes = 1;      // csr_vector, and the sweeps of every kernel but csr_stream: threads a row
  int staging = 512;  // csr_two_step: entries of the staging buffer
  int tile = 0;       // csr_stream: entries that the rows of a warp may have to be staged together
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
