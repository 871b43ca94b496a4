// A linear operator, y = alpha A x + beta y, as the solvers see it.
#pragma once

#include <array>

#include "linalg/vectors/vector.hpp"

namespace hodge::linalg {

enum class Symmetry { unknown, symmetric, nonsymmetric };

template <class Space, class T>
class CsrMatrix;

template <class Space, class T = double>
class LinearOperator {
 public:
  virtual ~LinearOperator() = default;
  virtual int rows() const = 0;
  virtual int cols() const = 0;
  virtual Symmetry symmetry() const { return Symmetry::unknown; }
  // The entries, for preconditioners that need them; null for an operator without entries.
  virtual const CsrMatrix<Space, T>* csr() const { return nullptr; }

  virtual void apply(double alpha, const Vector<Space, T>& x, double beta,
                     Vector<Space, T>& y) const = 0;
  // y = A x and {w . y, w . w, y . y} for a square A, in one pass if the operator can. w may be x.
  virtual std::array<Scalar<Space>, 3> apply_and_dots(const Vector<Space, T>& x,
                                                      const Vector<Space, T>& w,
                                                      Vector<Space, T>& y) const {
    apply(1.0, x, 0.0, y);
    return dots(w, y, w, w, y, y);
  }
  // The same, and {v . y, v . w}.
  virtual std::array<Scalar<Space>, 5> apply_and_dots(const Vector<Space, T>& x,
                                                      const Vector<Space, T>& w,
                                                      Vector<Space, T>& y,
                                                      const Vector<Space, T>& v) const {
    apply(1.0, x, 0.0, y);
    auto [wy, ww, yy, vy] = dots(w, y, w, w, y, y, v, y);
    return {std::move(wy), std::move(ww), std::move(yy), std::move(vy), dot(v, w)};
  }
  // r = b - A x, r another vector than b.
  virtual void residual(const Vector<Space, T>& x, const Vector<Space, T>& b,
                        Vector<Space, T>& r) const {
    r = b;
    apply(-1.0, x, 1.0, r);
  }
};

// y = A x
template <class Space, class T>
void multiply(const LinearOperator<Space, T>& a, const Vector<Space, T>& x, Vector<Space, T>& y) {
  a.apply(1.0, x, 0.0, y);
}

// r = b - A x
template <class Space, class T>
void residual(const LinearOperator<Space, T>& a, const Vector<Space, T>& x,
              const Vector<Space, T>& b, Vector<Space, T>& r) {
  a.residual(x, b, r);
}

}  // namespace hodge::linalg
