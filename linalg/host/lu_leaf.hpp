// The narrowest panel of an LU factorisation on the Host, column by column on one thread.
#pragma once

#include "linalg/space/dense_view.hpp"

namespace hodge::linalg::host {

inline constexpr int lu_leaf_width = 8;

// P A = L U of up to lu_leaf_width columns. pivots[c] is the row that row c was exchanged with,
// values[c] the pivot. A column that is zero from the diagonal down stays as it is.
template <class T>
void factor_leaf(const DenseView<T>& a, PivotSearch search, int* pivots, T* values);

// C <- C - A B for a tall A: by our own kernel if A is as narrow as a leaf.
template <class T>
void update_below(const DenseView<const T>& a, const DenseView<const T>& b, const DenseView<T>& c);

}  // namespace hodge::linalg::host
