// The bodies of transpose.hpp.
#pragma once

#include <climits>
#include <string>
#include <type_traits>
#include <utility>

#include "linalg/base/atomic.hpp"
#include "linalg/matrices/transpose.hpp"
#include "linalg/space/this_space.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg {

#ifndef __CUDACC__
EntryOrder<Host> transpose_in_one_pass(const CsrPattern<Host>& a) {
  Buffer<int, Host> row_offsets(a.cols() + 1LL), row_of(a.nonzeros()), order(a.nonzeros());
  const int* offsets = a.row_offsets().data();
  const int* columns = a.columns().data();

  // Counts stand two places too far, so that after the summation the offsets stand one place too
  // far. The scatter moves each offset to the end of its row, which is the start of the next row.
  int* const next = row_offsets.data() + 1;  // next[c]: where the next entry of column c goes
  for (int k = 0; k < a.nonzeros(); ++k) {
    if (columns[k] + 1 < a.cols()) ++next[columns[k] + 1];
  }
  for (int c = 1; c < a.cols(); ++c) next[c] += next[c - 1];
  for (int row = 0; row < a.rows(); ++row) {
    for (int k = offsets[row]; k < offsets[row + 1]; ++k) {
      const int target = next[columns[k]]++;
      row_of.data()[target] = row;
      order.data()[target] = k;
    }
  }
  return {std::make_shared<const CsrPattern<Host>>(a.cols(), a.rows(), std::move(row_offsets),
                                                   std::move(row_of)),
          std::move(order), Buffer<int, Host>()};
}
#endif

template <class Space>
EntryOrder<Space> transpose_by_sorting(const CsrPattern<Space>& a) {
  const int n = a.nonzeros();
  Buffer<int, Space> rows(n), keys = a.columns().copy(), columns(n), order(n);
  Buffer<int, Space> row_offsets(a.cols() + 1LL);
  expand_row_offsets<Space>(a.rows(), n, a.row_offsets().data(), rows.data());
  count_up<Space>(n, order.data());
  Space::stable_sort_by_key(n, keys.data(), order.data());
  Space::gather(n, order.data(), rows.data(), columns.data());
  compress_row_indices<Space>(a.cols(), n, keys.data(), Compression::row_changes,
                              row_offsets.data());
  return {std::make_shared<const CsrPattern<Space>>(a.cols(), a.rows(), std::move(row_offsets),
                                                    std::move(columns)),
          std::move(order), Buffer<int, Space>()};
}

template <class Space, class T>
void TransposedCsr<Space, T>::setup(const CsrMatrix<Space, T>& a) {
  shared_.reset();
  if (a.pattern().sharing()) {
    shared_ = std::make_unique<SharedTranspose<Space, T>>(a);
    matrix_ = std::make_unique<CsrMatrix<Space, T>>(shared_->pattern(), a.symmetry());
    return refresh(a);
  }
  if constexpr (std::is_same_v<Space, Host>)
    entries_ = transpose_in_one_pass(a.pattern());
  else
    entries_ = transpose_by_sorting(a.pattern());
  matrix_ = std::make_unique<CsrMatrix<Space, T>>(entries_.pattern, a.symmetry());
  refresh(a);
}

template <class Space, class T>
void TransposedCsr<Space, T>::refresh(const CsrMatrix<Space, T>& a) {
  if (shared_) return shared_->take_values(a, matrix_->values());
  const int nonzeros = a.pattern().nonzeros();
  if (matrix().rows() != a.cols() || matrix().cols() != a.rows() ||
      matrix().pattern().nonzeros() != nonzeros) {
    throw ShapeError("refresh of a transposed matrix: a " + std::to_string(a.rows()) + " x " +
                     std::to_string(a.cols()) + " matrix of " + std::to_string(nonzeros) +
                     " non-zeros does not fit the pattern of a " + std::to_string(matrix().cols()) +
                     " x " + std::to_string(matrix().rows()) + " one of " +
                     std::to_string(matrix().pattern().nonzeros()) + "; call setup() for it");
  }
  sum_entries(entries_, a.values().data(), matrix_->values().data());
}

template <class Space, class T>
const CsrMatrix<Space, T>& TransposedCsr<Space, T>::matrix() const {
  if (matrix_ == nullptr) throw ShapeError("a transposed matrix is used before its setup()");
  return *matrix_;
}

namespace detail {

inline std::string shape(int rows, int cols) {
  return std::to_string(rows) + " x " + std::to_string(cols);
}

// log2 of the threads per row: enough to read a row of mean length side by side.
template <class Space, class T>
int log2_lanes_of(const CsrView<T>& a) {
  if (std::is_same_v<Space, Host> || a.rows == 0 || a.rows > INT_MAX / 32) return 0;
  const int mean = a.nonzeros / a.rows;
  return mean <= 4 ? 0 : mean <= 12 ? 2 : mean <= 48 ? 3 : 5;
}

template <class Space, class T>
void add_transposed_product(const CsrView<T>& a, const T* x, T* y) {
  const int log2_lanes = log2_lanes_of<Space>(a);
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

}  // namespace detail

template <class Space, class T>
TransposedDiagonals<Space, T>::TransposedDiagonals(const CsrMatrix<Space, T>& a) : a_(&a) {
  if (a.rows() != a.cols() || a.pattern().diagonals().shape.count == 0 || a.pattern().sharing()) {
    throw ShapeError("the transpose of a " + detail::shape(a.rows(), a.cols()) +
                     " matrix without entries of its own, expected a square matrix on at most " +
                     std::to_string(DiagonalsView::most) + " diagonals");
  }
}

template <class Space, class T>
CsrView<T> TransposedDiagonals<Space, T>::csr_view() const {
  CsrView<T> view = a_->view();
  view.plan.kernel = SpmvKernel::csr_diagonals;
  view.transposed = true;
  std::swap(view.diagonals.lower_bits, view.diagonals.upper_bits);
  return view;
}

template <class Space, class T>
void TransposedDiagonals<Space, T>::spmv(double alpha, const Vector<Space, T>& x, double beta,
                                         const Vector<Space, T>& b, Vector<Space, T>& y) const {
  if (x.size() != cols() || b.size() != rows() || y.size() != rows()) {
    throw ShapeError("the transpose of a " + detail::shape(rows(), cols()) +
                     " matrix cannot map x of " + std::to_string(x.size()) + " to y of " +
                     std::to_string(y.size()) + " entries");
  }
  Space::spmv(csr_view(), alpha, x.data(), beta, b.data(), y.data());
}

template <class Matrix, class Space, class T>
void multiply_transposed_atomically(const Matrix& a, const Vector<Space, T>& x,
                                    Vector<Space, T>& y) {
  if constexpr (requires { a.pattern(); }) a.pattern().require_all_rows("an atomic product");
  if (x.size() != a.rows() || y.size() != a.cols()) {
    throw ShapeError("the transpose of a " + detail::shape(a.rows(), a.cols()) +
                     " matrix maps x of " + std::to_string(a.rows()) + " to y of " +
                     std::to_string(a.cols()) + " entries, not " + std::to_string(x.size()) +
                     " to " + std::to_string(y.size()));
  }
  if (y.size() != 0) Space::clear(y.data(), sizeof(T) * static_cast<std::size_t>(y.size()));
  detail::add_transposed_product<Space>(a.view(), x.data(), y.data());
}

template <class Space, class T>
void transpose(const DenseMatrix<Space, T>& a, DenseMatrix<Space, T>& result) {
  if (result.rows() != a.cols() || result.cols() != a.rows()) {
    throw ShapeError("a matrix of " + detail::shape(a.rows(), a.cols()) +
                     " is transposed into one of " + detail::shape(result.rows(), result.cols()) +
                     ", expected " + detail::shape(a.cols(), a.rows()));
  }
  if (&a == &result && a.values().size() != 0) {
    throw ShapeError("a matrix is transposed into itself: transpose_in_place() does that");
  }
  Space::transpose(a.rows(), a.cols(), a.data(), static_cast<std::size_t>(a.rows()), result.data(),
                   static_cast<std::size_t>(result.rows()));
}

template <class Space, class T>
void transpose_in_place(DenseMatrix<Space, T>& a) {
  if (a.rows() != a.cols()) {
    throw ShapeError("a matrix of " + detail::shape(a.rows(), a.cols()) +
                     " is transposed in place, expected a square one; transpose(a, result) takes "
                     "any");
  }
  Space::transpose_in_place(a.rows(), a.data(), static_cast<std::size_t>(a.rows()));
}

template EntryOrder<ThisSpace> transpose_by_sorting(const CsrPattern<ThisSpace>&);

#define HODGE_TRANSPOSED(Space, T)                                                          \
  template class TransposedCsr<Space, T>;                                                   \
  template class TransposedDiagonals<Space, T>;                                             \
  template void multiply_transposed_atomically(const CsrMatrix<Space, T>&,                  \
                                               const Vector<Space, T>&, Vector<Space, T>&); \
  template void multiply_transposed_atomically(const CooMatrix<Space, T>&,                  \
                                               const Vector<Space, T>&, Vector<Space, T>&); \
  template void transpose(const DenseMatrix<Space, T>&, DenseMatrix<Space, T>&);            \
  template void transpose_in_place(DenseMatrix<Space, T>&);
HODGE_TRANSPOSED(ThisSpace, double)
HODGE_TRANSPOSED(ThisSpace, float)
#undef HODGE_TRANSPOSED

}  // namespace hodge::linalg
