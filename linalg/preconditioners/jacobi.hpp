// M = diag(A).
#pragma once

#include "linalg/preconditioners/inverse_diagonal.hpp"
#include "linalg/preconditioners/preconditioner.hpp"
#include "linalg/settings.hpp"

namespace hodge::linalg {

template <class Space, class T>
class Jacobi : public Preconditioner<Space, T> {
 public:
  explicit Jacobi(const PreconditionerSettings&) {}
  static int vectors(const PreconditionerSettings&) { return 1; }

  void setup(const LinearOperator<Space, T>& a) override {
    inverse_.resize(a.rows());
    refresh(a);
  }
  void refresh(const LinearOperator<Space, T>& a) override {
    inverse_.refresh(InverseDiagonal<Space, T>::entries(a, "jacobi"), 1.0);
  }
  const Vector<Space, T>& apply(const Vector<Space, T>& r, Vector<Space, T>& z) override {
    Space::multiply_elements(r.size(), inverse_.values().data(), r.data(), z.data());
    return z;
  }
  int first_bad_row() const override { return inverse_.first_bad_row(); }

 private:
  InverseDiagonal<Space, T> inverse_;
};

}  // namespace hodge::linalg
