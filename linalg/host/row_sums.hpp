// The kernels of the Host space: each gives the sums of a block of rows, sum over k of
// values[k] * x[columns[k]], to finish(row, sum).
//
// range(row) gives the entries of a row that are summed. Rows of more than long_rows.length entries
// are left out; sum_long_rows() cuts them into pieces and divides these among the threads.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "linalg/host/row_partition.hpp"

namespace hodge::linalg::host {

template <class T>
bool is_long(const CsrView<T>& a, int row) {
  return a.row(row).size() > a.long_rows.length;
}

// Adds entry k to partial sum (k - first) % Lanes, and then the partial sums pairwise: the compiler
// keeps them in vector registers. X: a vector, or one with ghosts (ghost_rows.hpp).
template <int Lanes, class T, class X>
double range_sum(const CsrView<T>& a, X x, RowRange r) {
  if constexpr (Lanes == 1) {  // one plain loop: two would be slow for short rows
    const T* const values = a.values;
    const int* const columns = a.columns;
    double sum = 0.0;
    for (int k = r.first; k < r.last; ++k)
      sum += static_cast<double>(values[k]) * static_cast<double>(x[columns[k]]);
    return sum;
  }
  double partial[Lanes] = {};
  int k = r.first;
  for (; r.last - k >= Lanes; k += Lanes) {
    for (int j = 0; j < Lanes; ++j)
      partial[j] += static_cast<double>(a.values[k + j]) * static_cast<double>(x[a.columns[k + j]]);
  }
  for (int j = 0; k < r.last; ++j, ++k)
    partial[j] += static_cast<double>(a.values[k]) * static_cast<double>(x[a.columns[k]]);
  for (int half = Lanes / 2; half > 0; half /= 2) {
    for (int j = 0; j < half; ++j) partial[j] += partial[j + half];
  }
  return partial[0];
}

// csr_scalar (one lane) and csr_vector
template <int Lanes, class T, class Rows, class Finish>
void sum_rows(const CsrView<T>& a, const T* x, int first_row, int last_row, Rows range,
              Finish finish) {
  for (int row = first_row; row < last_row; ++row) {
    if (!is_long(a, row)) finish(row, range_sum<Lanes>(a, x, range(row)));
  }
}

// csr_diagonals: reads the columns only of the few rows without entries on all diagonals.
template <class T, class Rows, class Finish>
void sum_diagonals(const CsrView<T>& a, const T* x, int first_row, int last_row, Rows range,
                   Finish finish) {
  const DiagonalsView on = a.diagonals;
  const unsigned all = (1u << on.count) - 1u;
  for (int row = first_row; row < last_row; ++row) {
    const RowRange r = range(row);
    if (on.mask[row] != all) {
      finish(row, range_sum<1>(a, x, r));
      continue;
    }
    const int start = a.row_offsets[row];
    double sum = 0.0;
    for (int d = r.first - start; d < r.last - start; ++d)
      sum += static_cast<double>(a.values[start + d]) * static_cast<double>(x[row + on.offset[d]]);
    finish(row, sum);
  }
}

// csr_diagonals of a transpose: the sums of columns of the stored matrix, over the diagonals whose
// bits are in `wanted`, by ascending row.
template <class T, class Finish>
void sum_columns(const CsrView<T>& a, const T* x, int first_column, int last_column,
                 unsigned wanted, Finish finish) {
  const DiagonalsView on = a.diagonals;
  const unsigned all = (1u << on.count) - 1u;
  for (int column = first_column; column < last_column; ++column) {
    double sum = 0.0;
    for (int d = on.count - 1; d >= 0; --d) {
      const int row = column - on.offset[d];
      if ((wanted >> d & 1u) == 0 || row < 0 || row >= a.rows) continue;
      const unsigned mask = on.mask[row];
      if ((mask >> d & 1u) == 0) continue;
      const int before = mask == all ? d : std::popcount(mask & ((1u << d) - 1u));
      sum +=
          static_cast<double>(a.values[a.row_offsets[row] + before]) * static_cast<double>(x[row]);
    }
    finish(column, sum);
  }
}

// csr_two_step, first step
template <class T>
void store_products(const CsrView<T>& a, const T* x) {
#pragma omp parallel for schedule(static) if (a.nonzeros > 4096)
  for (int k = 0; k < a.nonzeros; ++k)
    a.products[k] = static_cast<double>(a.values[k]) * static_cast<double>(x[a.columns[k]]);
}

// csr_two_step, second step
template <class T, class Finish>
void sum_products(const CsrView<T>& a, int first_row, int last_row, Finish finish) {
  for (int row = first_row; row < last_row; ++row) {
    if (is_long(a, row)) continue;
    double sum = 0.0;
    for (int k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k) sum += a.products[k];
    finish(row, sum);
  }
}

// The rows that the kernels leave out: sums the pieces, then for each row adds its pieces in order.
template <class T, class X, class Rows, class Finish>
void sum_long_rows(const CsrView<T>& a, X x, Rows range, Finish finish) {
  const LongRowsView& l = a.long_rows;
  if (l.pieces == 0) return;
  static thread_local std::vector<double> partial;  // kept from call to call
  partial.resize(static_cast<std::size_t>(l.pieces));
  double* const sums = partial.data();  // of the calling thread; every thread writes to it
#pragma omp parallel for schedule(static)
  for (int piece = 0; piece < l.pieces; ++piece) {
    const int j = l.owner[piece];
    const RowRange whole = a.row(l.rows[j]), part = range(l.rows[j]);
    const int begin = whole.first + (piece - l.first_piece[j]) * l.piece_length;
    const int end = begin + std::min(l.piece_length, whole.last - begin);
    sums[piece] = range_sum<4>(a, x, {std::max(begin, part.first), std::min(end, part.last)});
  }
  for (int j = 0; j < l.count; ++j) {
    double total = 0.0;
    for (int p = l.first_piece[j]; p < l.first_piece[j + 1]; ++p) total += sums[p];
    finish(l.rows[j], total);
  }
}

}  // namespace hodge::linalg::host
