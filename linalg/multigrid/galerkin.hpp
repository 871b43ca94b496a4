// The coarse matrix of an aggregation: P^T A P with piecewise constant P, whose entries are sums
// over pairs of aggregates. They are then divided by a factor, because piecewise constants
// exaggerate the stiffness; the row sums, what a row has beside its couplings, are not.
//
//   coarse_IJ = g_IJ / factor,   coarse_II = g_II / factor + (1 - 1 / factor) max(0, sum_J g_IJ)
//
// The order of the entries is found once (matrices/entry_order.hpp).
// Source: D. Braess, Computing 55, 1995 (the factor).
#pragma once

#include "linalg/matrices/entry_order.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg::multigrid {

inline constexpr double stiffness_factor = 1.8;

// The pattern of the coarse matrix, and the entries of A that belong to each of its entries.
template <class Space, class T>
EntryOrder<Space> coarse_entries(const CsrView<T>& a, const int* aggregate, int aggregates) {
  Buffer<int, Space> rows(a.nonzeros), columns(a.nonzeros);
  int *const row = rows.data(), *const column = columns.data();
  expand_row_offsets<Space>(a.rows, a.nonzeros, a.row_offsets, row);
  for_each<Space>(a.nonzeros, [=] HODGE_LAMBDA(int k) {
    row[k] = aggregate[row[k]];
    column[k] = aggregate[a.columns[k]];
  });
  return order_entries(aggregates, aggregates, rows, columns);
}

template <class Space, class T>
void soften(const CsrView<T>& coarse, double factor, T* values) {
  for_each<Space>(coarse.rows, [=] HODGE_LAMBDA(int i) {
    double row_sum = 0.0;
    for (int k = coarse.row_offsets[i]; k < coarse.row_offsets[i + 1]; ++k)
      row_sum += static_cast<double>(values[k]);
    const double kept = row_sum > 0.0 ? (1.0 - 1.0 / factor) * row_sum : 0.0;
    for (int k = coarse.row_offsets[i]; k < coarse.row_offsets[i + 1]; ++k)
      values[k] = static_cast<T>(static_cast<double>(values[k]) / factor +
                                 (coarse.columns[k] == i ? kept : 0.0));
  });
}

}  // namespace hodge::linalg::multigrid
