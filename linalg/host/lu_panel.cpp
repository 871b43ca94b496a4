// Host space: the panel of an LU factorisation, by a team of threads that meet at every column, and
// by Thrust's search for the pivot.
#include <thrust/extrema.h>
#include <thrust/system/omp/execution_policy.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <omp.h>

#include "linalg/compose_exchanges.hpp"
#include "linalg/host/rank_update.hpp"
#include "linalg/space.hpp"

namespace hodge::linalg {

namespace host {

namespace {

// The bits of |x|, which order as the values do; NaN comes last and so does not go unnoticed.
template <class T>
auto magnitude_key(T x) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  return std::bit_cast<Bits>(std::abs(x));
}

struct alignas(64) Candidate {
  std::uint64_t key = 0;
  int row = -1;
};

struct Rows {
  int first, last;
  bool holds(int row) const { return first <= row && row < last; }
  Rows from(int row) const { return {std::max(first, row), last}; }
};

template <class T>
Candidate largest(const DenseView<T>& a, int c, const Rows& rows) {
  Candidate best;
  const T* const column = &a(0, c);
  for (int i = rows.first; i < rows.last; ++i) {
    const std::uint64_t key = magnitude_key(column[i]);
    if (best.row < 0 || key > best.key) {
      best.key = key;
      best.row = i;
    }
  }
  return best;
}

template <class T>
void note_pivot(T pivot, int column, LuStatus* status) {
  if (pivot == T(0) && status->singular < 0) status->singular = column;
  if (!std::isfinite(pivot) && status->invalid < 0) status->invalid = column;
}

template <class T>
void exchange_two_rows(const DenseView<T>& a, int row, int other) {
  if (row == other) return;
  for (int k = 0; k < a.cols; ++k) std::swap(a(row, k), a(other, k));
}

// What one thread of the team does. All of it: columns by groups of `group`; within a group an
// update of one column after the other, then one update of the columns to the right.
template <class T>
class PanelWorker {
 public:
  PanelWorker(const DenseView<T>& a, const Rows& rows, Candidate* best, int* pivots)
      : a_(a), rows_(rows), best_(best), pivots_(pivots) {}

  void factor(int me, int team, int first_column, LuStatus* status) {
    for (int first = 0; first < a_.cols; first += group) {
      const int last = std::min(first + group, a_.cols);
      for (int c = first; c < last; ++c) {
        best_[me] = largest(a_, c, rows_.from(c));
#pragma omp barrier
        const int pivot = find_pivot(team);
        T row[group];
        for (int k = c; k < last; ++k) row[k - first] = a_(pivot, k);
#pragma omp barrier
        if (rows_.holds(pivot)) exchange_two_rows(a_, c, pivot);
        if (me == 0) {
          pivots_[c] = pivot;
          note_pivot(row[c - first], first_column + c, status);
        }
        eliminate(first, c, last, row);
      }
      update_right(me, first, last);
    }
  }

 private:
  static constexpr int group = rank_update_depth;

  int find_pivot(int team) const {
    Candidate pivot;
    for (int t = 0; t < team; ++t) {
      if (best_[t].row >= 0 && (pivot.row < 0 || best_[t].key > pivot.key)) pivot = best_[t];
    }
    return pivot.row;
  }

  void eliminate(int first, int c, int last, const T* row) {
    const Rows below = rows_.from(c + 1);
    const T pivot = row[c - first];
    T* const multiplier = &a_(0, c);
    for (int i = below.first; i < below.last; ++i) {
      multiplier[i] = pivot == T(0) ? T(0) : multiplier[i] / pivot;
    }
    for (int k = c + 1; k < last; ++k) {
      const T factor = row[k - first];
      T* const column = &a_(0, k);
      for (int i = below.first; i < below.last; ++i) column[i] -= multiplier[i] * factor;
    }
  }

  // Rows first .. last-1 of U in the columns right of the group, which every thread computes for
  // itself, and the update below them.
  void update_right(int me, int first, int last) {
    const int right = a_.cols - last, depth = last - first;
    if (right == 0) return;
#pragma omp barrier
    T u[group * lu_panel_width];
    for (int k = 0; k < right; ++k) {
      for (int i = 0; i < depth; ++i) {
        T value = a_(first + i, last + k);
        for (int j = 0; j < i; ++j) value -= a_(first + i, first + j) * u[j + k * group];
        u[i + k * group] = value;
      }
    }
#pragma omp barrier
    for (int k = 0; me == 0 && k < right; ++k) {
      for (int i = 0; i < depth; ++i) a_(first + i, last + k) = u[i + k * group];
    }
    const Rows below = rows_.from(last);
    if (below.first >= below.last || depth < group) return;
    rank_update(below.last - below.first, right, &a_(below.first, first), a_.stride, u,
                &a_(below.first, last), a_.stride);
  }

  const DenseView<T>& a_;
  const Rows rows_;
  Candidate* const best_;
  int* const pivots_;
};

void store(const std::vector<int>& pivots, const RowExchange& exchange) {
  const ComposedExchange composed = compose_exchanges(pivots);
  std::copy(composed.source.begin(), composed.source.end(), exchange.source);
  std::copy(composed.destination.begin(), composed.destination.end(), exchange.destination);
}

}  // namespace

}  // namespace host

template <>
template <class T>
void Primitives<Host>::lu_panel(const DenseView<T>& a, const RowExchange& exchange,
                                int first_column, LuStatus* status) {
  constexpr int least_rows = 512;  // of a thread: below, meeting costs more than it gains
  const int most = std::max(1, std::min(omp_get_max_threads(), a.rows / least_rows));
  std::vector<host::Candidate> best(static_cast<std::size_t>(most));
  std::vector<int> pivots(static_cast<std::size_t>(a.cols));
#pragma omp parallel num_threads(most) if (most > 1)
  {
    const int me = omp_get_thread_num(), team = omp_get_num_threads();
    const auto start = [&](int t) {
      return static_cast<int>(static_cast<long long>(a.rows) * t / team);
    };
    host::PanelWorker<T>(a, {start(me), start(me + 1)}, best.data(), pivots.data())
        .factor(me, team, first_column, status);
  }
  host::store(pivots, exchange);
}

template <>
template <class T>
void Primitives<Host>::lu_panel_by_thrust(const DenseView<T>& a, const RowExchange& exchange,
                                          int first_column, LuStatus* status) {
  const auto smaller = [](T x, T y) { return host::magnitude_key(x) < host::magnitude_key(y); };
  std::vector<int> pivots;
  for (int c = 0; c < a.cols; ++c) {
    T* const column = &a(0, c);
    const T* const found =
        thrust::max_element(thrust::omp::par, column + c, column + a.rows, smaller);
    pivots.push_back(static_cast<int>(found - column));
    host::exchange_two_rows(a, c, pivots.back());
    const T pivot = column[c];
    host::note_pivot(pivot, first_column + c, status);
#pragma omp parallel for schedule(static) if (a.rows > 4096)
    for (int i = c + 1; i < a.rows; ++i) {
      column[i] = pivot == T(0) ? T(0) : column[i] / pivot;
      for (int k = c + 1; k < a.cols; ++k) a(i, k) -= column[i] * a(c, k);
    }
  }
  host::store(pivots, exchange);
}

#define HODGE_PANEL(T)                                                                             \
  template void Primitives<Host>::lu_panel(const DenseView<T>&, const RowExchange&, int,           \
                                           LuStatus*);                                             \
  template void Primitives<Host>::lu_panel_by_thrust(const DenseView<T>&, const RowExchange&, int, \
                                                     LuStatus*);
HODGE_PANEL(double)
HODGE_PANEL(float)

}  // namespace hodge::linalg
