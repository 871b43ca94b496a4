// What tells the operators of two solves apart: the pattern of a matrix, or the operator itself
// where it has none. A pattern is kept alive, so that no other one can get its address.
#pragma once

#include <memory>

#include "linalg/matrices/csr.hpp"
#include "linalg/solvers/solver.hpp"

namespace hodge::linalg {

using OperatorIdentity = std::shared_ptr<const void>;

template <class Space, class T>
OperatorIdentity identity_of(const LinearOperator<Space, T>& a) {
  if (a.csr() != nullptr) return a.csr()->shared_pattern();
  return {OperatorIdentity(), &a};
}

}  // namespace hodge::linalg
