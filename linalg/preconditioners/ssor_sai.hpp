// SSOR sparse approximate inverse, factored form.
//
// A = L + D + U, D' = D / omega, 0 < omega < 2. The inverse of M = (D'+L) D'^-1 (D'+U) / (2-omega)
// is replaced by the Neumann series of its triangular factors, cut after the first or second order
// (J.-Q. Gao & Z.-C. Wang, J. Zhejiang Univ. of Technology 44 (2016) 140-145, there with the
// product formed explicitly):
//
//   M^-1 ~ (2-omega) [I - D'^-1 U + (D'^-1 U)^2] D'^-1 [I - L D'^-1 + (L D'^-1)^2]
//
// Applied bracket after bracket it is exact, and symmetric positive definite for every omega where
// A is (U = L^T). Cost an application: order 1 one pass over A's pattern, order 2 two; 1 + order
// vectors.
#pragma once

#include "linalg/preconditioners/inverse_diagonal.hpp"
#include "linalg/preconditioners/preconditioner.hpp"
#include "linalg/settings.hpp"

namespace hodge::linalg {

template <class Space, class T>
class SsorSai : public Preconditioner<Space, T> {
 public:
  explicit SsorSai(const PreconditionerSettings& settings)
      : order_(settings.order), omega_(settings.omega) {}
  static int vectors(const PreconditionerSettings& settings) { return 1 + settings.order; }

  void setup(const LinearOperator<Space, T>& a) override {
    d_.resize(a.rows());
    t_.resize(a.rows());
    if (order_ == 2) s_.resize(a.rows());
    refresh(a);
  }
  void refresh(const LinearOperator<Space, T>& a) override {
    matrix_ = &InverseDiagonal<Space, T>::entries(a, "ssor_sai");
    d_.refresh(*matrix_, omega_);
  }
  const Vector<Space, T>& apply(const Vector<Space, T>& r, Vector<Space, T>& z) override {
    using enum Triangle;
    if (order_ == 1) {
      sweep(strictly_lower, r, r, t_);  // t = [I - L D'^-1] r
      scaled_sweep(t_, t_, z);          // z = (2-omega) [I - D'^-1 U] D'^-1 t
    } else {
      sweep(strictly_lower, r, r,
            s_);  // by Horner's rule: s = r - X r, t = r - X s with X = L D'^-1
      sweep(strictly_lower, s_, r, t_);
      sweep(strictly_upper, t_, t_, s_);
      scaled_sweep(s_, t_, z);
    }
    return z;
  }
  int first_bad_row() const override { return d_.first_bad_row(); }

 private:
  using Vec = Vector<Space, T>;

  // y = b - P(A) D'^-1 x
  void sweep(Triangle part, const Vec& x, const Vec& b, Vec& y) {
    Space::sweep(matrix_->view(), part, d_.values().data(), x.data(), b.data(),
                 static_cast<const T*>(nullptr), 1.0, y.data());
  }
  // z = (2-omega) D'^-1 (b - U D'^-1 x)
  void scaled_sweep(const Vec& x, const Vec& b, Vec& z) {
    Space::sweep(matrix_->view(), Triangle::strictly_upper, d_.values().data(), x.data(), b.data(),
                 d_.values().data(), 2.0 - omega_, z.data());
  }

  int order_;
  double omega_;
  const CsrMatrix<Space, T>* matrix_ = nullptr;
  InverseDiagonal<Space, T> d_;
  Vec s_, t_;
};

}  // namespace hodge::linalg
