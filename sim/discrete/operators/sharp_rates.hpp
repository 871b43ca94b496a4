// Transport of a velocity component at the faces beside a sharp body, by the differences of
// bodies/sharp_faces.hpp, not in conservative form:
//
//   rate = sum over axes e and sides of (nu_e friction - u_e slope) (u_side - u)
//
// and the values of slaved faces.
#pragma once

#include <cmath>

#include "linalg/vectors/parallel.hpp"
#include "sim/base/unrolled.hpp"
#include "sim/discrete/bodies/sharp_faces.hpp"
#include "sim/discrete/fields/velocity.hpp"

namespace hodge::sim {

template <int Dim>
HODGE_HD Index<Dim> place_of(const Index<Dim>& c, const FaceTap<Dim>& tap) {
  Index<Dim> at = c;
  for (int d = 0; d < Dim; ++d) at[d] += tap.shift[d];
  return at;
}

template <int Dim>
HODGE_HD double sum_of_taps(const FaceTap<Dim>* taps, int count, const ConstFieldView<Dim>& q,
                            const Index<Dim>& c) {
  double sum = 0.0;
  for (int k = 0; k < count; ++k)
    if (taps[k].weight != 0.0) sum += taps[k].weight * q(place_of(c, taps[k]));
  return sum;
}

// The value on a side.
template <int Dim>
HODGE_HD double value_on_side(const SharpFace<Dim>& face, const ConstFieldView<Dim>& q, int e,
                              int side) {
  return face.wall[e][side] ? 0.0
                            : sum_of_taps(face.taps[e][side], SharpFace<Dim>::most_taps, q, face.c);
}

// u_e at the face of component d.
template <int Dim>
HODGE_HD double convecting_at(const SharpFace<Dim>& face, int d, int e,
                              const ConstVelocityView<Dim>& u) {
  return e == d ? u[d](face.c)
                : sum_of_taps(face.convecting[e], SharpFace<Dim>::most_convecting, u[e], face.c);
}

// nu_e friction - u_e slope. These rows do not conserve kinetic energy, and central differences of
// u_e would let it grow where |u_e| d > 2 nu: there nu_e is the least diffusivity with which no
// coefficient is negative. As u is of order h beside a wall, the order stays.
template <int Dim>
HODGE_HD double side_coefficient(const SharpFace<Dim>& face, double nu, double u_e, int e,
                                 int side) {
  const int from = u_e > 0.0 ? 1 : 0;  // where the coefficient may be negative
  const double least = u_e * face.slope[e][from] / face.friction[e][from];
  return fmax(nu, least) * face.friction[e][side] - u_e * face.slope[e][side];
}

// The rate, what it has of -u, and what that would be of if the flow crossed whole cells, of
// friction and of convection; 1/T.
struct SharpRate {
  double rate = 0, own = 0, regular_friction = 0, regular_convection = 0;

  // By how much friction and convection across short distances exceed those of other rows.
  HODGE_HD double stiffness() const {
    return fmax(0.0, own - regular_friction - regular_convection);
  }
};

template <int Dim>
HODGE_HD SharpRate sharp_rate(const GridView<Dim>& grid, const SharpFace<Dim>& face, int d,
                              double nu, const ConstVelocityView<Dim>& u,
                              const ConstFieldView<Dim>& q) {
  const double here = q(face.c);
  SharpRate sum;
  sum.regular_friction = -nu * face.stiffness;
  for (int e = 0; e < Dim; ++e) {
    const double u_e = convecting_at(face, d, e, u);
    sum.regular_convection += fabs(u_e) * grid.inverse_width(e, face.c[e]);
    for (int side = 0; side < 2; ++side) {
      const double a = side_coefficient(face, nu, u_e, e, side);
      sum.rate += a * (value_on_side(face, q, e, side) - here);
      sum.own += a;
      sum.regular_friction += nu * face.friction[e][side];
    }
  }
  return sum;
}

// Gives slaved faces their values.
template <int Dim, class Space>
void set_slaved_faces(const SharpFaces<Dim, Space>& sharp, VelocityField<Dim, Space>& velocity) {
  const SlavedFace<Dim>* const faces = sharp.slaved();
  const SlavedTap<Dim>* const taps = sharp.taps();
  const VelocityView<Dim> u = velocity.view();
  linalg::for_each<Space>(sharp.slaved_count(), [=] HODGE_LAMBDA(int i) {
    const SlavedFace<Dim>& face = faces[i];
    double sum = 0.0;
    for (int k = face.first; k < face.last; ++k) sum += taps[k].weight * u[taps[k].d](taps[k].c);
    u[face.d](face.c) = sum;
  });
}

}  // namespace hodge::sim
