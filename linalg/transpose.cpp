#include "linalg/transpose.hpp"

#include <string>
#include <type_traits>

#include "linalg/instantiate.hpp"
#include "linalg/transpose_pattern.hpp"

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
                     " non-zeros meets the pattern of a " + std::to_string(matrix().cols()) +
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

#define HODGE_TRANSPOSED(Space, T) template class TransposedCsr<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_TRANSPOSED)

}  // namespace hodge::linalg
