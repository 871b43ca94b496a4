// Counts allocations, copies and the traffic of kernels since the program began. Tests show with
// them that a loop allocates nothing, that only scalars cross between host and device, and that the
// models of cost/byte_model.hpp predict what is moved.
#pragma once

#include "linalg/space/space.hpp"

namespace hodge::linalg {

struct Traffic {
  long long allocations = 0;               // calls of Space::allocate
  long long uploaded = 0, downloaded = 0;  // bytes between the host and the memory of the space
  // Bytes that work on vectors and matrices and the passes of multigrid read and write, each array
  // once a kernel; not those of other loops over point functions. On the Host: of this thread.
  double moved = 0;
};

// Counted on the Host too, where both memories are the same.
template <class Space>
Traffic traffic();

// Adds to Traffic::moved.
template <class Space>
void count_moved(double bytes);
template <class Space, class T>
void count_vectors(long long n, long long vectors) {
  count_moved<Space>(static_cast<double>(n * vectors) * sizeof(T));
}
// The values of `part` of a matrix, their columns or the masks, and the row offsets.
template <class Space, class T>
void count_entries(const CsrView<T>& a, double part) {
  const bool by_diagonals = a.plan.kernel == SpmvKernel::csr_diagonals;
  const double columns = by_diagonals ? 2.0 * a.rows : part * sizeof(int) * a.nonzeros;
  count_moved<Space>(part * sizeof(T) * a.nonzeros + columns + sizeof(int) * (a.rows + 1.0));
}
// y = alpha A x + beta b
template <class Space, class T>
void count_product(const CsrView<T>& a, double beta) {
  if (!a.multiplies_by_box())
    count_entries<Space>(a, 1.0);
  else if (a.box.row_of_cell != nullptr)
    count_vectors<Space, int>(a.rows, 2);
  count_vectors<Space, T>(a.rows, beta == 0.0 ? 2 : 3);
}
// y = A x, and the dot products with w and v.
template <class Space, class T>
void count_product_and_dots(const CsrView<T>& a, const T* x, const T* w, const T* v) {
  count_product<Space>(a, 0.0);
  count_vectors<Space, T>(a.rows, (w != x ? 1 : 0) + (v != nullptr ? 1 : 0));
}
// y = A x, A^T w and the dot products.
template <class Space, class T>
void count_both_products(const CsrView<T>& a, const T* x, const T* w) {
  count_product_and_dots<Space, T>(a.by_entries(), x, w, nullptr);
  count_vectors<Space, T>(a.rows, 1);
}
// y = factor (b - d o P(A) x)
template <class Space, class T>
void count_sweep(const CsrView<T>& a, Triangle part, bool b_is_x) {
  const double off_diagonal = 1.0 - static_cast<double>(a.rows) / (a.nonzeros > 0 ? a.nonzeros : 1);
  count_entries<Space>(a, part == Triangle::both ? 1.0 : off_diagonal / 2);
  count_vectors<Space, int>(a.rows, 1);  // where the diagonal is
  count_vectors<Space, T>(a.rows, b_is_x ? 3 : 4);
}

}  // namespace hodge::linalg
