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
  static std::size_t memory(const PreconditionerSettings& settings, const SystemSize& size) {
    return size.vectors(1 + settings.order);
  }

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
  // With hats for D'^-1 times a vector, a factor's series is s^ = r^ - D'^-1 L r^, by Horner's rule
  // for order 2.
  const Vector<Space, T>& apply(const Vector<Space, T>& r, Vector<Space, T>& z) override {
    using enum Triangle;
    Space::multiply_elements(r.size(), d_.values().data(), r.data(), z.data());  // r^
    if (order_ == 1) {
      sweep(strictly_lower, 1.0, z, z, t_);            // t^ = r^ - D'^-1 L r^
      sweep(strictly_upper, 2.0 - omega_, t_, t_, z);  // z = (2-omega) (t^ - D'^-1 U t^)
    } else {
      sweep(strictly_lower, 1.0, z, z, s_);
      sweep(strictly_lower, 1.0, z, s_, t_);
      sweep(strictly_upper, 1.0, t_, t_, s_);
      sweep(strictly_upper, 2.0 - omega_, t_, s_, z);
    }
    return z;
  }
  PreconditionerFailure failure() const override { return d_.failure(); }

 private:
  using Vec = Vector<Space, T>;

  // y = factor (b - D'^-1 P(A) x)
  void sweep(Triangle part, double factor, const Vec& b, const Vec& x, Vec& y) {
    Space::sweep(matrix_->view(), part, d_.values().data(), x.data(), b.data(), factor, y.data());
  }

  int order_;
  double omega_;
  const CsrMatrix<Space, T>* matrix_ = nullptr;
  InverseDiagonal<Space, T> d_;
  Vec s_, t_;
};

}  // namespace hodge::linalg
