#include "linalg/matrices/coo.hpp"

#include <climits>
#include <string>

#include "linalg/matrices/csr.hpp"
#include "linalg/matrices/row_offsets.hpp"
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

// The entries sorted stably by row, as a CSR matrix. The columns of a row stand in any order and
// may repeat; other users of CSR matrices do not allow that, but products do.
template <class Space, class T>
struct CooMatrix<Space, T>::RowOrder {
  Buffer<int, Space> permutation;  // entry k in this order is entry permutation[k] as given
  std::unique_ptr<CsrMatrix<Space, T>> rows;

  explicit RowOrder(const CooMatrix& a) : permutation(a.values().size()) {
    const int n = a.nonzeros();
    Buffer<int, Space> keys = a.row_indices().copy(), columns(a.values().size());
    Buffer<int, Space> row_offsets(static_cast<std::size_t>(a.rows()) + 1);
    count_up<Space>(n, permutation.data());
    Space::stable_sort_by_key(n, keys.data(), permutation.data());
    Space::gather(n, permutation.data(), a.columns().data(), columns.data());
    compress_row_indices<Space>(a.rows(), n, keys.data(), Compression::row_changes,
                                row_offsets.data());
    rows = std::make_unique<CsrMatrix<Space, T>>(std::make_shared<const CsrPattern<Space>>(
        a.rows(), a.cols(), std::move(row_offsets), std::move(columns)));
  }

  // The matrix with the present values of `a`.
  const CsrMatrix<Space, T>& of(const CooMatrix& a) {
    Space::gather(a.nonzeros(), permutation.data(), a.values().data(), rows->values().data());
    return *rows;
  }
};

template <class Space, class T>
void CooMatrix<Space, T>::DeleteRowOrder::operator()(RowOrder* order) const {
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
  if (row_order_ == nullptr) row_order_.reset(new RowOrder(*this));
  return row_order_->of(*this);
}

template <class Space, class T>
void CooMatrix<Space, T>::apply(double alpha, const Vector<Space, T>& x, double beta,
                                Vector<Space, T>& y) const {
  by_rows().apply(alpha, x, beta, y);
}

template <class Space, class T>
std::array<Scalar<Space>, 3> CooMatrix<Space, T>::apply_and_dots(const Vector<Space, T>& x,
                                                                 const Vector<Space, T>& w,
                                                                 Vector<Space, T>& y) const {
  return by_rows().apply_and_dots(x, w, y);
}

template <class Space, class T>
std::array<Scalar<Space>, 5> CooMatrix<Space, T>::apply_and_dots(const Vector<Space, T>& x,
                                                                 const Vector<Space, T>& w,
                                                                 Vector<Space, T>& y,
                                                                 const Vector<Space, T>& v) const {
  return by_rows().apply_and_dots(x, w, y, v);
}

template <class Space, class T>
void CooMatrix<Space, T>::residual(const Vector<Space, T>& x, const Vector<Space, T>& b,
                                   Vector<Space, T>& r) const {
  by_rows().residual(x, b, r);
}

#define HODGE_COO(Space, T) template class CooMatrix<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_COO)

}  // namespace hodge::linalg
