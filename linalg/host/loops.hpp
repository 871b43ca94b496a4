// Loops of the Host space: OpenMP over the rows of a box, axis 0 innermost.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>
#include <vector>

#include "linalg/base/index.hpp"
#include "linalg/host/guard.hpp"

namespace hodge::linalg {

enum class Reduction : int;
template <class Space>
struct Loops;
struct Host;

namespace host {

// Shorter loops run on one thread.
inline constexpr long long parallel_threshold = 4096;

// The first index of row `row` of a box. Rows are lines along axis 0, numbered with axis 1 fastest.
template <int Dim>
Index<Dim> row_start(const Box<Dim>& box, int row) {
  Index<Dim> c = box.lower;
  for (int d = 1; d < Dim; ++d) {
    c[d] += row % box.extent(d);
    row /= box.extent(d);
  }
  return c;
}

template <int Dim>
int row_count(const Box<Dim>& box) {
  return box.extent(0) > 0 ? static_cast<int>(box.size() / box.extent(0)) : 0;
}

// f(c) along axis 0. Flattened, so that the point function and all that it calls become one loop; f
// is a copy, so that the compiler knows that no store changes what it has captured.
template <int Dim, class F>
[[gnu::flatten]] void for_each_in_row(const Box<Dim>& box, int row, F f) {
  Index<Dim> c = row_start(box, row);
  for (c[0] = box.lower[0]; c[0] < box.upper[0]; ++c[0]) f(c);
}

// The same for the compiler to vectorise: no f(c) may read what another one writes.
template <int Dim, class F>
[[gnu::flatten]] void for_each_in_line(Index<Dim> start, int end, F f) {
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (int i = start[0]; i < end; ++i) {
    Index<Dim> c = start;
    c[0] = i;
    f(c);
  }
}

// f(part, c) for the part of a line that lies in the box.
template <int Part, int Dim, class F>
void for_each_of_part_in_line(const Box<Dim>& box, Index<Dim> start, const F& f) {
  start[0] = box.lower[0];
  if (!box.contains(start)) return;
  for_each_in_line(start, box.upper[0],
                   [f](const Index<Dim>& c) { f(std::integral_constant<int, Part>(), c); });
}

}  // namespace host

template <>
struct Loops<Host> {
  template <int Dim, class F>
  static void for_each(const Box<Dim>& box, F f) {
    const int rows = host::row_count(box);
    [[maybe_unused]] const bool parallel = box.size() > host::parallel_threshold;
#pragma omp parallel for schedule(static) if (parallel)
    for (int row = 0; row < rows; ++row) host::for_each_in_row(box, row, f);
  }

  // A line of all parts after another, so that what they share is read from memory once.
  template <int Dim, int... Part, class F>
  static void for_each_of(const std::array<Box<Dim>, sizeof...(Part)>& boxes, const Box<Dim>& whole,
                          std::integer_sequence<int, Part...>, F f) {
    const int rows = host::row_count(whole);
    [[maybe_unused]] const bool parallel = whole.size() > host::parallel_threshold;
#pragma omp parallel for schedule(static) if (parallel)
    for (int row = 0; row < rows; ++row) {
      const Index<Dim> start = host::row_start(whole, row);
      (host::for_each_of_part_in_line<Part>(boxes[Part], start, f), ...);
    }
  }

  template <class F>
  static void for_each(int n, F f) {
#pragma omp parallel for schedule(static) if (n > host::parallel_threshold)
    for (int i = 0; i < n; ++i) f(i);
  }

  template <class Range, class F>
  static void for_each_guarded(const Range& range, F f) {
    if (!host::halted()) for_each(range, f);
  }

  template <int Most, int Dim, class T, class Start, class F>
  static void fill_runs(const Box<Dim>& box, T* values, Start start, F f) {
    for_each(box, [=](const Index<Dim>& c) {
      const int position = start(c);
      T forgotten[Most];
      if (position >= 0) f(c, values == nullptr ? forgotten : values + position);
    });
  }

  template <int K, int Dim, class F>
  static void reduce(const Box<Dim>& box, const std::array<Reduction, K>& kinds, F f,
                     double* result) {
    const int rows = host::row_count(box);
    static thread_local std::vector<std::array<double, K>> partial;  // kept from call to call
    partial.resize(static_cast<std::size_t>(rows));
    auto* const totals = partial.data();  // of the calling thread; every thread writes to it
    [[maybe_unused]] const bool parallel = box.size() > host::parallel_threshold;
#pragma omp parallel for schedule(static) if (parallel)
    for (int row = 0; row < rows; ++row) {
      std::array<double, K> total{};
      host::for_each_in_row(box, row, [=, &total](const Index<Dim>& c) {
        double value[K];
        f(c, value);
        accumulate<K>(kinds, value, total.data());
      });
      totals[row] = total;
    }
    std::array<double, K> total{};
    for (const auto& row : partial) accumulate<K>(kinds, row.data(), total.data());
    std::copy(total.begin(), total.end(), result);
  }

 private:
  template <int K>
  static void accumulate(const std::array<Reduction, K>& kinds, const double* value,
                         double* total) {
    for (int k = 0; k < K; ++k) {
      total[k] = kinds[k] == Reduction{} ? total[k] + value[k] : std::max(total[k], value[k]);
    }
  }
};

}  // namespace hodge::linalg
