// The lengths of the rows of a CSR pattern and its bandwidth, from one pass over the row offsets
// and the first and last column of each row. Computed in the space.
#pragma once

#include <algorithm>

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

}  // namespace hodge::linalg
