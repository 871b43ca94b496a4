// Transport of a velocity component at the faces beside a sharp body: friction by the differences
// of bodies/sharp_faces.hpp, convection in conservative form, as at all other faces
// (operators/convection.hpp), by the open parts A of faces,
//
//   rate = nu sum over axes and sides of friction (u_side - u) - C / (A V)
//   C    = sum over sides of out ((1/2 + lean) u + (1/2 - lean) u_there)
//
// V the whole control volume, out the mean of what passes the two faces that a side is made of, A
// counted, and u_there 0 where the face there has no unknown. With lean = 0 C is skew-symmetric, as
// out adds up to 0 in every control volume: sum of A V u du/dt, the kinetic energy in the norm in
// which the projection is orthogonal, changes by friction alone. Between two cut faces, whose
// centroids are not equally far from the side, lean makes the value that of the line between them.
// This passes out lean (u - u_there) like friction, or against it, and no more than half of what
// friction does: |out lean| <= nu most_lean. So the energy does not grow, however coarse the cells.
//
// In an open side V is half a cell: out through the side is A u, which carries u, or what
// boundaries/entering.hpp leaves of it where fluid enters, and out beside it half of what the cell
// passes (operators/open_faces.hpp).
//
// And the values of slaved faces.
#pragma once

#include <cmath>

#include "linalg/vectors/parallel.hpp"
#include "sim/base/unrolled.hpp"
#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/bodies/sharp_faces.hpp"
#include "sim/discrete/boundaries/entering.hpp"
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

// V of a face of component d.
template <int Dim>
HODGE_HD double volume_of_row(const GridView<Dim>& grid, const SharpFace<Dim>& face, int d) {
  return (face.in_open_side < 0 ? 1.0 : 0.5) * grid.control_volume(d, face.c);
}

template <int Dim>
HODGE_HD bool lies_in_side(const SharpFace<Dim>& face, int d, int e, int side) {
  return e == d && side == face.in_open_side;
}

// Out of the control volume of a face of component d through a side, L^Dim / T.
template <int Dim>
HODGE_HD double open_flux_out(const GridView<Dim>& grid, const BodyView<Dim>& bodies,
                              const SharpFace<Dim>& face, const ConstVelocityView<Dim>& u, int d,
                              int e, int side) {
  const auto through = [&](const Index<Dim>& at) {
    return bodies.open(e, at) * grid.face_area(e, at) * u[e](at);
  };
  const Index<Dim> above = face.c.shifted(e, side), below = above.shifted(d, -1);
  double flux = 0.0;
  if (lies_in_side(face, d, e, side)) {
    flux = through(face.c);
  } else {
    const bool has_both = face.in_open_side < 0 || e == d;
    if (has_both || face.in_open_side == 0) flux += 0.5 * through(above);
    if (has_both || face.in_open_side == 1) flux += 0.5 * through(below);
  }
  return side == 0 ? -flux : flux;
}

// What leaves through an open side carries, as a multiple of u.
template <int Dim>
HODGE_HD double carried_through_side(const SideFlows<Dim>& flows, const SharpFace<Dim>& face, int d,
                                     double out) {
  return out >= 0.0 ? 1.0 : 0.5 + 0.5 * entering_share(flows.of[d][face.in_open_side]);
}

// out lean, within its bounds.
template <int Dim>
HODGE_HD double leaning_flux(const SharpFace<Dim>& face, double nu, double out, int e, int side) {
  const double most = nu * face.most_lean[e][side];
  return fmax(-most, fmin(most, out * face.lean[e][side]));
}

// C.
template <int Dim>
HODGE_HD double open_convection(const GridView<Dim>& grid, const BodyView<Dim>& bodies,
                                const SideFlows<Dim>& flows, const SharpFace<Dim>& face, int d,
                                double nu, const ConstVelocityView<Dim>& u,
                                const ConstFieldView<Dim>& q) {
  const double here = q(face.c);
  double sum = 0.0;
  for (int e = 0; e < Dim; ++e)
    for (int side = 0; side < 2; ++side) {
      const double out = open_flux_out(grid, bodies, face, u, d, e, side);
      if (lies_in_side(face, d, e, side)) {
        sum += out * carried_through_side(flows, face, d, out) * here;
        continue;
      }
      const Index<Dim> beside = face.c.shifted(e, side == 0 ? -1 : 1);
      const double there = bodies.excludes(d, beside) ? 0.0 : q(beside);
      sum += 0.5 * out * (here + there) + leaning_flux(face, nu, out, e, side) * (here - there);
    }
  return sum;
}

// 1/T, times velocity.
template <int Dim>
HODGE_HD double sharp_rate(const GridView<Dim>& grid, const BodyView<Dim>& bodies,
                           const SideFlows<Dim>& flows, const SharpFace<Dim>& face, int d,
                           double nu, const ConstVelocityView<Dim>& u,
                           const ConstFieldView<Dim>& q) {
  const double here = q(face.c);
  double friction = 0.0;
  for (int e = 0; e < Dim; ++e)
    for (int side = 0; side < 2; ++side)
      friction += face.friction[e][side] * (value_on_side(face, q, e, side) - here);
  return nu * friction - open_convection(grid, bodies, flows, face, d, nu, u, q) /
                             (bodies.open(d, face.c) * volume_of_row(grid, face, d));
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
