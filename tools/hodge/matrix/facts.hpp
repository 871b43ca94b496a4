// Properties of a sparse matrix that follow from its entries in O(nnz) operations, on the host.
#pragma once

#include "linalg/matrices/row_statistics.hpp"
#include "tools/hodge/matrix/host_matrix.hpp"

namespace hodge::tools {

struct MatrixFacts {
  int rows = 0, cols = 0;
  long long nonzeros = 0;  // stored, explicit zeros among them
  long long explicit_zeros = 0;

  // Square matrices.
  long long off_diagonal = 0;   // stored entries beside the diagonal
  long long unmatched = 0;      // those of them, a_ij, without a stored a_ji
  long long like_diagonal = 0;  // those of them with the sign of a_ii; an M-matrix has none
  double asymmetry = 0;         // max |a_ij - a_ji| / max |a_ij|
  int diagonal_missing = 0, diagonal_zero = 0, diagonal_positive = 0, diagonal_negative = 0;
  int dominant_rows = 0;       // |a_ii| >= sum of the other |a_ij|
  double least_dominance = 0;  // min over rows of |a_ii| / sum of the other |a_ij|; may be infinite
  double row_sum = 0;  // max |sum_j a_ij| / norm_inf: 0 where constants are in the null space

  linalg::RowStatistics lengths;  // and bandwidths
  double norm_1 = 0, norm_inf = 0, norm_frobenius = 0, largest = 0;

  bool square() const { return rows == cols; }
  bool pattern_symmetric() const { return square() && unmatched == 0; }
  bool symmetric() const { return square() && asymmetry <= 1e-12; }
  // Then ssor_sai with an omega near 1 may need more iterations than jacobi (linalg/RESULTS.md).
  bool far_from_m_matrix() const { return 4 * like_diagonal > off_diagonal; }
  bool full_diagonal() const { return square() && diagonal_missing + diagonal_zero == 0; }
  bool constant_null_space() const { return square() && nonzeros > 0 && row_sum <= 1e-12; }
};

MatrixFacts facts_of(const HostMatrix& a);

}  // namespace hodge::tools
