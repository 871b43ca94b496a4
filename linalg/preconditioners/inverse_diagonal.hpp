// The vector factor / a_ii of a CSR matrix, in the memory of the space; refreshed in place.
#pragma once

#include <string>

#include "linalg/matrices/csr.hpp"
#include "linalg/preconditioners/preconditioner.hpp"

namespace hodge::linalg {

template <class Space, class T>
class InverseDiagonal {
 public:
  InverseDiagonal() : first_bad_(1) {}

  // The matrix of an operator. ShapeError, naming the preconditioner `who`, if there is none.
  static const CsrMatrix<Space, T>& entries(const LinearOperator<Space, T>& a, const char* who) {
    if (a.csr() != nullptr && a.rows() == a.cols()) return *a.csr();
    throw ShapeError(std::string("preconditioner ") + who +
                     " needs a square matrix with entries; this operator has none: use 'none'");
  }
  void resize(int rows) { values_.resize(rows); }
  void refresh(const CsrMatrix<Space, T>& a, double factor) {
    invert_diagonal<Space>(a.view(), factor, values_.data(), first_bad_.data());
  }
  const Vector<Space, T>& values() const { return values_; }
  PreconditionerFailure failure() const {
    int row = 0;
    Space::download(first_bad_.data(), &row, sizeof row);
    if (row >= values_.size()) return {};
    return {Breakdown::bad_diagonal, row};
  }

 private:
  Vector<Space, T> values_;
  Buffer<int, Space> first_bad_;
};

}  // namespace hodge::linalg
