// Host space: the blocked right-looking LU factorisation, with look-ahead.
//
// After a block of columns is factored, the columns to its right are updated in strips, which are
// divided among the threads. The thread that updates the first strip, the next block, also factors
// it, while the other threads update theirs. So the sequential part of the method overlaps with the
// products, and the threads synchronise once per block instead of once per column. Each strip is
// updated by one thread, through a BLAS on one thread if there is a BLAS. The strips do not depend
// on the number of threads.
//
// A block is factored by halves (S. Toledo, SIAM J. Matrix Anal. Appl. 18, 1997, 1065): the left
// half, the update of the right half, the right half. So most work is products here, too.
#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/host/lu_leaf.hpp"
#include "linalg/space/compose_exchanges.hpp"
#include "linalg/space/instantiate.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg {

namespace host {

namespace {

template <class T>
void exchange_two_rows(const DenseView<T>& a, const std::vector<int>& pivots, int first, int last) {
  for (int k = 0; k < a.cols; ++k) {
    T* const column = &a(0, k);
    for (int c = first; c < last; ++c) std::swap(column[c], column[pivots[c]]);
  }
}

// Factors a block of columns in place by halves.
template <class T>
struct PanelByHalves {
  DenseView<T> a;  // all rows of the block, from its diagonal down
  PivotSearch search;
  std::vector<int> pivots;  // row in `a` that column c exchanges with row c
  std::vector<T> values;    // the pivots

  void factor(int first, int last) {
    constexpr int leaf = lu_leaf_width;
    const int width = last - first;
    if (width <= leaf) {
      factor_leaf(a.block(first, first, a.rows - first, width), search, pivots.data() + first,
                  values.data() + first);
      for (int c = first; c < last; ++c) pivots[c] += first;
      return;
    }
    const int middle = first + (width / 2 + leaf - 1) / leaf * leaf, right = last - middle;
    factor(first, middle);
    const DenseView<T> u12 = a.block(first, middle, middle - first, right);
    exchange_two_rows(a.block(0, middle, a.rows, right), pivots, first, middle);
    Host::solve_triangular(Factor::unit_lower,
                           a.block(first, first, middle - first, middle - first).as_const(), u12);
    update_below(a.block(middle, first, a.rows - middle, middle - first).as_const(), u12.as_const(),
                 a.block(middle, middle, a.rows - middle, right));
    factor(middle, last);
    exchange_two_rows(a.block(0, first, a.rows, middle - first), pivots, middle, last);
  }
};

// The columns [first, first + width) of A, from the diagonal down.
template <class T>
void factor_block(const DenseView<T>& a, int first, int width, const RowExchange& exchanges,
                  const LuBlocking& blocking, LuStatus* status) {
  PanelByHalves<T> panel{a.block(first, first, a.rows - first, width), blocking.search,
                         std::vector<int>(static_cast<std::size_t>(width)),
                         std::vector<T>(static_cast<std::size_t>(width))};
  panel.factor(0, width);
  for (int c = 0; c < width; ++c) {
    const T pivot = panel.values[c];
    status->note_pivot(first + c, pivot == T(0), std::isfinite(pivot));
  }
  for (int j = 0; j < width; j += blocking.panel) {
    const int count = std::min(blocking.panel, width - j);
    std::vector<int> pivots(panel.pivots.begin() + j, panel.pivots.begin() + j + count);
    for (int& pivot : pivots) pivot -= j;
    const ComposedExchange composed = compose_exchanges(pivots);
    std::copy(composed.source.begin(), composed.source.end(), exchanges.source + first + j);
    std::copy(composed.destination.begin(), composed.destination.end(),
              exchanges.destination + first + j);
  }
}

// Of a strip to the right of a factored block: exchanges its rows, computes its part of U, and
// updates the rows below.
template <class T>
void update_strip(const DenseView<T>& a, int first, int width, int column, int columns,
                  const RowExchange& exchanges, int panel) {
  const int next = first + width;
  Host::exchange_rows(exchanges.from(first, width), panel,
                      a.block(first, column, a.rows - first, columns));
  const DenseView<T> u = a.block(first, column, width, columns);
  Host::solve_triangular(Factor::unit_lower, a.block(first, first, width, width).as_const(), u);
  Host::multiply_subtract(false, a.block(next, first, a.rows - next, width).as_const(),
                          u.as_const(), a.block(next, column, a.rows - next, columns));
}

}  // namespace

}  // namespace host

template <>
template <class T>
void DensePrimitives<Host>::lu_factor(const DenseView<T>& a, const RowExchange& exchanges,
                                      const LuBlocking& blocking, LuStatus* status) {
  const int n = a.cols, strip = n < 3000 ? 128 : 256;
  host::factor_block(a, 0, std::min(blocking.block, n), exchanges, blocking, status);
  for (int first = 0; first < n; first += blocking.block) {
    const int width = std::min(blocking.block, n - first), next = first + width;
    const int next_width = std::min(blocking.block, n - next), rest = n - next - next_width;
    const int right = next_width > 0 ? 1 + (rest + strip - 1) / strip : 0;
    const int left = (first + strip - 1) / strip;
    [[maybe_unused]] const bool parallel = n > 200;
#pragma omp parallel for schedule(dynamic, 1) if (parallel)
    for (int task = 0; task < right + left; ++task) {
      if (task == 0 && right > 0) {
        host::update_strip(a, first, width, next, next_width, exchanges, blocking.panel);
        host::factor_block(a, next, next_width, exchanges, blocking, status);
      } else if (task < right) {
        const int column = next + next_width + (task - 1) * strip;
        host::update_strip(a, first, width, column, std::min(strip, n - column), exchanges,
                           blocking.panel);
      } else {
        const int column = (task - right) * strip;
        exchange_rows(exchanges.from(first, width), blocking.panel,
                      a.block(first, column, n - first, std::min(strip, first - column)));
      }
    }
  }
}

HODGE_FOR_BOTH_VALUES(HODGE_LU_FACTOR, Host)

}  // namespace hodge::linalg
