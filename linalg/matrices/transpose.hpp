// Transposed matrices, and products with them.
//
// CSR: the transposed pattern is found once, together with the permutation of the values, so that
// new values in the same pattern cost one gather (refresh).
//   Host: in one serial pass, O(rows + cols + nonzeros): count the entries of every column, add up
//     the counts, scatter row by row; the new columns are sorted then. F. G. Gustavson, "Two fast
//     algorithms for sparse matrices: multiplication and permuted transposition", ACM Transactions
//     on Mathematical Software 4 (1978) 250-269.
//   Cuda: expand the row offsets to row indices, sort the entries stably by column (radix sort),
//     compress the sorted columns to row offsets. The sort is stable, so rows stay in order.
// CSR on few diagonals: TransposedDiagonals stores nothing and reads the values of A in place.
// COO: transpose() in coo.hpp exchanges the index arrays.
// Dense: tile by tile, 32 x 32. A matrix that is not square cannot be transposed in place.
//
// Products y = A^T x without A^T add every entry's part to y atomically. The threads determine the
// order of the additions, so the last bits differ from run to run; columns with entries in many
// rows are slow. These products are for single use and for comparison; for many products keep A^T.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "linalg/cost/system_size.hpp"
#include "linalg/dense/dense.hpp"
#include "linalg/matrices/coo.hpp"
#include "linalg/matrices/csr.hpp"
#include "linalg/matrices/entry_order.hpp"
#include "linalg/matrices/shared_transpose.hpp"

namespace hodge::linalg {

// The pattern of A^T and where each entry stood in A, in the two ways above, with the same result.
// Sorting needs 2 nonzeros ints beside the result, and the memory of the sort.
EntryOrder<Host> transpose_in_one_pass(const CsrPattern<Host>& a);
template <class Space>
EntryOrder<Space> transpose_by_sorting(const CsrPattern<Space>& a);

// A^T of a CSR matrix; refresh() takes over new values.
template <class Space, class T = double>
class TransposedCsr {
 public:
  // Finds the pattern and the permutation, and takes the values of `a`. Allocates; keeps no
  // reference to `a`.
  void setup(const CsrMatrix<Space, T>& a);
  // Takes new values in the pattern that setup() has seen, without allocating or waiting, but for
  // those of other processes.
  // ShapeError if `a` has another shape or another number of non-zeros, or before setup().
  void refresh(const CsrMatrix<Space, T>& a);

  // cols x rows. ShapeError before setup().
  const CsrMatrix<Space, T>& matrix() const;
  // Non-zero k of matrix() is non-zero permutation()[k] of `a`, unless processes share the rows.
  const Buffer<int, Space>& permutation() const { return entries_.order; }

  // Bytes that setup() keeps for a square matrix.
  static std::size_t memory(const SystemSize& size) {
    return size.matrix() + size.nonzeros * sizeof(int);
  }

 private:
  std::unique_ptr<CsrMatrix<Space, T>> matrix_;
  EntryOrder<Space> entries_;
  std::unique_ptr<SharedTranspose<Space, T>>
      shared_;  // in place of entries_, where processes share rows
};

// A^T of a square matrix whose entries lie on few diagonals (diagonals.hpp), for products and
// sweeps without entries of its own: row i of A^T is a_{i-o,i} over the diagonals o of A. Sums have
// the order of those of TransposedCsr, and the same bits. `a` must live on; its new values are seen
// at once. The values of a column of A stand apart, so that a product alone takes
// 1.4 to 1.5 times one with a stored A^T (H200); multiply_both() is faster than two products with
// stored matrices.
template <class Space, class T = double>
class TransposedDiagonals : public LinearOperator<Space, T> {
 public:
  // ShapeError if `a` is not square, has too many diagonals, or has rows that processes share.
  explicit TransposedDiagonals(const CsrMatrix<Space, T>& a);

  int rows() const override { return a_->rows(); }
  int cols() const override { return a_->cols(); }
  Symmetry symmetry() const override { return a_->symmetry(); }
  CsrView<T> csr_view() const override;
  void spmv(double alpha, const Vector<Space, T>& x, double beta, const Vector<Space, T>& b,
            Vector<Space, T>& y) const override;

 private:
  const CsrMatrix<Space, T>* a_;
};

// y = A x, y_transposed = A^T w and {w . y, w . w, y . y} for a square A; at is A^T. One pass over
// the entries if `at` reads those of A.
template <class Space, class T>
std::array<Scalar<Space>, 3> multiply_both(const LinearOperator<Space, T>& a,
                                           const LinearOperator<Space, T>& at,
                                           const Vector<Space, T>& x, const Vector<Space, T>& w,
                                           Vector<Space, T>& y, Vector<Space, T>& y_transposed) {
  const CsrView<T> entries = a.csr_view(), columns = at.csr_view();
  if (!columns.transposed || columns.values != entries.values ||
      entries.plan.kernel != SpmvKernel::csr_diagonals) {
    auto dots = a.apply_and_dots(x, w, y);
    multiply(at, w, y_transposed);
    return dots;
  }
  for (const Vector<Space, T>* v : {&x, &w, &std::as_const(y), &std::as_const(y_transposed)})
    if (v->size() != a.rows())
      throw ShapeError("both products with a matrix of " + std::to_string(a.rows()) +
                       " rows take no vector of " + std::to_string(v->size()) + " entries");
  std::array<Scalar<Space>, 3> dots;
  Space::spmv_both(entries, x.data(), w.data(), y.data(), y_transposed.data(),
                   {dots[0].data(), dots[1].data(), dots[2].data()});
  return dots;
}

// y = A^T x for a CsrMatrix or CooMatrix, x of a.rows() and y of a.cols() entries (ShapeError).
// Sums are accumulated in T. Not guarded (space.hpp).
template <class Matrix, class Space, class T>
void multiply_transposed_atomically(const Matrix& a, const Vector<Space, T>& x,
                                    Vector<Space, T>& y);

// result = A^T; result must be cols x rows and another matrix than `a` (ShapeError).
template <class Space, class T>
void transpose(const DenseMatrix<Space, T>& a, DenseMatrix<Space, T>& result);
// ShapeError where `a` is not square: transpose it into another matrix.
template <class Space, class T>
void transpose_in_place(DenseMatrix<Space, T>& a);

}  // namespace hodge::linalg
