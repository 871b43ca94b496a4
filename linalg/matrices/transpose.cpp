#include "linalg/matrices/transpose.hpp"

#include <string>
#include <type_traits>

#include "linalg/matrices/transpose_pattern.hpp"
#include "linalg/matrices/transposed_product.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

template <class Space, class T>
void TransposedCsr<Space, T>::setup(const CsrMatrix<Space, T>& a) {
  TransposedPattern<Space> transposed;
  if constexpr (std::is_same_v<Space, Host>) {
    transposed = transpose_in_one_pass(a.pattern());
  } else {
    transposed = transpose_by_sorting(a.pattern());
  }
  permutation_ = std::move(transposed.permutation);
  matrix_ = std::make_unique<CsrMatrix<Space, T>>(
      std::make_shared<const CsrPattern<Space>>(
          a.cols(), a.rows(), std::move(transposed.row_offsets), std::move(transposed.columns)),
      a.symmetry());
  refresh(a);
}

template <class Space, class T>
void TransposedCsr<Space, T>::refresh(const CsrMatrix<Space, T>& a) {
  const int nonzeros = a.pattern().nonzeros();
  if (matrix().rows() != a.cols() || matrix().cols() != a.rows() ||
      matrix().pattern().nonzeros() != nonzeros) {
    throw ShapeError("refresh of a transposed matrix: a " + std::to_string(a.rows()) + " x " +
                     std::to_string(a.cols()) + " matrix of " + std::to_string(nonzeros) +
                     " non-zeros does not fit the pattern of a " + std::to_string(matrix().cols()) +
                     " x " + std::to_string(matrix().rows()) + " one of " +
                     std::to_string(matrix().pattern().nonzeros()) + "; call setup() for it");
  }
  Space::gather(nonzeros, permutation_.data(), a.values().data(), matrix_->values().data());
}

template <class Space, class T>
const CsrMatrix<Space, T>& TransposedCsr<Space, T>::matrix() const {
  if (matrix_ == nullptr) throw ShapeError("a transposed matrix is used before its setup()");
  return *matrix_;
}

namespace {

std::string shape(int rows, int cols) {
  return std::to_string(rows) + " x " + std::to_string(cols);
}

template <class Matrix, class Space, class T>
void product_by_atomics(const Matrix& a, const Vector<Space, T>& x, Vector<Space, T>& y) {
  if (x.size() != a.rows() || y.size() != a.cols()) {
    throw ShapeError("the transpose of a " + shape(a.rows(), a.cols()) + " matrix maps x of " +
                     std::to_string(a.rows()) + " to y of " + std::to_string(a.cols()) +
                     " entries, not " + std::to_string(x.size()) + " to " +
                     std::to_string(y.size()));
  }
  if (y.size() != 0) Space::clear(y.data(), sizeof(T) * static_cast<std::size_t>(y.size()));
  add_transposed_product<Space>(a.view(), x.data(), y.data());
}

}  // namespace

template <class Space, class T>
void multiply_transposed_atomically(const CsrMatrix<Space, T>& a, const Vector<Space, T>& x,
                                    Vector<Space, T>& y) {
  product_by_atomics(a, x, y);
}

template <class Space, class T>
void multiply_transposed_atomically(const CooMatrix<Space, T>& a, const Vector<Space, T>& x,
                                    Vector<Space, T>& y) {
  product_by_atomics(a, x, y);
}

template <class Space, class T>
void transpose(const DenseMatrix<Space, T>& a, DenseMatrix<Space, T>& result) {
  if (result.rows() != a.cols() || result.cols() != a.rows()) {
    throw ShapeError("a matrix of " + shape(a.rows(), a.cols()) + " is transposed into one of " +
                     shape(result.rows(), result.cols()) + ", expected " +
                     shape(a.cols(), a.rows()));
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
    throw ShapeError("a matrix of " + shape(a.rows(), a.cols()) +
                     " is transposed in place, expected a square one; transpose(a, result) takes "
                     "any");
  }
  Space::transpose_in_place(a.rows(), a.data(), static_cast<std::size_t>(a.rows()));
}

#define HODGE_TRANSPOSED(Space, T)                                                          \
  template class TransposedCsr<Space, T>;                                                   \
  template void multiply_transposed_atomically(const CsrMatrix<Space, T>&,                  \
                                               const Vector<Space, T>&, Vector<Space, T>&); \
  template void multiply_transposed_atomically(const CooMatrix<Space, T>&,                  \
                                               const Vector<Space, T>&, Vector<Space, T>&); \
  template void transpose(const DenseMatrix<Space, T>&, DenseMatrix<Space, T>&);            \
  template void transpose_in_place(DenseMatrix<Space, T>&);
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_TRANSPOSED)

}  // namespace hodge::linalg
