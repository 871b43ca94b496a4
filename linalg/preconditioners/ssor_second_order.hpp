// The truncated SSOR inverse of order 2, for SsorProduct: its factors with their own patterns, and
// their product on the pattern of A.
#pragma once

#include <climits>

#include "linalg/preconditioners/ssor_first_order.hpp"
#include "linalg/preconditioners/ssor_product.hpp"

namespace hodge::linalg::sai {

// Smallest column greater than `after` in row i of I + U + U^2; INT_MAX where there is none.
template <class T>
HODGE_HD int next_column(const CsrView<T>& a, int i, int after) {
  int next = INT_MAX;
  for (int p = upper_begin(a, i); p < a.row_offsets[i + 1]; ++p) {
    const int k = a.columns[p];
    if (k >= next) break;  // the later rows have only larger columns
    if (k > after) next = k;
    const int last = a.row_offsets[k + 1];
    const int q = lower_bound(a.columns, upper_begin(a, k), last, after + 1);
    if (q < last && a.columns[q] < next) next = a.columns[q];
  }
  return next;
}

template <class T>
struct FactorRow {
  const int* columns;
  const T* values;
  int length;
};

template <class T>
struct FactorView {
  const int* row_offsets;
  const int* columns;
  const T* values;

  HODGE_HD FactorRow<T> row(int i) const {
    const int first = row_offsets[i];
    return {columns + first, values + first, row_offsets[i + 1] - first};
  }
};

template <class Space, class T>
FactorView<T> view(const NeumannFactor<Space, T>& f) {
  return {f.row_offsets.data(), f.columns.data(), f.values.data()};
}

// sum_k V_ik d_k W_jk, over the entries of the shorter row, which are searched in the longer one.
template <class T>
HODGE_HD double inner_product(const FactorRow<T>& v, const FactorRow<T>& w, const T* d) {
  const bool v_is_shorter = v.length <= w.length;
  const FactorRow<T> shorter = v_is_shorter ? v : w, longer = v_is_shorter ? w : v;
  const bool search = longer.length > 8 * shorter.length;
  double sum = 0.0;
  for (int p = 0, q = 0; p < shorter.length; ++p) {
    const int k = shorter.columns[p];
    if (search) {
      q = lower_bound(longer.columns, q, longer.length, k);
    } else {
      while (q < longer.length && longer.columns[q] < k) ++q;
    }
    if (q == longer.length) break;
    if (longer.columns[q] == k) {  // in this order of factors P comes out exactly symmetric
      sum += static_cast<double>(d[k]) *
             (static_cast<double>(shorter.values[p]) * static_cast<double>(longer.values[q]));
    }
  }
  return sum;
}

template <class Space, class T>
void count_factor(const CsrView<T>& a, int* counts) {
  for_each<Space>(a.rows, [=] HODGE_LAMBDA(int i) {
    int count = 1;
    for (int c = next_column(a, i, i); c != INT_MAX; c = next_column(a, i, c)) ++count;
    counts[i] = count;
  });
}

template <class Space, class T>
void list_factor_columns(const CsrView<T>& a, const int* row_offsets, int* columns) {
  for_each<Space>(a.rows, [=] HODGE_LAMBDA(int i) {
    int position = row_offsets[i];
    columns[position++] = i;
    for (int c = next_column(a, i, i); c != INT_MAX; c = next_column(a, i, c))
      columns[position++] = c;
  });
}

// V = I - X + X^2, X = D'^-1 U.
template <class Space, class T>
void fill_factor_values(const CsrView<T>& a, const T* d, const int* row_offsets, const int* columns,
                        T* values) {
  for_each<Space>(a.rows, [=] HODGE_LAMBDA(int i) {
    const int first = row_offsets[i], last = row_offsets[i + 1];
    values[first] = T(1);
    for (int p = first + 1; p < last; ++p) values[p] = T(0);
    int own = first + 1;
    for (int p = upper_begin(a, i); p < a.row_offsets[i + 1]; ++p) {
      const int k = a.columns[p];
      const T x = d[i] * a.values[p];
      while (columns[own] < k) ++own;
      values[own] -= x;
      int square = own;
      for (int q = upper_begin(a, k); q < a.row_offsets[k + 1]; ++q) {
        square = lower_bound(columns, square, last, a.columns[q]);
        values[square] += x * d[k] * a.values[q];
      }
    }
  });
}

template <class Space, class T>
void fill_product(const CsrView<T>& p, double factor, FactorView<T> v, FactorView<T> w, const T* d,
                  T* values) {
  for_each<Space>(p.rows, [=] HODGE_LAMBDA(int i) {
    for (int k = p.row_offsets[i]; k < p.row_offsets[i + 1]; ++k)
      values[k] = static_cast<T>(factor * inner_product(v.row(i), w.row(p.columns[k]), d));
  });
}

}  // namespace hodge::linalg::sai
