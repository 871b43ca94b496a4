// The rows of a system that several processes share, and the sums over them.
//
// A sum over rows is made of pieces: `sum_piece` consecutive rows of the global problem, added in
// order. The pieces are added exactly (base/exact_sum.hpp), so that the sum has the same bits for
// any number of processes and threads. Each process therefore owns whole pieces: its first row is a
// multiple of sum_piece. On a grid, pieces are parts of the lines along axis 0: there each line of
// a process begins with a new piece, and axis 0 is cut at multiples of sum_piece cells. Where cells
// have no row, the rows of each layer of the last axis are a line (row_lines.hpp).
#pragma once

#include "linalg/processes/communicator.hpp"

namespace hodge::linalg {

inline constexpr int sum_piece = 16;

class RowLines;

struct SharedRows {
  Communicator* processes = &one_process();
  std::int64_t first = 0;  // the global number of this process's first row
  int line = 0;            // rows of this process per line of its grid; 0: all rows are one line
  std::int64_t total = 0;  // the rows of all processes, where is_shared()
  const RowLines* lines = nullptr;  // of all processes, where lines differ in length

  bool is_shared() const { return processes->size() > 1; }
  // Of vectors with all rows, which every process has.
  SharedRows whole() const { return {.line = line, .lines = lines}; }
};

namespace detail {
inline thread_local SharedRows rows_of_this_thread;
}

// How the vectors that are being summed are shared. Set by SharingRows.
inline const SharedRows& shared_rows() {
  return detail::rows_of_this_thread;
}

// While this object lives, all sums, norms and maxima of vectors that the calling thread asks for
// are over `rows`: the processes take part in each of them together.
class SharingRows {
 public:
  explicit SharingRows(const SharedRows& rows) : before_(detail::rows_of_this_thread) {
    detail::rows_of_this_thread = rows;
  }
  ~SharingRows() { detail::rows_of_this_thread = before_; }
  SharingRows(const SharingRows&) = delete;
  SharingRows& operator=(const SharingRows&) = delete;

 private:
  SharedRows before_;
};

}  // namespace hodge::linalg
