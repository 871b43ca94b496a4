#include "linalg/matrices/coo.hpp"

#include <climits>
#include <string>

#include "linalg/matrices/entry_order.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

void check_sizes(int rows, int cols, std::size_t row_indices, std::size_t columns,
                 std::size_t values) {
  const std::string what =
      "COO matrix of " + std::to_string(rows) + " x " + std::to_string(cols) + ": ";
  if (rows < 0 || cols < 0 || rows == INT_MAX || cols == INT_MAX) {
    throw ShapeError(what + "expected 0 to 2^31 - 2 rows and columns");
  }
  if (row_indices != values || columns != values) {
    throw ShapeError(what + std::to_string(row_indices) + " row indices, " +
                     std::to_string(columns) + " columns and " + std::to_string(values) +
                     " values, expected as many of each");
  }
  if (values >= static_cast<std::size_t>(INT_MAX)) {
    throw ShapeError(what + std::to_string(values) + " entries do not fit 32-bit indices");
  }
}

std::span<const int> checked_indices(const std::string& what, int bound,
                                     std::span<const int> indices) {
  for (std::size_t k = 0; k < indices.size(); ++k) {
    if (indices[k] >= 0 && indices[k] < bound) continue;
    throw ShapeError("COO matrix, entry " + std::to_string(k) + ": " + what + " " +
                     std::to_string(indices[k]) + ", expected " +
                     (bound > 0 ? "0 to " + std::to_string(bound - 1)
                                : "none, the matrix has no " + what + "s"));
  }
  return indices;
}

}  // namespace

template <class Space, class T>
struct CooMatrix<Space, T>::InOrder {
  EntryOrder<Space> entries;
  CsrMatrix<Space, T> matrix;

  explicit InOrder(const CooMatrix& a)
      : entries(order_entries(a.rows(), a.cols(), a.row_indices(), a.columns())),
        matrix(entries.pattern) {}
};

template <class Space, class T>
void CooMatrix<Space, T>::DeleteInOrder::operator()(InOrder* order) const {
  delete order;
}

template <class Space, class T>
CooMatrix<Space, T>::CooMatrix(int rows, int cols, Buffer<int, Space> row_indices,
                               Buffer<int, Space> columns, Buffer<T, Space> values,
                               Symmetry symmetry)
    : rows_(rows),
      cols_(cols),
      row_indices_(std::move(row_indices)),
      columns_(std::move(columns)),
      values_(std::move(values)),
      symmetry_(symmetry) {
  check_sizes(rows_, cols_, row_indices_.size(), columns_.size(), values_.size());
}

template <class Space, class T>
CooMatrix<Space, T>::CooMatrix(int rows, int cols, std::span<const int> row_indices,
                               std::span<const int> columns, std::span<const T> values,
                               Symmetry symmetry)
    : CooMatrix(rows, cols, Buffer<int, Space>(checked_indices("row", rows, row_indices)),
                Buffer<int, Space>(checked_indices("column", cols, columns)),
                Buffer<T, Space>(values), symmetry) {}

template <class Space, class T>
const CsrMatrix<Space, T>& CooMatrix<Space, T>::by_rows() const {
  if (in_order_ == nullptr) in_order_.reset(new InOrder(*this));
  sum_entries(in_order_->entries, values_.data(), in_order_->matrix.values().data());
  return in_order_->matrix;
}

template <class Space, class T>
void CooMatrix<Space, T>::spmv(double alpha, const Vector<Space, T>& x, double beta,
                               const Vector<Space, T>& b, Vector<Space, T>& y) const {
  by_rows().spmv(alpha, x, beta, b, y);
}

template <class Space, class T>
void CooMatrix<Space, T>::spmv_dots(const Vector<Space, T>& x, const Vector<Space, T>& w,
                                    Vector<Space, T>& y, const ProductDots& dots,
                                    const Vector<Space, T>* v) const {
  by_rows().spmv_dots(x, w, y, dots, v);
}

#define HODGE_COO(Space, T) template class CooMatrix<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_COO)

}  // namespace hodge::linalg
