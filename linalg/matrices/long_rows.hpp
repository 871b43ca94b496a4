// The few rows of a pattern that are much longer than the others (power nets of a circuit, say).
// All other threads would wait for the thread or warp that sums such a row.
//
// Long rows are listed once, when the pattern is built, and cut into pieces that are summed
// separately (space/spmv_plan.hpp). Costs one pass over the row offsets, five with long rows.
#pragma once

#include "linalg/space/spmv_plan.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

template <class Space>
struct LongRows {
  // The most rows that are listed. They have at most 2 * most pieces, for which the scratch memory
  // of a space's reductions has room.
  static constexpr int most = 16384;

  int length = INT_MAX;
  int piece_length = 1;
  Buffer<int, Space> rows, first_piece, owner;

  LongRowsView view() const {
    return {length,
            static_cast<int>(rows.size()),
            static_cast<int>(owner.size()),
            piece_length,
            rows.data(),
            first_piece.data(),
            owner.data()};
  }
};

// Rows of more than `length` entries; `length` is doubled until at most `most` rows are longer.
template <class Space>
LongRows<Space> find_long_rows(int rows, const int* row_offsets, int length);

}  // namespace hodge::linalg
