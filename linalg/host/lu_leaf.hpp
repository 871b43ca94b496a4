// The narrowest panel of an LU factorisation on the Host, column by column on one thread.
#pragma once

#include "linalg/space/dense_view.hpp"

namespace hodge::linalg::host {

inline constexpr int lu_leaf_width = 8;

// P A = L U of up to lu_leaf_width columns. pivots[c] is the row that row c was exchanged with,
// values[c] the pivot; a column that is zero from the diagonal down is left as it is.
template <class T>
void factor_leaf(const DenseView<T>& a, PivotSearch search, int* pivots, T* values);

// Keeps the first column whose pivot is zero, and the first whose pivot is not finite.
template <class T>
void note_pivot(T pivot, int column, LuStatus* status);

// C <- C - A B for a tall A: by our own kernel where A is as narrow as a leaf.
template <class T>
void update_below(const DenseView<const T>& a, const DenseView<const T>& b, const DenseView<T>& c);

}  // namespace hodge::linalg::host
