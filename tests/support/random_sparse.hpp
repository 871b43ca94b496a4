// Random sparse matrices of any shape, with empty rows and columns and planted zeros.
#pragma once

#include <random>

#include "tests/support/matrices.hpp"

namespace hodge::tests {

// Up to 2 `per_row` entries a row; the rows 3, 10, 17, ... and the first and the last one are empty
// where there are more than 4, and so are the first and the last column.
inline HostMatrix random_sparse(int rows, int cols, double per_row, unsigned seed = 1) {
  std::mt19937 generator(seed);
  const int margin = cols > 4 ? 1 : 0;
  std::uniform_int_distribution<int> column(margin, std::max(margin, cols - 1 - margin));
  std::uniform_int_distribution<int> length(0, static_cast<int>(2 * per_row));
  std::normal_distribution<double> normal;
  Entries entries;
  for (int i = 0; i < rows; ++i) {
    const bool empty = rows > 4 && (i % 7 == 3 || i == 0 || i == rows - 1);
    const int count = empty || cols == 0 ? 0 : std::max(rows > 4 ? 0 : 1, length(generator));
    for (int k = 0; k < count; ++k)
      entries[{i, column(generator)}] = k % 5 == 4 ? 0.0 : normal(generator);
  }
  return from_entries(rows, cols, entries);
}

// The shapes that every format and conversion is tried at.
inline std::vector<std::pair<int, int>> test_shapes() {
  return {{0, 0},   {0, 3},   {3, 0},   {1, 1},       {1, 33},     {33, 1},
          {31, 31}, {33, 33}, {31, 33}, {1000, 1000}, {1000, 300}, {300, 1000}};
}

// A^T, entry by entry.
inline HostMatrix transposed(const HostMatrix& a) {
  Entries entries;
  for (int i = 0; i < a.rows; ++i) {
    for (int k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      entries[{a.columns[k], i}] = a.values[k];
  }
  return from_entries(a.cols, a.rows, entries);
}

}  // namespace hodge::tests
