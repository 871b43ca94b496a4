#include "tools/hodge/matrix/matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/matrices/transpose.hpp"

namespace hodge::tools {
namespace {

// The sums of row i, and in a square matrix its diagonal.
void look_at_row(const HostRows& a, int i, MatrixFacts& facts) {
  double all = 0, absolute = 0, diagonal = 0;
  bool has_diagonal = false;
  for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
    all += a.values[k];
    absolute += std::abs(a.values[k]);
    if (a.columns[k] != i) continue;
    has_diagonal = true;
    diagonal = a.values[k];
  }
  facts.norm_inf = std::max(facts.norm_inf, absolute);
  facts.row_sum = std::max(facts.row_sum, std::abs(all));
  if (!facts.square()) return;
  ++(!has_diagonal   ? facts.diagonal_missing
     : diagonal == 0 ? facts.diagonal_zero
     : diagonal > 0  ? facts.diagonal_positive
                     : facts.diagonal_negative);
  for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
    if (a.columns[k] != i && a.values[k] * diagonal > 0) ++facts.like_diagonal;
  const double own = std::abs(diagonal), others = absolute - own;
  if (own >= others) ++facts.dominant_rows;
  if (others > 0) facts.least_dominance = std::min(facts.least_dominance, own / others);
}

void look_at_entries(const HostRows& a, MatrixFacts& facts) {
  std::vector<double> column_sums(static_cast<std::size_t>(facts.cols));
  double squares = 0;
  for (int i = 0; i < facts.rows; ++i)
    for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
      const double value = std::abs(a.values[k]);
      if (value == 0) ++facts.explicit_zeros;
      facts.largest = std::max(facts.largest, value);
      column_sums[static_cast<std::size_t>(a.columns[k])] += value;
    }
  // Scaled by the largest entry, so that squares neither overflow nor vanish.
  for (const double value : a.values)
    if (facts.largest > 0) squares += (value / facts.largest) * (value / facts.largest);
  facts.norm_frobenius = facts.largest * std::sqrt(squares);
  for (const double sum : column_sums) facts.norm_1 = std::max(facts.norm_1, sum);
}

// Goes along the rows of A and of A^T, whose columns both ascend.
void look_at_symmetry(const HostMatrix& matrix, MatrixFacts& facts) {
  linalg::TransposedCsr<linalg::Host, double> transposed;
  transposed.setup(matrix);
  const HostRows a(matrix), t(transposed.matrix());
  constexpr int none = std::numeric_limits<int>::max();
  double most = 0;
  for (int i = 0; i < facts.rows; ++i) {
    int k = a.offsets[i], m = t.offsets[i];
    while (k < a.offsets[i + 1] || m < t.offsets[i + 1]) {
      const int in_a = k < a.offsets[i + 1] ? a.columns[k] : none;
      const int in_t = m < t.offsets[i + 1] ? t.columns[m] : none;
      const double value = in_a <= in_t ? a.values[k++] : 0.0;
      const double mirrored = in_t <= in_a ? t.values[m++] : 0.0;
      if (in_a < in_t) ++facts.unmatched;
      if (in_a < none && in_a <= in_t && in_a != i) ++facts.off_diagonal;
      most = std::max(most, std::abs(value - mirrored));
    }
  }
  facts.asymmetry = facts.largest > 0 ? most / facts.largest : 0.0;
}

}  // namespace

std::optional<double> relative_difference(const std::vector<double>& x,
                                          const std::vector<double>& reference) {
  double largest = 0, scale = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    largest = std::max(largest, std::abs(x[i] - reference[i]));
    scale = std::max(scale, std::abs(reference[i]));
  }
  if (!(scale > 0)) return std::nullopt;
  return largest / scale;
}

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
  for (int i = 0; i < facts.rows; ++i) look_at_row(a, i, facts);
  facts.row_sum = facts.norm_inf > 0 ? facts.row_sum / facts.norm_inf : 0.0;
  if (facts.square()) look_at_symmetry(matrix, facts);
  return facts;
}

}  // namespace hodge::tools
