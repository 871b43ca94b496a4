// The basis of an Arnoldi process, orthogonal vectors w_0, w_1, ... with their norms beside them
// (orthogonalisation.hpp).
#pragma once

#include <cmath>
#include <limits>

#include "linalg/space/orthogonalisation.hpp"
#include "linalg/vectors/krylov_basis.hpp"

namespace hodge::linalg {

template <class Space, class T>
class ArnoldiBasis {
 public:
  explicit ArnoldiBasis(int columns)
      : columns_(columns), small_(4 * static_cast<std::size_t>(columns + 1)) {}

  void resize(int rows) { vectors_.resize(rows, columns_); }
  Vector<Space, T> column(int j) { return vectors_.column(j); }
  Orthogonalisation data() {
    double* const d = small_.data();
    const int n = columns_ + 1;
    return {std::sqrt(static_cast<double>(std::numeric_limits<T>::epsilon())), d, d + n, d + 2 * n,
            d + 3 * n};
  }

  // w_0 = r
  void start(const Vector<Space, T>& r) {
    column(0) = r;
    DotPairs<T> square;
    square.count = 1;
    square.left[0] = square.right[0] = r.data();
    square.result[0] = data().norms;
    Space::dots(r.size(), square);
    Space::square_root(data().norms, data().norms);
  }
  // Column k holds A M^-1 w_{k-1} and becomes w_k.
  void orthogonalise(int k) {
    Vector<Space, T> w = column(k);
    vectors_.project(k, w, data().dots);
    vectors_.orthogonalise(k, w, {data(), false});
    vectors_.orthogonalise(k, w, {data(), true});  // where it is due
  }
  // w = w + sum_i c_i w_i for i < k
  void add(int k, const double* c, Vector<Space, T>& w) const { vectors_.add(k, c, w); }
  // w = sum_i c_i w_i for i < k
  void combine(int k, const double* c, Vector<Space, T>& w) const { vectors_.combine(k, c, w); }

 private:
  int columns_;
  KrylovBasis<Space, T> vectors_;
  Buffer<double, Space> small_;
};

}  // namespace hodge::linalg
