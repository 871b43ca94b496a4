// The entries that SsorProduct keeps: the largest of each row, the diagonal, and mirror images.
#pragma once

#include <climits>
#include <cmath>
#include <cstring>

#include "linalg/matrices/row_offsets.hpp"
#include "linalg/preconditioners/ssor_first_order.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg::sai {

// Sort key that puts large magnitudes first: the bits of a positive float are ordered as it is.
template <class T>
HODGE_HD int magnitude_key(T value) {
  const float magnitude = static_cast<float>(value < T(0) ? -value : value);
  int bits = 0;
  memcpy(&bits, &magnitude, sizeof bits);
  return INT_MAX - bits;
}

// keep[k] = 1 for the ceil(alpha n) largest of the n entries of each row and for the diagonal.
template <class Space, class T>
void mark_largest(const CsrView<T>& p, double alpha, int* keep) {
  const auto n = static_cast<std::size_t>(p.nonzeros);
  Buffer<int, Space> keys(n), positions(n), rows(n);
  int* const key = keys.data();
  int* const position = positions.data();
  int* const row = rows.data();
  expand_row_offsets<Space>(p.rows, p.nonzeros, p.row_offsets, row);
  for_each<Space>(p.nonzeros, [=] HODGE_LAMBDA(int k) {
    key[k] = magnitude_key(p.values[k]);
    position[k] = k;
  });
  Space::stable_sort_by_key(p.nonzeros, key, position);
  Space::gather(p.nonzeros, position, row, key);
  Space::stable_sort_by_key(p.nonzeros, key, position);
  for_each<Space>(p.nonzeros, [=] HODGE_LAMBDA(int s) {
    const int i = key[s], k = position[s];
    const int length = p.row_offsets[i + 1] - p.row_offsets[i];
    const bool large = s - p.row_offsets[i] < static_cast<int>(ceil(alpha * length));
    keep[k] = large || p.columns[k] == i ? 1 : 0;
  });
}

// counts[i] = entries of row i that are kept or whose mirror image is.
template <class Space, class T>
void mark_mirror_images(const CsrView<T>& p, const int* keep, int* keep_symmetric, int* counts) {
  for_each<Space>(p.rows, [=] HODGE_LAMBDA(int i) {
    int count = 0;
    for (int k = p.row_offsets[i]; k < p.row_offsets[i + 1]; ++k) {
      const int j = p.columns[k], last = p.row_offsets[j + 1];
      const int mirror = lower_bound(p.columns, p.row_offsets[j], last, i);
      const bool mirrored = mirror < last && p.columns[mirror] == i && keep[mirror] == 1;
      keep_symmetric[k] = keep[k] == 1 || mirrored ? 1 : 0;
      count += keep_symmetric[k];
    }
    counts[i] = count;
  });
}

template <class Space, class T>
void list_kept_columns(const CsrView<T>& p, const int* keep, const int* row_offsets, int* columns) {
  for_each<Space>(p.rows, [=] HODGE_LAMBDA(int i) {
    int position = row_offsets[i];
    for (int k = p.row_offsets[i]; k < p.row_offsets[i + 1]; ++k) {
      if (keep[k] == 1) columns[position++] = p.columns[k];
    }
  });
}

}  // namespace hodge::linalg::sai
