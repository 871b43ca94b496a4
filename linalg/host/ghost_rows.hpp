// The rows of a matrix that processes share, in the order that hides the messages: the ghosts are
// sent for, the rows that need none are summed, and then the others (matrices/row_sharing.hpp).
#pragma once

#include <algorithm>

#include "linalg/host/row_sums.hpp"
#include "linalg/processes/ghost_exchange.hpp"

namespace hodge::linalg::host {

inline constexpr int few_ghost_rows = 1024;  // these are left to one thread

// A vector and the ghosts behind it.
template <class T>
struct WithGhosts {
  const T* own;
  const T* ghosts;
  int own_count;
  T operator[](int column) const {
    return column < own_count ? own[column] : ghosts[column - own_count];
  }
};

// f(first, last) for the runs of rows without ghosts.
template <class T, class F>
void for_each_own_run(const CsrView<T>& a, int first, int last, F f) {
  const int *const begin = a.ghosts.rows, *const end = begin + a.ghosts.count;
  for (const int* next = std::lower_bound(begin, end, first); next != end && *next < last; ++next) {
    if (first < *next) f(first, *next);
    first = *next + 1;
  }
  if (first < last) f(first, last);
}

template <int Lanes, class T, class Rows, class Finish>
void sum_ghost_rows(const CsrView<T>& a, const WithGhosts<T>& x, Rows range, Finish finish) {
#pragma omp parallel for schedule(static) if (a.ghosts.count > few_ghost_rows)
  for (int i = 0; i < a.ghosts.count; ++i) {
    const int row = a.ghosts.rows[i];
    if (!is_long(a, row)) finish(row, range_sum<Lanes>(a, x, range(row)));
  }
}

}  // namespace hodge::linalg::host
