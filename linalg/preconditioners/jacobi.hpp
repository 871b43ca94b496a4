// M = diag(A).
#pragma once

#include "linalg/cost/byte_model.hpp"
#include "linalg/preconditioners/inverse_diagonal.hpp"
#include "linalg/preconditioners/preconditioner.hpp"

namespace hodge::linalg {

template <class Space, class T>
class Jacobi : public Preconditioner<Space, T> {
 public:
  static constexpr bool is_by_elements = true;
  explicit Jacobi(const NoSettings&) {}
  static std::size_t memory(const NoSettings&, const SystemSize& size) { return size.vectors(1); }
  static double traffic(const NoSettings&, const SystemSize& size) {
    return vectors_bytes(size, 3);
  }

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
  std::optional<DiagonalInverse<T>> diagonal_inverse() const override {
    return DiagonalInverse<T>{inverse_.values().data()};
  }
  PreconditionerFailure failure() const override { return inverse_.failure(); }

 private:
  InverseDiagonal<Space, T> inverse_;
};

}  // namespace hodge::linalg
