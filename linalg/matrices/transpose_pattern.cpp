#include "linalg/matrices/transpose_pattern.hpp"

#include "linalg/matrices/row_offsets.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

template <class Space>
TransposedPattern<Space> room_for_transposed(const CsrPattern<Space>& a) {
  const std::size_t rows = a.cols(), nonzeros = a.nonzeros();
  return {Buffer<int, Space>(rows + 1), Buffer<int, Space>(nonzeros), Buffer<int, Space>(nonzeros)};
}

}  // namespace

TransposedPattern<Host> transpose_in_one_pass(const CsrPattern<Host>& a) {
  TransposedPattern<Host> t = room_for_transposed(a);
  const int* offsets = a.row_offsets().data();
  const int* columns = a.columns().data();

  // Counts stand two places too far, so that after the summation the offsets stand one place too
  // far. The scatter moves each offset to the end of its row, which is the start of the next row.
  int* const next = t.row_offsets.data() + 1;  // next[c]: where the next entry of column c goes
  for (int k = 0; k < a.nonzeros(); ++k) {
    if (columns[k] + 1 < a.cols()) ++next[columns[k] + 1];
  }
  for (int c = 1; c < a.cols(); ++c) next[c] += next[c - 1];
  for (int row = 0; row < a.rows(); ++row) {
    for (int k = offsets[row]; k < offsets[row + 1]; ++k) {
      const int target = next[columns[k]]++;
      t.columns.data()[target] = row;
      t.permutation.data()[target] = k;
    }
  }
  return t;
}

template <class Space>
TransposedPattern<Space> transpose_by_sorting(const CsrPattern<Space>& a) {
  TransposedPattern<Space> t = room_for_transposed(a);
  const int n = a.nonzeros();
  Buffer<int, Space> rows(n), keys = a.columns().copy();
  expand_row_offsets<Space>(a.rows(), n, a.row_offsets().data(), rows.data());
  count_up<Space>(n, t.permutation.data());
  Space::stable_sort_by_key(n, keys.data(), t.permutation.data());
  Space::gather(n, t.permutation.data(), rows.data(), t.columns.data());
  compress_row_indices<Space>(a.cols(), n, keys.data(), Compression::row_changes,
                              t.row_offsets.data());
  return t;
}

#define HODGE_TRANSPOSE_PATTERN(Space) \
  template TransposedPattern<Space> transpose_by_sorting(const CsrPattern<Space>&);
HODGE_FOR_EACH_SPACE(HODGE_TRANSPOSE_PATTERN)

}  // namespace hodge::linalg
