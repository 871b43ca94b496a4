// The rows of a matrix as a box of indices: what loops and reductions over all rows go through.
#pragma once

#include "linalg/base/index.hpp"
#include "linalg/base/macros.hpp"

namespace hodge::linalg::detail {

// All rows as a box of two axes, since a Host loop gives whole lines to its threads. Its last line
// may go beyond the rows.
inline constexpr int rows_of_line = 1024;

inline Box<2> box_of_rows(int rows) {
  return {{{0, 0}}, {{rows_of_line, static_cast<int>((rows + rows_of_line - 1LL) / rows_of_line)}}};
}

HODGE_HD inline int row_in_box(const Index<2>& c) {
  return c[1] * rows_of_line + c[0];
}

}  // namespace hodge::linalg::detail
