// The chunks of which a GPU makes its sums over rows.
//
// A chunk is consecutive rows of the global problem, which one block of threads adds in a fixed
// order; the chunks are added exactly (base/fixed_point.hpp), as the Host adds its pieces of
// sum_piece rows. Chunks begin with each line (row_lines.hpp), or, where there are no lines, at
// multiples of their length. Their length depends on the rows of all processes alone, so that it is
// the same for any number of processes: short where few blocks would be busy otherwise, long where
// a block's own sum would take longer than reading its rows.
#pragma once

#include <cstdint>

namespace hodge::linalg {

// For the dot products of a Krylov basis, of which there may be 33 at once, `many`.
inline int chunk_length(std::int64_t rows_of_all, bool many = false) {
  constexpr std::int64_t at_once =
      256;  // chunks that one block adds: then no second step is needed
  const std::int64_t most_at_once = many ? 1 << 17 : (1 << 20) - 1;
  const std::int64_t most = many ? 1 << 14 : 1 << 16;  // chunks of a long vector
  std::int64_t length = 256;
  if (rows_of_all <= most_at_once) {
    while (length * at_once < rows_of_all) length *= 2;
  } else {
    length = many || rows_of_all < (1 << 22) ? 512 : rows_of_all < (1 << 23) ? 1024 : 4096;
    if (!many && rows_of_all >= (1 << 24)) length = 8192;
    while (length * most < rows_of_all) length *= 2;
  }
  return static_cast<int>(length);
}

// Where processes may begin on a GPU: a multiple of each length.
inline int chunk_alignment(std::int64_t rows_of_all) {
  const int few = chunk_length(rows_of_all), many = chunk_length(rows_of_all, true);
  return few > many ? few : many;
}

}  // namespace hodge::linalg
