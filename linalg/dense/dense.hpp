// Dense matrix in the memory of a space, stored by columns: entry (i, j) stands at i + j * rows.
#pragma once

#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

template <class Space, class T = double>
class DenseMatrix {
 public:
  DenseMatrix() = default;
  DenseMatrix(int rows, int cols)
      : rows_(rows),
        cols_(cols),
        values_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols)) {}
  // By columns, rows * cols entries (ShapeError).
  DenseMatrix(int rows, int cols, std::span<const T> host) : DenseMatrix(rows, cols) {
    values_.upload(host);
  }

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  Buffer<T, Space>& values() { return values_; }
  const Buffer<T, Space>& values() const { return values_; }

 private:
  int rows_ = 0, cols_ = 0;
  Buffer<T, Space> values_;
};

}  // namespace hodge::linalg
