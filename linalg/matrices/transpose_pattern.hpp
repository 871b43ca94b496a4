// The pattern of A^T from that of A, in two ways with the same result (see transpose.hpp).
#pragma once

#include "linalg/matrices/csr.hpp"

namespace hodge::linalg {

// All in the memory of the space.
template <class Space>
struct TransposedPattern {
  Buffer<int, Space> row_offsets;  // cols + 1
  Buffer<int, Space> columns;      // nonzeros
  Buffer<int, Space> permutation;  // nonzeros: where each entry stood in A
};

// Count, sum up, scatter; serial.
TransposedPattern<Host> transpose_in_one_pass(const CsrPattern<Host>& a);

// Expand, sort stably by column, compress. Needs 2 nonzeros ints beside the result, and the memory
// of the sort.
template <class Space>
TransposedPattern<Space> transpose_by_sorting(const CsrPattern<Space>& a);

}  // namespace hodge::linalg
