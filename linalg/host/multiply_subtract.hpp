// Products of dense blocks without a BLAS: C <- C - op(A) B.
#pragma once

#include "linalg/space/dense_view.hpp"

namespace hodge::linalg::host {

// For few columns of C: reads A once, on all threads, limited by memory.
template <class T>
void multiply_subtract_thin(bool transposed, const DenseView<const T>& a,
                            const DenseView<const T>& b, const DenseView<T>& c);
// For more columns: tiles of C stay in registers, and A and B are copied into the order of use.
// Runs on the calling thread; callers divide C into strips.
template <class T>
void multiply_subtract_blocked(bool transposed, const DenseView<const T>& a,
                               const DenseView<const T>& b, const DenseView<T>& c);

}  // namespace hodge::linalg::host
