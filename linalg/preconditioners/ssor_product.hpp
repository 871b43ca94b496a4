// The SSOR sparse approximate inverse as one matrix on the pattern of A.
//
// J.-Q. Gao & Z.-C. Wang, J. Zhejiang Univ. of Technology 44 (2016) 140-145, for symmetric A.
// With A = L + D + U and d_i = omega / a_ii,
//
//   P_ij = (2-omega) sum_k V_ik d_k W_jk        for (i, j) in the pattern of A,
//   V = I - D'^-1 U (+ (D'^-1 U)^2),            W = I - D'^-1 L^T (+ (D'^-1 L^T)^2)
//
// The factors V and W have all their entries (those of order 1 are in A itself, those of order 2
// are stored). The product keeps the entries on A's pattern; with alpha < 1 only the ceil(alpha n)
// largest of the n entries of each row, the diagonal, and the mirror images of entries that other
// rows keep. P is symmetric if A is; it need not be definite. setup() chooses the pattern of P,
// refresh() computes new values. Cost per application: one product with P.
#pragma once

#include <memory>

#include "linalg/matrices/csr.hpp"
#include "linalg/matrices/transpose.hpp"

namespace hodge::linalg {

// V of order 2: unit upper triangular rows, columns ascending from the diagonal.
template <class Space, class T>
struct NeumannFactor {
  Buffer<int, Space> row_offsets, columns;
  Buffer<T, Space> values;
};

template <class Space, class T>
class SsorProduct {
 public:
  SsorProduct(int order, double alpha) : order_(order), alpha_(alpha) {}

  // d_i = omega / a_ii. Throws MemoryError or ShapeError if the factors do not fit.
  void setup(const CsrMatrix<Space, T>& a, double omega, const Vector<Space, T>& d);
  // New values on the same pattern, without allocation.
  void refresh(const CsrMatrix<Space, T>& a, double omega, const Vector<Space, T>& d);
  const CsrMatrix<Space, T>& matrix() const { return *product_; }

 private:
  void build_factor(const CsrMatrix<Space, T>& a, NeumannFactor<Space, T>& factor);
  void fill_factor(const CsrMatrix<Space, T>& a, const Vector<Space, T>& d,
                   NeumannFactor<Space, T>& factor);
  void fill(const CsrMatrix<Space, T>& a, double omega, const Vector<Space, T>& d);
  void keep_largest();

  int order_;
  double alpha_;
  NeumannFactor<Space, T> v_, w_;  // of order 2; w_ is empty if A is symmetric
  std::unique_ptr<TransposedCsr<Space, T>> transposed_;
  std::unique_ptr<CsrMatrix<Space, T>> product_;
};

}  // namespace hodge::linalg
