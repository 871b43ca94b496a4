// The basis of an Arnoldi process: orthogonal vectors w_0, w_1, ... and their norms
// (space/orthogonalisation.hpp).
#pragma once

#include <cmath>
#include <limits>

#include "linalg/space/orthogonalisation.hpp"
#include "linalg/vectors/krylov_basis.hpp"

namespace hodge::linalg {

template <class Space, class T>
class ArnoldiBasis : KrylovBasis<Space, T> {
 public:
  using Base = KrylovBasis<Space, T>;
  using Base::add, Base::column, Base::combine;

  explicit ArnoldiBasis(int columns)
      : columns_(columns), small_(4 * static_cast<std::size_t>(columns + 1)) {}

  void resize(int rows) { Base::resize(rows, columns_); }
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
    Space::run(
        {.kind = ScalarOperation::Kind::square_root, .in = {data().norms}, .out = data().norms});
  }
  // Column k holds A M^-1 w_{k-1} and becomes w_k.
  void orthogonalise(int k) {
    Vector<Space, T> w = column(k);
    Base::project(k, w, data().dots);
    Base::orthogonalise(k, w, {data(), false});
    Base::orthogonalise(k, w, {data(), true});  // does nothing where one round is enough
  }

 private:
  int columns_;
  Buffer<double, Space> small_;
};

}  // namespace hodge::linalg
