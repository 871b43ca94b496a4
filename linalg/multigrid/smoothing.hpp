// Smoothing on a stencil, z := S r or z += S r, and the residual r - A z.
//
//   ssor_sai    S = (2 - omega) (I - D'^-1 U) D'^-1 (I - L D'^-1), D' = D / omega, two passes
//               (preconditioners/ssor_sai.hpp, order 1)
//   jacobi      S = 0.8 omega D^-1, one pass
//   chebyshev   the Chebyshev polynomial of second order in D^-1 A for eigenvalues in [0.5, 2], two
//               passes
//
// All are symmetric if A is. r and z may have another value type than the level, because level 0
// reads and writes the vectors of the solver.
#pragma once

#include "linalg/multigrid/passes.hpp"
#include "linalg/multigrid/stencil_rows.hpp"

namespace hodge::linalg::multigrid {

// t = D'^-1 (I - L D'^-1) r
template <class Read, class T, class R>
struct LowerSweep {
  static constexpr Neighbours part = Neighbours::below;
  const T* inverse;
  T omega;
  const R* r;
  T* t;

  HODGE_HD T value(int q) const {
    return omega * constant(inverse + q) * static_cast<T>(Read::at(r + q));
  }
  HODGE_HD void finish(int p, T own, T below) const {
    t[p] = own - omega * constant(inverse + p) * below;
  }
};

// z = start + (2 - omega) (I - D'^-1 U) t; a null start is 0.
template <class Read, class T, class Z>
struct UpperSweep {
  static constexpr Neighbours part = Neighbours::above;
  const T* inverse;
  T omega;
  const T *t, *start;
  Z* z;

  HODGE_HD T value(int q) const { return Read::at(t + q); }
  HODGE_HD void finish(int p, T own, T above) const {
    const T change = (T(2) - omega) * (own - omega * constant(inverse + p) * above);
    z[p] = static_cast<Z>(start == nullptr ? change : start[p] + change);
  }
};

// d = r - A z, 0 in cells without an unknown.
template <class Read, class T, class R>
struct ResidualRow {
  static constexpr Neighbours part = Neighbours::both;
  const T* inverse;
  const R* r;
  const T* z;
  T* d;

  HODGE_HD T value(int q) const { return Read::at(z + q); }
  HODGE_HD void finish(int p, T own, T neighbours) const {
    const T i = constant(inverse + p);
    d[p] = i == T(0) ? T(0) : static_cast<T>(Read::at(r + p)) - quotient(own, i) - neighbours;
  }
};

// z = start + factor D^-1 r in the cells of some layers.
template <int Dim, class Space, class T, class R, class Z>
void scaled_step(const StencilView<Dim, T>& a, const Layers& layers, T factor, const R* r,
                 const T* start, Z* z) {
  const int first = a.shape.layer() * layers.begin;
  for_each_guarded<Space>(a.shape.layer() * layers.count(), [=] HODGE_LAMBDA(int i) {
    const int p = first + i;
    const T change = factor * a.inverse[p] * static_cast<T>(r[p]);
    z[p] = static_cast<Z>(start == nullptr ? change : start[p] + change);
  });
}

// The second step of chebyshev, y = D^-1 r / theta being the first:
// z = start + y + rho (2 / delta D^-1 (r - A y) + rho_1 y)
template <class T>
struct ChebyshevStep {
  T first;     // 1 / theta
  T residual;  // 2 rho / delta
  T momentum;  // 1 + rho rho_1
  // The factor of y, since D^-1 (r - A y) = (theta - 1) y - D^-1 (L + U) y.
  HODGE_HD T own() const { return momentum + residual * (T(1) / first - T(1)); }
};

template <class T>
ChebyshevStep<T> chebyshev_step(double largest) {
  const double smallest = largest / 4, theta = (largest + smallest) / 2,
               delta = (largest - smallest) / 2, sigma = theta / delta, rho_1 = 1 / sigma,
               rho = 1 / (2 * sigma - rho_1);
  return {static_cast<T>(1 / theta), static_cast<T>(2 * rho / delta),
          static_cast<T>(1 + rho * rho_1)};
}

template <class Read, class T, class R, class Z>
struct SecondChebyshevStep {
  static constexpr Neighbours part = Neighbours::both;
  const T* inverse;
  ChebyshevStep<T> by;
  const R* r;
  const T* start;
  Z* z;

  HODGE_HD T value(int q) const {
    return by.first * constant(inverse + q) * static_cast<T>(Read::at(r + q));
  }
  HODGE_HD void finish(int p, T y, T neighbours) const {
    const T change = by.own() * y - by.residual * constant(inverse + p) * neighbours;
    z[p] = static_cast<Z>(start == nullptr ? change : start[p] + change);
  }
};

}  // namespace hodge::linalg::multigrid
