// The bodies of row_statistics() and find_long_rows().
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "linalg/matrices/row_statistics.hpp"
#include "linalg/space/this_space.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg {

namespace detail {

// A maximum starts at 0, so the minimum is found as the largest distance from this number.
inline constexpr double beyond_int = 2147483648.0;

// Empty rows, beyond_int - shortest, longest, sum of (length - mean)^2, lower and upper bandwidth.
template <class Space>
std::array<double, 6> row_totals(int rows, double mean, const int* row_offsets,
                                 const int* columns) {
  constexpr auto sum = Reduction::sum, max = Reduction::max;
  return reduce_to_host<Space, 6>(rows, {sum, max, max, sum, max, max},
                                  [=] HODGE_LAMBDA(int row, double* value) {
                                    const int first = row_offsets[row], last = row_offsets[row + 1];
                                    const double length = last - first;
                                    value[0] = first == last ? 1.0 : 0.0;
                                    value[1] = beyond_int - length;
                                    value[2] = length;
                                    value[3] = (length - mean) * (length - mean);
                                    if (first == last) return;
                                    value[4] = row - columns[first];
                                    value[5] = columns[last - 1] - row;
                                  });
}

// Number and total length of the rows of more than `length` entries.
template <class Space>
std::array<std::int64_t, 2> count_long_rows(int rows, const int* row_offsets, int length) {
  const auto [count, entries] = reduce_to_host<Space, 2>(
      rows, {Reduction::sum, Reduction::sum}, [=] HODGE_LAMBDA(int row, double* value) {
        const int entries_of_row = row_offsets[row + 1] - row_offsets[row];
        value[0] = entries_of_row > length ? 1.0 : 0.0;
        value[1] = entries_of_row > length ? static_cast<double>(entries_of_row) : 0.0;
      });
  return {static_cast<std::int64_t>(count), static_cast<std::int64_t>(entries)};
}

// The rows of more than `length` entries, ascending, and how many entries they have.
template <class Space>
void list_long_rows(int rows, const int* row_offsets, int length, Buffer<int, Space>& list,
                    std::vector<int>& lengths) {
  Buffer<int, Space> position(static_cast<std::size_t>(rows)), entries(list.size());
  int* const place = position.data();
  int* const listed = list.data();
  int* const listed_entries = entries.data();
  for_each<Space>(rows, [=] HODGE_LAMBDA(int row) {
    place[row] = row_offsets[row + 1] - row_offsets[row] > length ? 1 : 0;
  });
  Space::exclusive_scan(rows, place, place);
  for_each<Space>(rows, [=] HODGE_LAMBDA(int row) {
    const int count = row_offsets[row + 1] - row_offsets[row];
    if (count <= length) return;
    listed[place[row]] = row;
    listed_entries[place[row]] = count;
  });
  lengths = entries.to_host();
}

}  // namespace detail

template <class Space>
RowStatistics row_statistics(int rows, int cols, int nonzeros, const int* row_offsets,
                             const int* columns) {
  const SharingRows local({});
  RowStatistics s;
  s.rows = rows;
  s.cols = cols;
  s.nonzeros = nonzeros;
  if (rows == 0) return s;
  s.mean = static_cast<double>(nonzeros) / rows;
  const auto [empty, below, longest, variance, lower, upper] =
      detail::row_totals<Space>(rows, s.mean, row_offsets, columns);
  s.empty_rows = static_cast<int>(empty);
  s.shortest = static_cast<int>(detail::beyond_int - below);
  s.longest = static_cast<int>(longest);
  s.deviation = std::sqrt(variance / rows);
  s.lower_bandwidth = static_cast<int>(lower);
  s.upper_bandwidth = static_cast<int>(upper);
  return s;
}

template <class Space>
LongRows<Space> find_long_rows(int rows, const int* row_offsets, int length,
                               Communicator& processes) {
  const SharingRows local({});
  auto own = detail::count_long_rows<Space>(rows, row_offsets, length), all = own;
  processes.sum(all);
  for (; all[0] > LongRows<Space>::most; length *= 2) {
    own = all = detail::count_long_rows<Space>(rows, row_offsets, 2 * length);
    processes.sum(all);
  }
  LongRows<Space> found;
  found.length = length;
  if (own[0] == 0) return found;
  found.rows = Buffer<int, Space>(static_cast<std::size_t>(own[0]));
  std::vector<int> lengths;
  detail::list_long_rows(rows, row_offsets, length, found.rows, lengths);

  found.piece_length = std::max(2048, static_cast<int>(all[1] / LongRows<Space>::most));
  std::vector<int> first_piece{0}, owner;
  for (std::size_t j = 0; j < lengths.size(); ++j) {
    const int pieces = (lengths[j] - 1) / found.piece_length + 1;
    owner.insert(owner.end(), static_cast<std::size_t>(pieces), static_cast<int>(j));
    first_piece.push_back(static_cast<int>(owner.size()));
  }
  found.first_piece = Buffer<int, Space>(std::span<const int>(first_piece));
  found.owner = Buffer<int, Space>(std::span<const int>(owner));
  return found;
}

template RowStatistics row_statistics<ThisSpace>(int, int, int, const int*, const int*);
template LongRows<ThisSpace> find_long_rows<ThisSpace>(int, const int*, int, Communicator&);

}  // namespace hodge::linalg
