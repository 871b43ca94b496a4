// Compressed sparse rows. The pattern is built once; values live apart, so that they can be
// refreshed without touching it.
//
//   row_offsets: rows + 1 ints, row i holds the entries row_offsets[i] .. row_offsets[i+1] - 1
//   columns:     nonzeros ints, strictly ascending in each row
//   values:      nonzeros of T
//
// Indices are 32-bit: 2^31 or more rows or non-zeros are refused (ShapeError).
#pragma once

#include <memory>
#include <span>

#include "linalg/buffer.hpp"
#include "linalg/operator.hpp"

namespace hodge::linalg {

template <class Space>
class CsrPattern {
 public:
  // Takes arrays that already live in the space; checks their sizes and finds the diagonal.
  CsrPattern(int rows, int cols, Buffer<int, Space> row_offsets, Buffer<int, Space> columns);
  // Copies host arrays, which are checked entry by entry (ShapeError names the row).
  CsrPattern(int rows, int cols, std::span<const int> row_offsets, std::span<const int> columns);

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int nonzeros() const { return static_cast<int>(columns_.size()); }
  const Buffer<int, Space>& row_offsets() const { return row_offsets_; }
  const Buffer<int, Space>& columns() const { return columns_; }
  const Buffer<int, Space>& diagonal() const { return diagonal_; }

 private:
  int rows_, cols_;
  Buffer<int, Space> row_offsets_, columns_;
  Buffer<int, Space> diagonal_;  // position of the first entry of row i with column >= i
};

template <class Space, class T = double>
class CsrMatrix : public LinearOperator<Space, T> {
 public:
  explicit CsrMatrix(std::shared_ptr<const CsrPattern<Space>> pattern,
                     Symmetry symmetry = Symmetry::unknown);

  int rows() const override { return pattern_->rows(); }
  int cols() const override { return pattern_->cols(); }
  Symmetry symmetry() const override { return symmetry_; }
  const CsrMatrix* csr() const override { return this; }
  const CsrPattern<Space>& pattern() const { return *pattern_; }
  const std::shared_ptr<const CsrPattern<Space>>& shared_pattern() const { return pattern_; }
  Buffer<T, Space>& values() { return values_; }
  const Buffer<T, Space>& values() const { return values_; }
  CsrView<T> view() const;

  void apply(double alpha, const Vector<Space, T>& x, double beta,
             Vector<Space, T>& y) const override;
  std::array<Scalar<Space>, 3> apply_and_dots(const Vector<Space, T>& x,
                                              Vector<Space, T>& y) const override;

 private:
  std::shared_ptr<const CsrPattern<Space>> pattern_;
  Buffer<T, Space> values_;
  Symmetry symmetry_;
};

}  // namespace hodge::linalg
