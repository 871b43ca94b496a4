// How a space multiplies with a CSR matrix: the kernel, its parameters, and the rows that are too
// long for the kernel. Plain data: part of CsrView.
#pragma once

#include <climits>
#include <cstdint>

namespace hodge::linalg {

// The diagonals of a pattern (matrices/diagonals.hpp). No diagonals: count is 0.
struct DiagonalsView {
  static constexpr int most = 16;
  int count = 0;
  int offset[most] = {};
  const std::uint16_t* mask = nullptr;  // rows
  // The bits of the diagonals left of the main one, and right of it.
  unsigned lower_bits = 0, upper_bits = 0;
};

enum class SpmvKernel { csr_scalar, csr_vector, csr_two_step, csr_diagonals };

struct SpmvPlan {
  SpmvKernel kernel = SpmvKernel::csr_scalar;
  // Threads per row, for csr_vector and for the sweeps of every kernel. 0, as in a view without a
  // plan: chosen by the mean length of the rows.
  int lanes = 0;
  int staging = 512;  // csr_two_step: entries of the staging buffer
  double mean = 0.0;  // entries of a row, of all processes; 0: not known
};

// Rows of more than `length` entries. The kernels leave them out; each row is cut into pieces of
// piece_length entries. One block sums each piece, and the sums are added in ascending order.
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
