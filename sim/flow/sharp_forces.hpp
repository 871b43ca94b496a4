// The force of the fluid on sharp bodies, M L / T^2: what the discrete equations lose at a body.
// Friction beside it is not conservative (operators/sharp_rates.hpp), that of all other faces is.
// So between the faces f far from a body and the band of faces g beside it,
//
//   force_d = sum over sides between f and g of what passes from f to g:
//                 density (flux (u_f + u_g) / 2 - nu conductance (u_g - u_f)), and p A along d
//             + sum over g of V density (f_d + R_d - du_d/dt)
//
// A side of g in a side of the box, where the body touches it, counts by its open part.
//
// V the fluid part of a control volume, R the resistance of porous bodies and sponges. This is the
// momentum balance over the innermost contour of such faces, and equals that over any larger one
// (time/control_volumes.hpp) to rounding in a steady flow. du_d/dt: by the last step. Faces without
// an unknown carry their part of f, too.
//
//   pressure   the integral of p over the surface, by p and its gradient in the cells that it cuts
//   viscous    the rest
#pragma once

#include "sim/discrete/operators/cell_gradient.hpp"
#include "sim/discrete/operators/resistance.hpp"
#include "sim/discrete/operators/sharp_rates.hpp"
#include "sim/flow/forces.hpp"

namespace hodge::sim {

template <int Dim>
struct SharpForceFields {
  ForceFields<Dim> of;
  ConstVelocityView<Dim> previous;
  double last_dt = 0;  // 0: no step before
  const SharpFace<Dim>* faces[Dim] = {};
  const WallPiece<Dim>* pieces = nullptr;
  ResistanceView<Dim> resistance[Dim] = {};
};

// What passes into the band from the face beyond a side.
template <int Dim>
HODGE_HD double passed_from(const SharpForceFields<Dim>& f, int d, int e, int side,
                            const Index<Dim>& c) {
  const ForceFields<Dim>& of = f.of;
  const Index<Dim> there = c.shifted(e, side == 0 ? -1 : 1), at = c.shifted(e, side);
  const double inward = side == 0 ? 1.0 : -1.0;  // along +e
  const double here = of.velocity[d](c), beyond = of.velocity[d](there);
  const double flux = inward * convecting_flux(of.grid, of.velocity, d, e, at);
  double sum = of.density * (0.5 * flux * (here + beyond) -
                             of.viscosity * conductance(of.grid, d, e, at) * (here - beyond));
  if (e == d) sum += inward * of.pressure(side == 0 ? there : c) * of.grid.face_area(d, c);
  return sum;
}

// nu grad u and the stress nu (grad u + grad u^T) have the same force, but not the same moment.
template <int Dim>
HODGE_HD void add_moment_of_transposed(const SharpForceFields<Dim>& f, const Lever<Dim>& lever,
                                       int d, int e, int side, const Index<Dim>& c,
                                       const double (&x)[Dim], double (&sums)[force_count<Dim>]) {
  const ForceFields<Dim>& of = f.of;
  const Index<Dim> at = c.shifted(e, side);
  const double slope =
      (of.velocity[e](at) - of.velocity[e](at.shifted(d, -1))) * of.grid.inverse_spacing(e, d, at);
  double force[Dim] = {}, sums_of[force_count<Dim>] = {};
  force[d] =
      (side == 0 ? -1.0 : 1.0) * of.density * of.viscosity * of.grid.control_area(d, e, at) * slope;
  add_at(lever, x, 1, force, sums_of);
  for (int k = 2 * Dim; k < force_count<Dim>; ++k) sums[k] += sums_of[k];
}

// The shear stress at a face, along d through a plane across e.
template <int Dim>
HODGE_HD double shear_stress(const ForceFields<Dim>& of, const SharpFace<Dim>& face, int d, int e) {
  const double here = of.velocity[d](face.c);
  double sum = 0.0;
  for (int side = 0; side < 2; ++side)
    sum += face.slope[e][side] * (value_on_side(face, of.velocity[d], e, side) - here);
  sum += sum_of_taps(face.turning[e], SharpFace<Dim>::most_turning, of.velocity[e], face.c);
  return of.density * of.viscosity * sum;
}

// The bands of two components are not the same region, so that the couple of the shear stress in
// them does not cancel.
template <int Dim>
HODGE_HD void add_couple(const ForceFields<Dim>& of, const SharpFace<Dim>& face, int d,
                         double (&sums)[force_count<Dim>]) {
  for (int e = 0; e < Dim; ++e) {
    if (e == d) continue;
    const double sign = (e + 1) % 3 == d ? -1.0 : 1.0;
    sums[2 * Dim + moment_count<Dim> + (Dim == 2 ? 0 : 3 - d - e)] +=
        sign * face.fluid * shear_stress(of, face, d, e);
  }
}

// Adds what passes into the band at a face, where it passes, and what the face itself gives.
template <int Dim>
HODGE_HD void add_force_in_band(const SharpForceFields<Dim>& f, const Lever<Dim>& lever, int d,
                                const SharpFace<Dim>& face, double (&sums)[force_count<Dim>]) {
  const ForceFields<Dim>& of = f.of;
  const Index<Dim>& c = face.c;
  double x[Dim], force[Dim] = {};
  for (int e = 0; e < Dim; ++e) x[e] = of.grid.coordinate(d, e, c);
  for (int e = 0; e < Dim; ++e)
    for (int side = 0; side < 2; ++side) {
      const bool regular = face.regular_beside[e][side];
      if (!regular && face.in_side[e][side] == 0.0) continue;
      const double middle = x[e];
      x[e] = e == d ? of.grid.centre(e, c[e] - 1 + side) : of.grid.edge(e, c[e] + side);
      force[d] = (regular ? 1.0 : face.in_side[e][side]) * passed_from(f, d, e, side, c);
      add_at(lever, x, 1, force, sums);
      if (regular) add_moment_of_transposed(f, lever, d, e, side, c, x, sums);
      x[e] = middle;
    }
  force[d] = of.density * driven_momentum(of.grid, of.bodies, of.forcing[d], d, c);
  if (f.last_dt > 0.0)
    force[d] -= of.density * fluid_beside(of.grid, of.bodies, d, c) *
                (of.velocity[d](c) - f.previous[d](c)) / f.last_dt;
  if (f.resistance[d].any())
    force[d] += of.density * fluid_beside(of.grid, of.bodies, d, c) *
                resisting_rate(f.resistance[d], {of.velocity, of.velocity}, of.velocity[d], c);
  add_at(lever, x, 1, force, sums);
  add_couple(of, face, d, sums);
}

// The body beside a face that has no unknown; 0: none.
template <int Dim>
HODGE_HD int body_beside(const SharpForceFields<Dim>& f, int d, const Index<Dim>& c) {
  const int above = f.of.bodies.body(c), below = f.of.bodies.body(c.shifted(d, -1));
  if (above != 0 || below != 0) return above != 0 ? above : below;
  const int piece = f.of.bodies.at(c).piece;
  return piece >= 0 ? f.pieces[piece].body : 0;
}

// What drives the fluid beside a face that has no unknown.
template <int Dim>
HODGE_HD void add_driven(const SharpForceFields<Dim>& f, const Lever<Dim>& lever, int d,
                         const Index<Dim>& c, double (&sums)[force_count<Dim>]) {
  double x[Dim], force[Dim] = {};
  for (int e = 0; e < Dim; ++e) x[e] = f.of.grid.coordinate(d, e, c);
  force[d] = f.of.density * driven_momentum(f.of.grid, f.of.bodies, f.of.forcing[d], d, c);
  add_at(lever, x, 1, force, sums);
}

template <int Dim>
HODGE_HD void add_sharp_force(const SharpForceFields<Dim>& f, const Lever<Dim>& lever, int body,
                              const Index<Dim>& c, double (&sums)[force_count<Dim>]) {
  const BodyPoint<Dim>& point = f.of.bodies.at(c);
  for (int d = 0; d < Dim; ++d) {
    if (point.row[d] >= 0 && f.faces[d][point.row[d]].body == body)
      add_force_in_band(f, lever, d, f.faces[d][point.row[d]], sums);
    else if (f.of.bodies.excludes(d, c) && body_beside(f, d, c) == body)
      add_driven(f, lever, d, c, sums);
  }
  if (point.piece < 0 || f.pieces[point.piece].body != body) return;
  const WallPiece<Dim>& piece = f.pieces[point.piece];
  double x[Dim], force[Dim];
  for (int d = 0; d < Dim; ++d) {
    x[d] = f.of.grid.centre(d, piece.c[d]) + piece.middle[d];
    force[d] = f.of.pressure(piece.c) * piece.area[d];
  }
  for (int e = 0; e < Dim; ++e) {
    const double slope = gradient_in_cell(f.of.grid, f.of.bodies, f.of.pressure, e, piece.c);
    for (int d = 0; d < Dim; ++d) force[d] += slope * piece.moment[d][e];
  }
  add_at(lever, x, 0, force, sums);
  for (double& part : force) part = -part;
  add_at(lever, x, 1, force, sums);
}

template <int Dim, class Space>
std::vector<BodyForce> sharp_body_forces(const SharpForceFields<Dim>& fields,
                                         const std::vector<BodyFrame>& bodies,
                                         const std::vector<Lever<Dim>>& levers,
                                         linalg::Buffer<double, Space>& results) {
  return forces_by<Dim, Space>(
      fields.of.grid, bodies, levers,
      [=] HODGE_LAMBDA(const Lever<Dim>& lever, int body, const Index<Dim>& c,
                       double(&sums)[force_count<Dim>]) {
        for (double& part : sums) part = 0.0;
        add_sharp_force(fields, lever, body, c, sums);
      },
      results);
}

}  // namespace hodge::sim
