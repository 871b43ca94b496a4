#include "tools/hodge/matrix/facts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "linalg/matrices/transpose.hpp"

namespace hodge::tools {
namespace {

struct RowSums {
  double all = 0, absolute = 0, diagonal = 0;
  bool has_diagonal = false;
};

RowSums sum_row(const HostRows& a, int i) {
  RowSums sums;
  for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
    sums.all += a.values[k];
    sums.absolute += std::abs(a.values[k]);
    if (a.columns[k] != i) continue;
    sums.has_diagonal = true;
    sums.diagonal = a.values[k];
  }
  return sums;
}

void look_at_signs(const HostRows& a, int i, double diagonal, MatrixFacts& facts) {
  for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
    if (a.columns[k] != i && a.values[k] * diagonal > 0) ++facts.like_diagonal;
}

void look_at_diagonal(const RowSums& row, MatrixFacts& facts) {
  if (!row.has_diagonal) {
    ++facts.diagonal_missing;
  } else if (row.diagonal == 0) {
    ++facts.diagonal_zero;
  } else {
    ++(row.diagonal > 0 ? facts.diagonal_positive : facts.diagonal_negative);
  }
  const double own = std::abs(row.diagonal), others = row.absolute - own;
  if (own >= others) ++facts.dominant_rows;
  if (others > 0) facts.least_dominance = std::min(facts.least_dominance, own / others);
}

void look_at_entries(const HostRows& a, MatrixFacts& facts) {
  std::vector<double> column_sums(static_cast<std::size_t>(facts.cols));
  double squares = 0;
  for (int i = 0; i < facts.rows; ++i) {
    for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
      const double value = std::abs(a.values[k]);
      if (value == 0) ++facts.explicit_zeros;
      facts.largest = std::max(facts.largest, value);
      column_sums[static_cast<std::size_t>(a.columns[k])] += value;
    }
  }
  // Scaled by the largest entry, so that squares neither overflow nor vanish.
  for (const double value : a.values) {
    if (facts.largest > 0) squares += (value / facts.largest) * (value / facts.largest);
  }
  facts.norm_frobenius = facts.largest * std::sqrt(squares);
  for (const double sum : column_sums) facts.norm_1 = std::max(facts.norm_1, sum);
}

// Goes along row i of A and of A^T, whose columns both ascend.
void compare_row(const HostRows& a, const HostRows& t, int i, MatrixFacts& facts, double& most) {
  int k = a.offsets[i], m = t.offsets[i];
  while (k < a.offsets[i + 1] || m < t.offsets[i + 1]) {
    const int none = std::numeric_limits<int>::max();
    const int in_a = k < a.offsets[i + 1] ? a.columns[k] : none;
    const int in_t = m < t.offsets[i + 1] ? t.columns[m] : none;
    const double value = in_a <= in_t ? a.values[k++] : 0.0;
    const double mirrored = in_t <= in_a ? t.values[m++] : 0.0;
    if (in_a < in_t) ++facts.unmatched;
    if (in_a < none && in_a <= in_t && in_a != i) ++facts.off_diagonal;
    most = std::max(most, std::abs(value - mirrored));
  }
}

void look_at_symmetry(const HostMatrix& a, MatrixFacts& facts) {
  linalg::TransposedCsr<linalg::Host, double> transposed;
  transposed.setup(a);
  const HostRows rows(a), columns(transposed.matrix());
  double most = 0;
  for (int i = 0; i < facts.rows; ++i) compare_row(rows, columns, i, facts, most);
  facts.asymmetry = facts.largest > 0 ? most / facts.largest : 0.0;
}

}  // namespace

MatrixFacts facts_of(const HostMatrix& matrix) {
  MatrixFacts facts;
  facts.rows = matrix.rows();
  facts.cols = matrix.cols();
  facts.nonzeros = matrix.pattern().nonzeros();
  facts.least_dominance = std::numeric_limits<double>::infinity();
  const HostRows a(matrix);
  facts.lengths = linalg::row_statistics<linalg::Host>(
      facts.rows, facts.cols, matrix.pattern().nonzeros(), a.offsets.data(), a.columns.data());
  look_at_entries(a, facts);
  double row_sum = 0;
  for (int i = 0; i < facts.rows; ++i) {
    const RowSums sums = sum_row(a, i);
    facts.norm_inf = std::max(facts.norm_inf, sums.absolute);
    row_sum = std::max(row_sum, std::abs(sums.all));
    if (!facts.square()) continue;
    look_at_diagonal(sums, facts);
    look_at_signs(a, i, sums.diagonal, facts);
  }
  facts.row_sum = facts.norm_inf > 0 ? row_sum / facts.norm_inf : 0.0;
  if (facts.square()) look_at_symmetry(matrix, facts);
  return facts;
}

}  // namespace hodge::tools
