// The point functions of transposed_product.hpp.
#pragma once

#include <climits>
#include <type_traits>

#include "linalg/base/atomic.hpp"
#include "linalg/matrices/transposed_product.hpp"
#include "linalg/space/this_space.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg {

namespace detail {

// log2 of the threads per row: enough to read a row of mean length side by side.
template <class Space, class T>
int log2_lanes_of(const CsrView<T>& a) {
  if (std::is_same_v<Space, Host> || a.rows == 0 || a.rows > INT_MAX / 32) return 0;
  const int mean = a.nonzeros / a.rows;
  return mean <= 4 ? 0 : mean <= 12 ? 2 : mean <= 48 ? 3 : 5;
}

}  // namespace detail

template <class Space, class T>
void add_transposed_product(const CsrView<T>& a, const T* x, T* y) {
  const int log2_lanes = detail::log2_lanes_of<Space>(a);
  for_each<Space>(a.rows << log2_lanes, [=] HODGE_LAMBDA(int i) {
    const int row = i >> log2_lanes, lanes = 1 << log2_lanes;
    for (int k = a.row_offsets[row] + (i & (lanes - 1)); k < a.row_offsets[row + 1]; k += lanes)
      atomic_add(&y[a.columns[k]], a.values[k] * x[row]);
  });
}

template <class Space, class T>
void add_transposed_product(const EntryView<T>& entries, const T* x, T* y) {
  for_each<Space>(entries.size, [=] HODGE_LAMBDA(int k) {
    atomic_add(&y[entries.columns[k]], entries.values[k] * x[entries.row_indices[k]]);
  });
}

template void add_transposed_product<ThisSpace>(const CsrView<double>&, const double*, double*);
template void add_transposed_product<ThisSpace>(const CsrView<float>&, const float*, float*);
template void add_transposed_product<ThisSpace>(const EntryView<double>&, const double*, double*);
template void add_transposed_product<ThisSpace>(const EntryView<float>&, const float*, float*);

}  // namespace hodge::linalg
