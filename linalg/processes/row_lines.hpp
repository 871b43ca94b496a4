// Lines of rows that differ in length: the rows that each layer of a grid has where solids leave
// gaps. Each line begins with a new piece of the sums (shared_rows.hpp), so that processes may
// begin with any line.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "linalg/processes/shared_rows.hpp"

namespace hodge::linalg {

class RowLines {
 public:
  // first: the first row of each line, ascending from 0, and last the number of all rows. A line
  // may be empty.
  explicit RowLines(std::vector<std::int64_t> first) : first_(std::move(first)) {
    first_.erase(std::unique(first_.begin(), first_.end()), first_.end());
    std::int64_t pieces = 0;
    for (std::size_t line = 0; line < first_.size(); ++line) {
      pieces_before_.push_back(pieces);
      if (line + 1 < first_.size())
        pieces += (first_[line + 1] - first_[line] + sum_piece - 1) / sum_piece;
    }
  }

  // The first row of each line that is not empty, and the number of all rows.
  std::span<const std::int64_t> first_rows() const { return first_; }
  // Different for lines that were made apart; copies keep it.
  std::uint64_t id() const { return id_; }
  // Whether a line begins with this row, or all rows end before it.
  bool begins_with(std::int64_t row) const {
    return std::binary_search(first_.begin(), first_.end(), row);
  }
  // Where the line of a row ends, and its next one begins.
  std::int64_t end_of_line(std::int64_t row) const {
    return *std::upper_bound(first_.begin(), first_.end(), row);
  }
  // Pieces before a row that begins a line.
  std::int64_t pieces_before(std::int64_t row) const {
    const auto line = std::lower_bound(first_.begin(), first_.end(), row) - first_.begin();
    return pieces_before_[static_cast<std::size_t>(line)];
  }
  // The first row of a piece; behind the last one the number of rows.
  std::int64_t row_of_piece(std::int64_t piece) const {
    const auto behind = std::upper_bound(pieces_before_.begin(), pieces_before_.end(), piece);
    const auto line = static_cast<std::size_t>(behind - pieces_before_.begin()) - 1;
    return std::min(first_.back(), first_[line] + (piece - pieces_before_[line]) * sum_piece);
  }

 private:
  static std::uint64_t next_id() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
  }

  std::vector<std::int64_t> first_, pieces_before_;  // the same number of both
  std::uint64_t id_ = next_id();
};

}  // namespace hodge::linalg
