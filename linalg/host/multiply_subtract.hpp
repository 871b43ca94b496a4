// Products of dense blocks without a BLAS: C <- C - op(A) B.
#pragma once

#include "linalg/space/dense_view.hpp"

namespace hodge::linalg::host {

// For few columns of C, where A is read once and memory is the limit: on all threads.
template <class T>
void multiply_subtract_thin(bool transposed, const DenseView<const T>& a,
                            const DenseView<const T>& b, const DenseView<T>& c);
// For the rest: tiles of C that stay in registers, A and B copied into the order of use. On the
// calling thread; whoever calls shares out strips of C.
template <class T>
void multiply_subtract_blocked(bool transposed, const DenseView<const T>& a,
                               const DenseView<const T>& b, const DenseView<T>& c);

}  // namespace hodge::linalg::host
