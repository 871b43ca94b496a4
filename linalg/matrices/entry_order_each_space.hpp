// The bodies of entry_order.hpp.
#pragma once

#include <utility>

#include "linalg/matrices/entry_order.hpp"
#include "linalg/space/this_space.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg {

namespace detail {

// Makes one of the sorted entries at the same place; before[k]: the places before entry k.
template <class Space>
void join_places(const Buffer<int, Space>& before, int places, Buffer<int, Space>& rows,
                 Buffer<int, Space>& columns, Buffer<int, Space>& starts) {
  const int n = static_cast<int>(rows.size());
  Buffer<int, Space> place_rows(places), place_columns(places);
  starts = Buffer<int, Space>(static_cast<std::size_t>(places) + 1);
  const int *const place = before.data(), *const row = rows.data(), *const column = columns.data();
  int *const start = starts.data(), *const row_of = place_rows.data(),
             *const column_of = place_columns.data();
  for_each<Space>(n, [=] HODGE_LAMBDA(int k) {
    if (k == n - 1) start[places] = n;
    if (place[k + 1] == place[k]) return;
    start[place[k]] = k;
    row_of[place[k]] = row[k];
    column_of[place[k]] = column[k];
  });
  rows = std::move(place_rows);
  columns = std::move(place_columns);
}

}  // namespace detail

template <class Space>
EntryOrder<Space> order_entries(int rows, int cols, const Buffer<int, Space>& row_indices,
                                const Buffer<int, Space>& columns, Compression how) {
  const int n = static_cast<int>(columns.size());
  EntryOrder<Space> sorted{nullptr, Buffer<int, Space>(columns.size()), {}};
  int* const order = sorted.order.data();
  Buffer<int, Space> in_rows = columns.copy(), in_columns(columns.size()), places_before(n + 1LL);
  count_up<Space>(n, order);
  Space::stable_sort_by_key(n, in_rows.data(), order);
  Space::gather(n, order, row_indices.data(), in_rows.data());
  Space::stable_sort_by_key(n, in_rows.data(), order);
  Space::gather(n, order, columns.data(), in_columns.data());
  const int *const row = in_rows.data(), *const column = in_columns.data();
  int* const place = places_before.data();
  for_each<Space>(n, [=] HODGE_LAMBDA(int k) {
    place[k] = k == 0 || row[k] != row[k - 1] || column[k] != column[k - 1] ? 1 : 0;
  });
  const auto places = static_cast<int>(Space::sum(n, place));
  if (places < n) {
    Space::exclusive_scan(n + 1, place, place);
    detail::join_places(places_before, places, in_rows, in_columns, sorted.starts);
  }
  Buffer<int, Space> row_offsets(static_cast<std::size_t>(rows) + 1);
  compress_row_indices<Space>(rows, places, in_rows.data(), how, row_offsets.data());
  sorted.pattern = std::make_shared<const CsrPattern<Space>>(rows, cols, std::move(row_offsets),
                                                             std::move(in_columns));
  return sorted;
}

template <class Space, class T>
void sum_entries(const EntryOrder<Space>& entries, const T* values, T* sums) {
  const int places = entries.pattern->nonzeros();
  const int *const order = entries.order.data(), *const starts = entries.starts.data();
  if (starts == nullptr) return Space::gather(places, order, values, sums);
  for_each<Space>(places, [=] HODGE_LAMBDA(int p) {
    double sum = 0.0;
    for (int k = starts[p]; k < starts[p + 1]; ++k) sum += static_cast<double>(values[order[k]]);
    sums[p] = static_cast<T>(sum);
  });
}

template EntryOrder<ThisSpace> order_entries(int, int, const Buffer<int, ThisSpace>&,
                                             const Buffer<int, ThisSpace>&, Compression);
template void sum_entries(const EntryOrder<ThisSpace>&, const double*, double*);
template void sum_entries(const EntryOrder<ThisSpace>&, const float*, float*);

}  // namespace hodge::linalg
