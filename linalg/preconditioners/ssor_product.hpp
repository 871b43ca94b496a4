// The SSOR sparse approximate inverse as one matrix on the pattern of A.
//
// J.-Q. Gao & Z.-C. Wang, J. Zhejiang Univ. of Technology 44 (2016) 140-145, for symmetric A.
// With A = L + D + U and d_i = omega / a_ii,
//
//   P_ij = (2-omega) sum_k V_ik d_k W_jk        for (i, j) in the pattern of A,
//   V = I - D'^-1 U (+ (D'^-1 U)^2),            W = I - D'^-1 L^T (+ (D'^-1 L^T)^2)
//
// The factors V and W have all their entries. Those of order 1 are in A itself. Those of order 2
// are stored: by diagonals if A lies on few (ssor_diagonals.hpp), otherwise in patterns of their
// own (ssor_second_order.hpp). The product keeps the entries on A's pattern; with alpha < 1 only
// the ceil(alpha n) largest of the n entries of each row, the diagonal, and the mirror images of
// entries that other rows keep. P is symmetric if A is; it need not be definite. setup() chooses
// the pattern of P, refresh() computes new values. Cost per application: one product with P.
#pragma once

#include <memory>

#include "linalg/matrices/csr.hpp"
#include "linalg/matrices/transpose.hpp"
#include "linalg/preconditioners/factor_diagonals.hpp"

namespace hodge::linalg {

// How the product is computed. The results agree to rounding. `automatic` takes diagonals for order
// 2 if A lies on few; otherwise on a GPU warps for long rows and threads for short ones. The others
// are for comparison: by rows, with a thread or a warp a row (on the Host a thread takes any row).
enum class SsorConstruction { automatic, thread_a_row, warp_a_row };

// V of order 2: unit upper triangular rows, columns ascending from the diagonal.
template <class Space, class T>
struct NeumannFactor {
  Buffer<int, Space> row_offsets, columns;
  Buffer<T, Space> values;
};

// V and W of order 2 by diagonals; W only if A is not known to be symmetric.
template <class Space, class T>
struct DiagonalFactors {
  sai::FactorDiagonals v, w;
  sai::ProductTerms terms;
  Buffer<T, Space> v_values, w_values;
  Buffer<T, Space> steps;  // x of ssor_diagonals.hpp, of one factor after the other
};

template <class Space, class T>
class SsorProduct {
 public:
  SsorProduct(int order, double alpha, SsorConstruction how = SsorConstruction::automatic)
      : order_(order), alpha_(alpha), how_(how) {}

  // d_i = omega / a_ii. Throws MemoryError or ShapeError if the factors do not fit.
  void setup(const CsrMatrix<Space, T>& a, double omega, const Vector<Space, T>& d);
  // New values on the same pattern, without allocation.
  void refresh(const CsrMatrix<Space, T>& a, double omega, const Vector<Space, T>& d);
  const CsrMatrix<Space, T>& matrix() const { return *product_; }

  // "diagonals", "thread a row" or "warp a row", after setup().
  const char* construction() const;

 private:
  bool choose_diagonals(const CsrMatrix<Space, T>& a);
  void setup_diagonals(const CsrMatrix<Space, T>& a);
  void choose_terms();
  void setup_rows(const CsrMatrix<Space, T>& a);
  bool by_warps() const;
  void build_factor(const CsrMatrix<Space, T>& a, NeumannFactor<Space, T>& factor);
  void fill_factor(const CsrMatrix<Space, T>& a, const Vector<Space, T>& d,
                   NeumannFactor<Space, T>& factor);
  void fill(const CsrMatrix<Space, T>& a, double omega, const Vector<Space, T>& d);
  void keep_largest();

  int order_;
  double alpha_;
  SsorConstruction how_;
  DiagonalFactors<Space, T> on_;   // v.count = 0: not by diagonals
  NeumannFactor<Space, T> v_, w_;  // of order 2; w_ is empty if A is symmetric
  std::unique_ptr<TransposedCsr<Space, T>> transposed_;
  std::unique_ptr<CsrMatrix<Space, T>> product_;
};

}  // namespace hodge::linalg
