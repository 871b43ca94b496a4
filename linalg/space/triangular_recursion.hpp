// B <- op(F)^-1 B by halves: a triangular solve becomes two of half the size and a product between
// them, down to leaves of `leaf_rows`. Nearly all of the n^2 operations are in the products.
#pragma once

#include "linalg/space/space.hpp"

namespace hodge::linalg {

// The triangle of a leaf: transposed or not, with ones on the diagonal or not, and whether the
// unknowns are computed from the last to the first.
struct TriangleShape {
  bool transposed, unit, backward;
};

HODGE_HD inline TriangleShape triangle_shape(Factor factor) {
  const bool transposed =
      factor == Factor::unit_lower_transposed || factor == Factor::upper_transposed;
  const bool unit = factor == Factor::unit_lower || factor == Factor::unit_lower_transposed;
  return {transposed, unit, unit == transposed};
}

// leaf(shape, f, b) solves with up to leaf_rows rows.
template <class Space, class T, class Leaf>
void solve_by_halves(const TriangleShape& shape, const DenseView<const T>& f, const DenseView<T>& b,
                     int leaf_rows, const Leaf& leaf) {
  const int n = f.rows;
  if (n <= leaf_rows) return leaf(shape, f, b);
  const int half = (n / 2 + leaf_rows - 1) / leaf_rows * leaf_rows, rest = n - half;
  const DenseView<const T> top = f.block(0, 0, half, half);
  const DenseView<const T> bottom = f.block(half, half, rest, rest);
  // The block beside the diagonal: below it in the lower factor, above it in the upper one.
  const DenseView<const T> beside =
      shape.unit ? f.block(half, 0, rest, half) : f.block(0, half, half, rest);
  const DenseView<T> b_top = b.block(0, 0, half, b.cols);
  const DenseView<T> b_bottom = b.block(half, 0, rest, b.cols);
  if (shape.backward) {
    solve_by_halves<Space>(shape, bottom, b_bottom, leaf_rows, leaf);
    Space::multiply_subtract(shape.transposed, beside, b_bottom.as_const(), b_top);
    solve_by_halves<Space>(shape, top, b_top, leaf_rows, leaf);
  } else {
    solve_by_halves<Space>(shape, top, b_top, leaf_rows, leaf);
    Space::multiply_subtract(shape.transposed, beside, b_top.as_const(), b_bottom);
    solve_by_halves<Space>(shape, bottom, b_bottom, leaf_rows, leaf);
  }
}

}  // namespace hodge::linalg
