// The coarse matrix of an aggregation: P^T A P with piecewise constant P, whose entries are sums
// over pairs of aggregates. They are then divided by a factor, because piecewise constants
// exaggerate the stiffness; the row sums, what a row has beside its couplings, are not.
//
//   coarse_IJ = g_IJ / factor,   coarse_II = g_II / factor + (1 - 1 / factor) max(0, sum_J g_IJ)
//
// The order of the entries is found once; new values are then summed in this order.
// Source: D. Braess, Computing 55, 1995 (the factor).
#pragma once

#include <memory>
#include <utility>

#include "linalg/matrices/csr.hpp"
#include "linalg/matrices/row_offsets.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg::multigrid {

inline constexpr double stiffness_factor = 1.8;

// The entries of A in the order of the coarse entries that they belong to, and where the entries of
// each coarse entry start.
template <class Space>
struct SummationPlan {
  Buffer<int, Space> order, starts;
};

// Sorts the entries by coarse row and column; leaves the coarse rows in `rows`, in that order.
template <class Space, class T>
void sort_entries(const CsrView<T>& a, const int* aggregate, Buffer<int, Space>& rows,
                  Buffer<int, Space>& order) {
  const int n = a.nonzeros;
  Buffer<int, Space> keys(rows.size());
  int *const key = keys.data(), *const entry = order.data(), *const row = rows.data();
  expand_row_offsets<Space>(a.rows, n, a.row_offsets, row);
  for_each<Space>(n, [=] HODGE_LAMBDA(int k) {
    key[k] = aggregate[a.columns[k]];
    entry[k] = k;
  });
  Space::stable_sort_by_key(n, key, entry);
  for_each<Space>(n, [=] HODGE_LAMBDA(int k) { key[k] = aggregate[row[entry[k]]]; });
  Space::stable_sort_by_key(n, key, entry);
  std::swap(rows, keys);
}

template <class Space, class T>
std::shared_ptr<const CsrPattern<Space>> coarse_pattern(const CsrView<T>& a, const int* aggregate,
                                                        int aggregates,
                                                        SummationPlan<Space>& plan) {
  const int n = a.nonzeros;
  const auto entries = static_cast<std::size_t>(n);
  Buffer<int, Space> rows(entries), numbers(entries + 1);
  plan.order = Buffer<int, Space>(entries);
  sort_entries<Space>(a, aggregate, rows, plan.order);
  const int *const row = rows.data(), *const entry = plan.order.data();
  int* const number = numbers.data();
  for_each<Space>(n, [=] HODGE_LAMBDA(int k) {
    const bool first = k == 0 || row[k] != row[k - 1] ||
                       aggregate[a.columns[entry[k]]] != aggregate[a.columns[entry[k - 1]]];
    number[k] = first ? 1 : 0;
  });
  const auto total = static_cast<std::size_t>(Space::sum(n, number));
  Space::exclusive_scan(n + 1, number, number);
  Buffer<int, Space> offsets(static_cast<std::size_t>(aggregates) + 1), columns(total);
  plan.starts = Buffer<int, Space>(total + 1);
  int *const offset = offsets.data(), *const column = columns.data(),
             *const start = plan.starts.data();
  for_each<Space>(n, [=] HODGE_LAMBDA(int k) {
    if (number[k + 1] > number[k]) {
      start[number[k]] = k;
      column[number[k]] = aggregate[a.columns[entry[k]]];
    }
    if (k == 0 || row[k] != row[k - 1]) offset[row[k]] = number[k];
    if (k == n - 1) {
      start[number[n]] = n;
      offset[aggregates] = number[n];
    }
  });
  return std::make_shared<CsrPattern<Space>>(aggregates, aggregates, std::move(offsets),
                                             std::move(columns));
}

template <class Space, class T>
void sum_entries(const CsrView<T>& a, const SummationPlan<Space>& plan, int coarse_entries,
                 T* values) {
  const int *const order = plan.order.data(), *const starts = plan.starts.data();
  for_each<Space>(coarse_entries, [=] HODGE_LAMBDA(int e) {
    double sum = 0.0;
    for (int k = starts[e]; k < starts[e + 1]; ++k) sum += static_cast<double>(a.values[order[k]]);
    values[e] = static_cast<T>(sum);
  });
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
