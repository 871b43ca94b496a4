// Resistance of porous bodies and sponges, at the faces of a velocity component or in cells:
//
//   dq/dt = ... + R(q),   R(q) = given - linear q - quadratic |u| q          linear: 1/T
//
// in a step with R linearised about a known velocity u^, where 2 |u^| is what |u| u grows by along
// u^:
//
//   R(q) = given - linear q - quadratic |u^| (2 q - u^_d),   -dR/dq = s = linear + 2 quadratic |u^|
//
//   (q^{n+1} - q^n) / dt = ... + R(q^n) - theta s (q^{n+1} - q^n)
//
// Schemes with several levels have theta = 1 and the extrapolated u^. Schemes that go from one
// level have u^ = u^n and the theta with which dq/dt = R(q) alone is stepped exactly where R is
// linear,
//
//   theta = 1 / (1 - e^-z) - 1 / z,   z = s dt     1/2 for z -> 0; 1 for z -> infinity
//
// Both are of second order and stable for any s; a steady state does not depend on dt.
// Source of theta: L. H. Liniger & R. A. Willoughby, SIAM J. Numer. Anal. 7, 1970 (exponential
// fitting).
#pragma once

#include "linalg/vectors/parallel.hpp"
#include "sim/base/unrolled.hpp"
#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/fields/velocity.hpp"

namespace hodge::sim {

template <int Dim>
struct ResistanceView {
  int location;
  ConstFieldView<Dim> linear, quadratic, given;  // null: 0

  HODGE_HD bool any() const { return linear.origin != nullptr; }
};

// u^ = e0 now + e1 before
template <int Dim>
struct ResistingVelocity {
  ConstVelocityView<Dim> now, before;
  double e0 = 1, e1 = 0;

  HODGE_HD double operator()(int d, const Index<Dim>& c) const {
    return e1 == 0.0 ? now[d](c) : e0 * now[d](c) + e1 * before[d](c);
  }
};

// At the face of component d at c; the others are means of the four faces around.
template <int Dim>
HODGE_HD double speed_at_face(const ResistingVelocity<Dim>& u, int d, const Index<Dim>& c) {
  double squares = u(d, c) * u(d, c);
  for (int e = 0; e < Dim; ++e) {
    if (e == d) continue;
    const Index<Dim> below = c.shifted(d, -1);
    const double mean =
        0.25 * (u(e, c) + u(e, c.shifted(e, 1)) + u(e, below) + u(e, below.shifted(e, 1)));
    squares += mean * mean;
  }
  return sqrt(squares);
}

// R(q) at c.
template <int Dim>
HODGE_HD double resisting_rate(const ResistanceView<Dim>& on, const ResistingVelocity<Dim>& u,
                               const ConstFieldView<Dim>& q, const Index<Dim>& c) {
  double rate = -on.linear(c) * q(c);
  if (on.quadratic.origin != nullptr)
    rate -= on.quadratic(c) * speed_at_face(u, on.location, c) * (2.0 * q(c) - u(on.location, c));
  return on.given.origin != nullptr ? on.given(c) + rate : rate;
}

// s at c.
template <int Dim>
HODGE_HD double resistance_at(const ResistanceView<Dim>& on, const ResistingVelocity<Dim>& u,
                              const Index<Dim>& c) {
  double rate = on.linear(c);
  if (on.quadratic.origin != nullptr)
    rate += 2.0 * on.quadratic(c) * speed_at_face(u, on.location, c);
  return rate;
}

// theta
HODGE_HD inline double fitted_share(double z) {
  if (z < 1e-2) return 0.5 + z / 12.0;  // the next term is z^3 / 720
  return 1.0 / (1.0 - exp(-z)) - 1.0 / z;
}

template <int Dim>
Box<Dim> points_of(const Layout<Dim>& layout, int location) {
  Box<Dim> box = layout.interior();
  if (location >= 0) ++box.upper[location];
  return box;
}

// implicit := theta s of a step of dt.
template <int Dim, class Space>
void find_implicit_resistance(const ResistanceView<Dim>& on, const ResistingVelocity<Dim>& u,
                              double dt, bool is_fitted, Field<Dim, Space>& implicit) {
  const FieldView<Dim> result = implicit.view();
  linalg::for_each<Space>(points_of(implicit.layout(), on.location),
                          [=] HODGE_LAMBDA(const Index<Dim>& c) {
                            const double rate = resistance_at(on, u, c);
                            result(c) = is_fitted ? fitted_share(rate * dt) * rate : rate;
                          });
}

// mobility := 1 / (1 + dt implicit): what a gradient of the pressure moves of what it would without
// resistance. Beside sharp bodies friction holds back, too, by beta (bodies/body_view.hpp); both
// together by 1 / (1 / beta + dt implicit), of which the mobility is what beta leaves.
template <int Dim, class Space>
void find_mobility(int location, const Field<Dim, Space>& implicit, double dt,
                   const BodyView<Dim>& bodies, Field<Dim, Space>& mobility) {
  const ConstFieldView<Dim> rate = implicit.view();
  const FieldView<Dim> result = mobility.view();
  linalg::for_each<Space>(
      points_of(mobility.layout(), location), [=] HODGE_LAMBDA(const Index<Dim>& c) {
        const double beta = bodies.cuts_faces ? bodies.mobility(location, c) : 1.0;
        result(c) = 1.0 / (1.0 + beta * dt * rate(c));
      });
}

}  // namespace hodge::sim
