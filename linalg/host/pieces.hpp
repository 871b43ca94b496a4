// Sums over rows on the Host: the pieces of shared_rows.hpp, each added in a fixed order, and the
// exact sums of them that the threads collect.
#pragma once

#include <omp.h>

#include <algorithm>
#include <vector>

#include "linalg/processes/row_lines.hpp"
#include "linalg/processes/shared_sums.hpp"

namespace hodge::linalg::host {

// The pieces of rows 0 .. rows-1: sum_piece rows each; every line begins with a new one. Vectors of
// another length than the rows have, those of a coarser level, say, are one line.
class RowPieces {
 public:
  RowPieces(int rows, const SharedRows& shared)
      : rows_(rows),
        line_(std::max(1, shared.line > 0 ? std::min(shared.line, rows) : rows)),
        per_line_(pieces_of(line_)) {
    if (shared.lines == nullptr || !shared.lines->begins_with(shared.first) ||
        !shared.lines->begins_with(shared.first + rows))
      return;
    lines_ = shared.lines;
    first_ = shared.first;
    first_piece_ = lines_->pieces_before(first_);
  }

  int count() const {
    if (lines_ != nullptr)
      return static_cast<int>(lines_->pieces_before(first_ + rows_) - first_piece_);
    return static_cast<int>(static_cast<long long>(rows_ / line_) * per_line_ +
                            pieces_of(rows_ % line_));
  }
  // The first row of a piece; for piece count() and those behind it, the number of rows.
  int first_row(long long piece) const {
    if (lines_ != nullptr)
      return static_cast<int>(
          std::min<long long>(rows_, lines_->row_of_piece(first_piece_ + piece) - first_));
    if (piece < per_line_)  // without the divisions, which would take 2 % of a product
      return static_cast<int>(std::min<long long>(rows_, piece * sum_piece));
    const long long row = piece / per_line_ * line_ + piece % per_line_ * sum_piece;
    return static_cast<int>(std::min<long long>(rows_, row));
  }

  // whole(row) for each piece of sum_piece rows and part(row, end) for each shorter one of the
  // rows first .. last-1, both of which are ends of pieces.
  template <class Whole, class Part>
  void for_each(int first, int last, Whole whole, Part part) const {
    long long line_end = static_cast<long long>(first) - first % line_ + line_;
    for (int row = first; row < last; line_end += line_) {
      if (lines_ != nullptr) line_end = lines_->end_of_line(first_ + row) - first_;
      const int stop = static_cast<int>(std::min<long long>(line_end, last));
      for (; stop - row >= sum_piece; row += sum_piece) whole(row);
      if (row < stop) part(row, stop);
      row = stop;
    }
  }

 private:
  static int pieces_of(int rows) { return (rows - 1) / sum_piece + (rows > 0 ? 1 : 0); }

  int rows_, line_, per_line_;
  const RowLines* lines_ = nullptr;  // of all processes, where they differ in length
  std::int64_t first_ = 0;           // of the own rows among these
  std::int64_t first_piece_ = 0;
};

// The sum of term(row) over a whole piece, in an order that suits vector registers.
template <class Term>
double sum_of_whole(int row, Term term) {
  static_assert(sum_piece == 16);
  double lane[4];
#pragma omp simd
  for (int j = 0; j < 4; ++j)
    lane[j] = (term(row + j) + term(row + 8 + j)) + (term(row + 4 + j) + term(row + 12 + j));
  return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

// Writes the sums of term(row) over the pieces of first .. last-1 to `sums`; returns how many.
template <class Term>
[[gnu::flatten]] int sum_pieces(const RowPieces& pieces, int first, int last, double* sums,
                                Term term) {
  int count = 0;
  pieces.for_each(
      first, last, [&](int row) { sums[count++] = sum_of_whole(row, term); },
      [&](int row, int end) {
        double sum = 0.0;
        for (; row < end; ++row) sum += term(row);
        sums[count++] = sum;
      });
  return count;
}

// The sums of a . b over pieces; a null b stands for a vector of ones.
template <class T>
int dot_pieces(const RowPieces& pieces, const T* a, const T* b, int first, int last, double* sums) {
  if (b == nullptr)
    return sum_pieces(pieces, first, last, sums,
                      [a](int row) { return static_cast<double>(a[row]); });
  return sum_pieces(pieces, first, last, sums, [a, b](int row) {
    return static_cast<double>(a[row]) * static_cast<double>(b[row]);
  });
}

// Several exact sums for each thread of the parallel region that comes next.
class ThreadSums {
 public:
  ThreadSums(int sums, bool parallel)
      : sums_(static_cast<std::size_t>(sums)),
        all_(kept().data()),
        threads_(parallel ? static_cast<std::size_t>(omp_get_max_threads()) : 1) {
    if (kept().size() < threads_ * sums_) kept().resize(threads_ * sums_);
    all_ = kept().data();
    for (std::size_t i = 0; i < threads_ * sums_; ++i) all_[i].clear();
  }

  // Those of the calling thread.
  ExactSum* own() const { return all_ + sums_ * static_cast<std::size_t>(omp_get_thread_num()); }

  // Behind the region: the sums of all threads, and of all processes where the rows are shared.
  std::span<const ExactSum> totals(const SharedRows& shared) {
    for (std::size_t i = sums_; i < threads_ * sums_; ++i) all_[i % sums_].merge(all_[i]);
    const std::span<ExactSum> totals(all_, sums_);
    sum_over_processes(shared, totals);
    return totals;
  }

 private:
  // Of the thread that starts the region; kept from call to call.
  static std::vector<ExactSum>& kept() {
    static thread_local std::vector<ExactSum> sums;
    return sums;
  }

  std::size_t sums_;
  ExactSum* all_;
  std::size_t threads_;
};

}  // namespace hodge::linalg::host
