// Products of a dense matrix with an array along one of its axes:
//
//   out(a, j, k) = sum_i M(i, j) in(a, i, k)      or M(j, i) where transposed
//
// for a < inner, i and j < points, k < outer; entry (a, i, k) stands at a + inner (i + points k). M
// is stored by columns. Not guarded. host/axis_product.cpp, cuda/dense/axis_product.cu.
#pragma once

#include <algorithm>

namespace hodge::linalg {

struct AxisShape {
  int inner = 1;  // points of all axes below
  int points = 1;
  int outer = 1;            // points of all axes above
  bool is_adjacent = true;  // axis 0, whose points are side by side
  int run = 1, block = 1;   // of lines, line_blocks.hpp

  long long size() const { return 1LL * inner * points * outer; }
};

// Lines that the Host multiplies at once, of all lines of a box along an axis: enough for a product
// to be fast (with 512 lines of 1024 points by a fifth faster than with 128), and no more than an
// eighth of them, so that threads and processes find work.
inline int product_block(long long lines) {
  return static_cast<int>(std::clamp(lines / 8, 128LL, 512LL));
}

template <class Space>
struct AxisPrimitives {
  // `in` and `out` may not overlap.
  template <class T>
  static void multiply_along(const AxisShape& shape, const T* matrix, bool transposed, const T* in,
                             T* out);
  // Allocates what multiply_along needs, so that it does not.
  static void prepare_axis_products();
};

#define HODGE_AXIS_PRODUCT(Space, T)                                                              \
  template void AxisPrimitives<Space>::multiply_along(const AxisShape&, const T*, bool, const T*, \
                                                      T*);

}  // namespace hodge::linalg
