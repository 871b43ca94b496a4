// The truncated SSOR inverse of order 1, computed directly from the rows of A, for SsorProduct.
#pragma once

#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg::sai {

// Position of the first of columns[first..last) that is greater than (or equal to) `column`.
HODGE_HD inline int lower_bound(const int* columns, int first, int last, int column) {
  while (first < last) {
    const int middle = first + (last - first) / 2;
    if (columns[middle] < column) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

// The position of the first entry of row i right of the diagonal.
template <class T>
HODGE_HD int upper_begin(const CsrView<T>& a, int i) {
  const int k = a.diagonal[i];
  return k < a.row_offsets[i + 1] && a.columns[k] == i ? k + 1 : k;
}

// A row of P while its sums are computed: a short row in registers, a longer one in memory.
template <class T, int Capacity>
struct RowInRegisters {
  int column[Capacity];
  T sum[Capacity];

  HODGE_HD RowInRegisters(const int* columns, int length) {
    for (int q = 0; q < Capacity; ++q) {
      column[q] = q < length ? columns[q] : -1;
      sum[q] = T(0);
    }
  }
  HODGE_HD int find(int j) const {
    int found = -1;
    for (int q = 0; q < Capacity; ++q) found = column[q] == j ? q : found;
    return found;
  }
  HODGE_HD void add(int position, T value) {  // no variable index: the array stays in registers
    for (int q = 0; q < Capacity; ++q) sum[q] += q == position ? value : T(0);
  }
  HODGE_HD void wait() const {}
  HODGE_HD void store(T* values, int length) const {
    for (int q = 0; q < Capacity; ++q) {
      if (q < length) values[q] = sum[q];
    }
  }
};

template <class T>
struct RowInMemory {
  const int* columns;
  T* values;
  int length;

  HODGE_HD RowInMemory(const int* the_columns, T* the_values, int the_length)
      : columns(the_columns), values(the_values), length(the_length) {
    for (int q = 0; q < length; ++q) values[q] = T(0);
  }
  HODGE_HD int find(int j) const {
    const int q = lower_bound(columns, 0, length, j);
    return q < length && columns[q] == j ? q : -1;
  }
  HODGE_HD void add(int position, T value) { values[position] += value; }
  HODGE_HD void wait() const {}
};

// Row i of P of order 1: V_ik = -d_i a_ik and W_jk = -d_j a_kj are both in rows of A. The row is
// the sum over k of V_ik d_k times the part of row k up to its diagonal. `lanes` threads divide
// that part among them; row.wait() waits for all of them.
template <class T, class Row>
HODGE_HD void sum_first_order(const CsrView<T>& a, T factor, const T* d, int i, Row& row,
                              int lane = 0, int lanes = 1) {
  const int begin = upper_begin(a, i), end = a.row_offsets[i + 1];
  for (int u = begin - 1; u < end; ++u) {  // begin - 1 stands for the diagonal
    const int k = u < begin ? i : a.columns[u];
    const T v = u < begin ? T(1) : -d[i] * a.values[u];
    const T scale = factor * d[k];
    const int diagonal = a.diagonal[k];
    for (int l = a.row_offsets[k] + lane; l <= diagonal; l += lanes) {
      const int j = l < diagonal ? a.columns[l] : k;
      const int position = row.find(j);
      if (position < 0) continue;
      const T w = j == k ? T(1) : -d[j] * a.values[l];
      row.add(position, scale * (v * w));  // in this order P comes out exactly symmetric
    }
    row.wait();
  }
}

template <class Space, class T>
void fill_first_order(const CsrView<T>& a, double factor, const T* d, const CsrView<T>& p,
                      T* values) {
  constexpr int short_row = 8;
  for_each<Space>(a.rows, [=] HODGE_LAMBDA(int i) {
    const int first = p.row_offsets[i], length = p.row_offsets[i + 1] - first;
    if (length <= short_row) {
      RowInRegisters<T, short_row> row(p.columns + first, length);
      sum_first_order(a, static_cast<T>(factor), d, i, row);
      row.store(values + first, length);
    } else {
      RowInMemory<T> row(p.columns + first, values + first, length);
      sum_first_order(a, static_cast<T>(factor), d, i, row);
    }
  });
}

}  // namespace hodge::linalg::sai
