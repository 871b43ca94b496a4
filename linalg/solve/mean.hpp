// Vectors without their mean, the part of them in the null space of NullSpace::constant.
#pragma once

#include "linalg/solvers/solver.hpp"

namespace hodge::linalg {

template <class Space, class T>
void remove_mean(Vector<Space, T>& v) {
  const auto total = sum(v);
  const SharedRows& rows = shared_rows();
  v = v - total / (rows.is_shared() ? static_cast<double>(rows.total) : v.size());
}

// ||v|| without its part in the null space; `work` is a vector of its length.
template <class Space, class T>
double norm_without(NullSpace null_space, const Vector<Space, T>& v, Vector<Space, T>& work) {
  if (null_space == NullSpace::none) return norm(v).to_host();
  work = v;
  remove_mean(work);
  return norm(work).to_host();
}

}  // namespace hodge::linalg
