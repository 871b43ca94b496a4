// The rows of a matrix as a box of indices, for reductions over all rows.
#pragma once

#include "linalg/base/index.hpp"
#include "linalg/base/macros.hpp"

namespace hodge::linalg::detail {

// A box of two axes, since a Host loop divides lines among its threads. The last line may extend
// beyond the rows.
inline constexpr int rows_of_line = 1024;

inline Box<2> box_of_rows(int rows) {
  return {{{0, 0}}, {{rows_of_line, static_cast<int>((rows + rows_of_line - 1LL) / rows_of_line)}}};
}

HODGE_HD inline int row_in_box(const Index<2>& c) {
  return c[1] * rows_of_line + c[0];
}

}  // namespace hodge::linalg::detail
