// Between the rows of a matrix and the points of the box that they lie in (GridRows::row_of_cell).
#pragma once

#include "linalg/vectors/buffer.hpp"
#include "linalg/vectors/vector.hpp"

namespace hodge::linalg {

template <class Space, class T>
struct BoxRows {
  // box_i = x_row(i); 0 at points without a row.
  static void extend(const Buffer<int, Space>& row_of_cell, const Vector<Space, T>& x,
                     Vector<Space, T>& box);
  // x_row(i) = box_i
  static void take(const Buffer<int, Space>& row_of_cell, const Vector<Space, T>& box,
                   Vector<Space, T>& x);
};

}  // namespace hodge::linalg
