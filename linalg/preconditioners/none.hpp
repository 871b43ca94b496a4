// M = I.
#pragma once

#include "linalg/cost/byte_model.hpp"
#include "linalg/preconditioners/preconditioner.hpp"

namespace hodge::linalg {

template <class Space, class T>
class None : public Preconditioner<Space, T> {
 public:
  explicit None(const NoSettings&) {}
  static std::size_t memory(const NoSettings&, const SystemSize&) { return 0; }
  static double traffic(const NoSettings&, const SystemSize&) { return 0; }

  void setup(const LinearOperator<Space, T>&) override {}
  void refresh(const LinearOperator<Space, T>&) override {}
  const Vector<Space, T>& apply(const Vector<Space, T>& r, Vector<Space, T>&) override { return r; }
  std::optional<DiagonalInverse<T>> diagonal_inverse() const override {
    return DiagonalInverse<T>{};
  }
};

}  // namespace hodge::linalg
