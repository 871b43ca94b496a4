// Loops of the Host space: OpenMP over the rows of a box, axis 0 innermost.
//
// The pieces of a reduction's sums (processes/shared_rows.hpp) end where an index along axis 0 is a
// multiple of sum_piece, wherever the box begins, so that parts of a box that was cut there have
// the pieces of the whole.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "linalg/base/index.hpp"
#include "linalg/host/guard.hpp"
#include "linalg/processes/shared_sums.hpp"

namespace hodge::linalg {

enum class Reduction : int;
template <Reduction... kinds>
struct Kinds;
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

// The next multiple of sum_piece behind index i.
inline int piece_end(int i) {
  return i - ((i % sum_piece + sum_piece) % sum_piece) + sum_piece;
}

// The K results of a reduction that one thread has: sums of pieces, and maxima.
template <int K>
class PartialResults {
 public:
  explicit PartialResults(const std::array<Reduction, K>& kinds) : kinds_(kinds) {}

  // The cells of a line from `start` to `end` along axis 0, in one piece. A maximum of NaN and a
  // number is the number.
  template <int Dim, class F>
  [[gnu::flatten]] void add_piece(Index<Dim> c, int end, const F& f) {
    double total[K] = {};
    for (; c[0] < end; ++c[0]) {
      double value[K];
      f(c, value);
      for (int k = 0; k < K; ++k)
        total[k] = is_sum(k) ? total[k] + value[k] : std::max(total[k], value[k]);
    }
    if (count_ == most) add_collected();
    for (int k = 0; k < K; ++k) collected_[k][count_] = total[k];
    ++count_;
  }

  void add_collected() {
    for (int k = 0; k < K; ++k) {
      if (is_sum(k)) {
        sums_[k].add(std::span<const double>(collected_[k], static_cast<std::size_t>(count_)));
      } else {
        for (int i = 0; i < count_; ++i) maxima_[k] = std::max(maxima_[k], collected_[k][i]);
      }
    }
    count_ = 0;
  }

  void merge(const PartialResults& other) {
    for (int k = 0; k < K; ++k) {
      if (is_sum(k)) sums_[k].merge(other.sums_[k]);
      maxima_[k] = std::max(maxima_[k], other.maxima_[k]);
    }
  }

  // Over all processes where the rows are shared.
  void finish(const SharedRows& rows, double* result) {
    if (rows.is_shared()) {
      sum_over_processes(rows, sums_);
      maximum_over_processes(rows, maxima_);
    }
    for (int k = 0; k < K; ++k) result[k] = is_sum(k) ? sums_[k].value() : maxima_[k];
  }

 private:
  static constexpr int most = 256;  // pieces that are added at once

  bool is_sum(int k) const { return kinds_[static_cast<std::size_t>(k)] == Reduction{}; }

  std::array<Reduction, K> kinds_;
  int count_ = 0;
  double collected_[K][most];
  ExactSum sums_[K];
  double maxima_[K] = {};
};

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

  template <int Dim, Reduction... kinds, class F>
  static void reduce(const Box<Dim>& box, Kinds<kinds...>, F f, double* result) {
    reduce<static_cast<int>(sizeof...(kinds))>(box, Kinds<kinds...>::list, f, result);
  }

  template <int K, int Dim, class F>
  static void reduce(const Box<Dim>& box, const std::array<Reduction, K>& kinds, F f,
                     double* result) {
    const int rows = host::row_count(box);
    const SharedRows shared = shared_rows();
    host::PartialResults<K> all(kinds);
    [[maybe_unused]] const bool parallel = box.size() > host::parallel_threshold;
#pragma omp parallel if (parallel)
    {
      host::PartialResults<K> own(kinds);
#pragma omp for schedule(static)
      for (int row = 0; row < rows; ++row) {
        Index<Dim> c = host::row_start(box, row);
        while (c[0] < box.upper[0]) {
          const int end = std::min(box.upper[0], host::piece_end(c[0]));
          own.add_piece(c, end, f);
          c[0] = end;
        }
      }
      own.add_collected();
#pragma omp critical(hodge_reduce)
      all.merge(own);
    }
    all.finish(shared, result);
  }
};

}  // namespace hodge::linalg
