// Which process holds which rows of a system: process p those from first[p] to first[p + 1] - 1.
//
// Each process begins with a piece of the sums (processes/shared_rows.hpp): at a multiple of
// sum_piece, with the line of a grid, or at the end of the system. A process may hold no rows.
// Lines have one length each, or differ (row_lines.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "linalg/processes/row_lines.hpp"
#include "linalg/processes/shared_rows.hpp"

namespace hodge::linalg {

class RowBlocks {
 public:
  // first: processes + 1 numbers, ascending from 0. ShapeError if they are not, or if a process
  // would begin within a piece.
  // line: the rows of each line of the grid that the rows are on, or 0.
  explicit RowBlocks(std::vector<std::int64_t> first, int line = 0);
  RowBlocks(std::vector<std::int64_t> first, std::shared_ptr<const RowLines> lines);
  // Blocks of nearly the same size, which begin with multiples of `step`; for solves on GPUs that
  // is chunk_alignment(rows) (sum_chunks.hpp).
  static RowBlocks even(std::int64_t rows, int processes, int step = sum_piece);

  int processes() const { return static_cast<int>(first_.size()) - 1; }
  std::int64_t rows() const { return first_.back(); }  // of all processes
  std::int64_t first(int process) const { return first_[static_cast<std::size_t>(process)]; }
  int rows_of(int process) const { return static_cast<int>(first(process + 1) - first(process)); }
  int owner(std::int64_t row) const;  // of a row of the system
  // Null: lines do not differ in length.
  const std::shared_ptr<const RowLines>& lines() const { return lines_; }

  // How sums over vectors with these blocks are shared.
  SharedRows shared_rows(Communicator& processes) const;

  bool has_the_rows_of(const RowBlocks& other) const { return first_ == other.first_; }

 private:
  // `begins(row)`: whether a process may begin with a row that is not the last; the error names
  // where it might.
  template <class Begins>
  void check(const Begins& begins, const std::string& expected) const;

  std::vector<std::int64_t> first_;
  int line_ = 0;
  std::shared_ptr<const RowLines> lines_;
};

}  // namespace hodge::linalg
