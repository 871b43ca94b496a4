// Coordinate storage: one row index, one column and one value per entry, in any order. Entries at
// the same place count as their sum.
//
// Matrices are assembled and exchanged in this format. The first product sorts the entries
// (entry_order.hpp); every product brings the values into that order, sums those at the same place,
// and multiplies as CSR does, so results repeat bit for bit. For many products convert the matrix
// with to_csr() (convert.hpp).
//
// Indices are 32-bit: 2^31 - 1 or more rows, columns or entries are refused (ShapeError).
#pragma once

#include <array>
#include <memory>
#include <span>

#include "linalg/matrices/operator.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

template <class Space, class T = double>
class CooMatrix : public LinearOperator<Space, T> {
 public:
  // Takes arrays that already live in the space; their sizes are checked, the indices are not.
  CooMatrix(int rows, int cols, Buffer<int, Space> row_indices, Buffer<int, Space> columns,
            Buffer<T, Space> values, Symmetry symmetry = Symmetry::unknown);
  // Copies host arrays, whose indices are checked (ShapeError names the entry).
  CooMatrix(int rows, int cols, std::span<const int> row_indices, std::span<const int> columns,
            std::span<const T> values, Symmetry symmetry = Symmetry::unknown);

  int rows() const override { return rows_; }
  int cols() const override { return cols_; }
  int nonzeros() const { return static_cast<int>(values_.size()); }  // duplicates counted
  Symmetry symmetry() const override { return symmetry_; }
  const Buffer<int, Space>& row_indices() const { return row_indices_; }
  const Buffer<int, Space>& columns() const { return columns_; }
  Buffer<T, Space>& values() { return values_; }
  const Buffer<T, Space>& values() const { return values_; }
  EntryView<T> view() const {
    return {nonzeros(), row_indices_.data(), columns_.data(), values_.data()};
  }

  // The first product allocates the order, so it must not run in two threads at once.
  void spmv(double alpha, const Vector<Space, T>& x, double beta, const Vector<Space, T>& b,
            Vector<Space, T>& y) const override;
  void spmv_dots(const Vector<Space, T>& x, const Vector<Space, T>& w, Vector<Space, T>& y,
                 const ProductDots& dots, const Vector<Space, T>* v) const override;

  // A^T: exchanges the index arrays and moves no entry.
  template <class S, class U>
  friend CooMatrix<S, U> transpose(CooMatrix<S, U>&& a);

 private:
  struct InOrder;
  struct DeleteInOrder {
    void operator()(InOrder* order) const;
  };
  const CsrMatrix<Space, T>& by_rows() const;

  int rows_, cols_;
  Buffer<int, Space> row_indices_, columns_;
  Buffer<T, Space> values_;
  Symmetry symmetry_;
  mutable std::unique_ptr<InOrder, DeleteInOrder> in_order_;  // made by the first product
};

template <class Space, class T>
CooMatrix<Space, T> transpose(CooMatrix<Space, T>&& a) {
  return CooMatrix<Space, T>(a.cols_, a.rows_, std::move(a.columns_), std::move(a.row_indices_),
                             std::move(a.values_), a.symmetry_);
}

}  // namespace hodge::linalg
