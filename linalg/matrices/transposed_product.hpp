// y += A^T x by atomic additions, on arrays in the memory of the space; bodies in
// transposed_product_each_space.hpp.
#pragma once

#include "linalg/space/space.hpp"

namespace hodge::linalg {

template <class Space, class T>
void add_transposed_product(const CsrView<T>& a, const T* x, T* y);
template <class Space, class T>
void add_transposed_product(const EntryView<T>& entries, const T* x, T* y);

}  // namespace hodge::linalg
