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
  // For sweeps (space/sparse_primitives.hpp): the entries, or the form of them that stands in for
  // stored ones; no rows if there is neither.
  virtual CsrView<T> csr_view() const { return {}; }

  // y = alpha A x + beta b; b may be y, and is not read if beta is 0.
  virtual void spmv(double alpha, const Vector<Space, T>& x, double beta, const Vector<Space, T>& b,
                    Vector<Space, T>& y) const = 0;
  // y = A x for a square A, and the dot products (ProductDots), in one pass if the operator can. w
  // may be x; v is null if no results are asked for.
  virtual void spmv_dots(const Vector<Space, T>& x, const Vector<Space, T>& w, Vector<Space, T>& y,
                         const ProductDots& dots, const Vector<Space, T>* v) const {
    spmv(1.0, x, 0.0, y, y);
    const T *const of_w = w.data(), *const of_y = y.data();
    Space::dots(
        w.size(),
        DotPairs<T>{3, {of_w, of_w, of_y}, {of_y, of_w, of_y}, {dots.wy, dots.ww, dots.yy}});
    if (v == nullptr) return;
    Space::dots(w.size(), DotPairs<T>{2, {v->data(), v->data()}, {of_y, of_w}, {dots.vy, dots.vw}});
  }

  // r = b - A x for a square A and the dot products of b (w) and r (y), in one pass if the operator
  // can; r is not b.
  virtual void residual_dots(const Vector<Space, T>& x, const Vector<Space, T>& b,
                             Vector<Space, T>& r, const ProductDots& dots) const {
    spmv(-1.0, x, 1.0, b, r);
    const T *const of_b = b.data(), *const of_r = r.data();
    Space::dots(
        b.size(),
        DotPairs<T>{3, {of_b, of_b, of_r}, {of_r, of_b, of_r}, {dots.wy, dots.ww, dots.yy}});
  }

  // y = alpha A x + beta y
  void apply(double alpha, const Vector<Space, T>& x, double beta, Vector<Space, T>& y) const {
    spmv(alpha, x, beta, y, y);
  }
  // y = A x and {w . y, w . w, y . y}.
  std::array<Scalar<Space>, 3> apply_and_dots(const Vector<Space, T>& x, const Vector<Space, T>& w,
                                              Vector<Space, T>& y) const {
    std::array<Scalar<Space>, 3> r;
    spmv_dots(x, w, y, {r[0].data(), r[1].data(), r[2].data()}, nullptr);
    return r;
  }
  // The same, and {v . y, v . w}.
  std::array<Scalar<Space>, 5> apply_and_dots(const Vector<Space, T>& x, const Vector<Space, T>& w,
                                              Vector<Space, T>& y,
                                              const Vector<Space, T>& v) const {
    std::array<Scalar<Space>, 5> r;
    spmv_dots(x, w, y, {r[0].data(), r[1].data(), r[2].data(), r[3].data(), r[4].data()}, &v);
    return r;
  }
};

// y = A x
template <class Space, class T>
void multiply(const LinearOperator<Space, T>& a, const Vector<Space, T>& x, Vector<Space, T>& y) {
  a.apply(1.0, x, 0.0, y);
}

// r = b - A x and {b . r, b . b, r . r}
template <class Space, class T>
std::array<Scalar<Space>, 3> residual_and_dots(const LinearOperator<Space, T>& a,
                                               const Vector<Space, T>& x, const Vector<Space, T>& b,
                                               Vector<Space, T>& r) {
  std::array<Scalar<Space>, 3> s;
  a.residual_dots(x, b, r, {s[0].data(), s[1].data(), s[2].data()});
  return s;
}

// r = b - A x
template <class Space, class T>
void residual(const LinearOperator<Space, T>& a, const Vector<Space, T>& x,
              const Vector<Space, T>& b, Vector<Space, T>& r) {
  a.spmv(-1.0, x, 1.0, b, r);
}

}  // namespace hodge::linalg
