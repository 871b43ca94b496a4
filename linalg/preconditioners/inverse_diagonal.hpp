// The vector factor / a_ii of a CSR matrix, in the memory of the space; refreshed in place.
#pragma once

#include <string>

#include "linalg/matrices/csr.hpp"
#include "linalg/preconditioners/preconditioner.hpp"
#include "linalg/processes/agree.hpp"

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
    shared_ = a.shared_rows();
    invert_diagonal<Space>(a.view(), factor, values_.data(), first_bad_.data());
  }
  const Vector<Space, T>& values() const { return values_; }
  // The first bad row of all processes.
  PreconditionerFailure failure() const {
    int row = 0;
    Space::download(first_bad_.data(), &row, sizeof row);
    constexpr double none = -0x1p62;
    const double least = row < values_.size() ? -static_cast<double>(shared_.first + row) : none;
    const double found = greatest(shared_, least);
    if (found == none) return {};
    return {Breakdown::bad_diagonal, static_cast<std::int64_t>(-found)};
  }

 private:
  Vector<Space, T> values_;
  Buffer<int, Space> first_bad_;
  SharedRows shared_;
};

}  // namespace hodge::linalg
