// The lengths of the rows of a CSR pattern and its bandwidth, from one pass over the row offsets
// and the first and last column of each row. Computed in the space, for the rows of this process
// alone even where rows are shared.
#pragma once

#include <algorithm>

#include "linalg/processes/communicator.hpp"
#include "linalg/space/spmv_plan.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

struct RowStatistics {
  int rows = 0, cols = 0, nonzeros = 0;
  int empty_rows = 0;
  int shortest = 0, longest = 0;  // entries in a row
  double mean = 0.0;
  double deviation = 0.0;                        // standard deviation of the lengths, over all rows
  int lower_bandwidth = 0, upper_bandwidth = 0;  // max of i - j and of j - i over the entries, >= 0

  int bandwidth() const { return std::max(lower_bandwidth, upper_bandwidth); }
};

// Columns are ascending in each row. Waits for the result.
template <class Space>
RowStatistics row_statistics(int rows, int cols, int nonzeros, const int* row_offsets,
                             const int* columns);

// The few rows of a pattern that are much longer than the others (power nets of a circuit, say).
// All other threads would wait for the thread or warp that sums such a row. Long rows are listed
// once, when the pattern is built, and cut into pieces that are summed separately
// (space/spmv_plan.hpp). Costs one pass over the row offsets, five with long rows.
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

// Rows of more than `length` entries; `length` is doubled until at most `most` rows are longer. Of
// rows that processes share: collective, and the lengths are those of the whole system.
template <class Space>
LongRows<Space> find_long_rows(int rows, const int* row_offsets, int length,
                               Communicator& processes = one_process());

}  // namespace hodge::linalg
