// The force of the fluid on sharp bodies, M L / T^2: what the discrete equations lose at a body.
// Rows beside it are not conservative (operators/sharp_rates.hpp), those of all other faces are. So
// between the faces f far from a body and the band of faces g beside it,
//
//   force_d = sum over sides between f and g of what passes from f to g:
//                 density (flux (u_f + u_g) / 2 - nu conductance (u_g - u_f)), and p A along d
//             + sum over g of A delta density (f_d - du_d/dt)
//
// which is the momentum balance over the innermost contour of such faces, and equals that over any
// larger one to rounding in a steady flow. du_d/dt: by the last step.
//
//   pressure   sum over cells that the surface cuts of p_wall (A_d(c) - A_d(c + e_d)), p_wall by
//              the gradient in the cell at the middle of the surface in it
//   viscous    the rest
#pragma once

#include "sim/flow/forces.hpp"

namespace hodge::sim {

template <int Dim>
struct SharpForceFields {
  ForceFields<Dim> of;
  ConstVelocityView<Dim> previous;
  double last_dt = 0;  // 0: no step before
  const SharpFace<Dim>* faces[Dim] = {};
  const WallPiece<Dim>* pieces = nullptr;
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
      if (!face.regular_beside[e][side]) continue;
      const double middle = x[e];
      x[e] = e == d ? of.grid.centre(e, c[e] - 1 + side) : of.grid.edge(e, c[e] + side);
      force[d] = passed_from(f, d, e, side, c);
      add_at(lever, x, 1, force, sums);
      x[e] = middle;
    }
  double rate = forcing_at(of.forcing[d], c);
  if (f.last_dt > 0.0) rate -= (of.velocity[d](c) - f.previous[d](c)) / f.last_dt;
  force[d] = of.density * of.bodies.open(d, c) * of.grid.control_volume(d, c) * rate;
  add_at(lever, x, 1, force, sums);
}

// dp/dx_d in cell c, by its faces with unknowns.
template <int Dim>
HODGE_HD double pressure_gradient_in(const ForceFields<Dim>& f, int d, const Index<Dim>& c) {
  double sum = 0.0, count = 0.0;
  for (int side = 0; side < 2; ++side) {
    const Index<Dim> face = c.shifted(d, side);
    if (f.bodies.excludes(d, face) || f.bodies.excludes(at_cells, face) ||
        f.bodies.excludes(at_cells, face.shifted(d, -1)))
      continue;
    sum += gradient(f.grid, f.pressure, d, face);
    count += 1.0;
  }
  return count > 0.0 ? sum / count : 0.0;
}

template <int Dim>
HODGE_HD void add_sharp_force(const SharpForceFields<Dim>& f, const Lever<Dim>& lever, int body,
                              const Index<Dim>& c, double (&sums)[force_count<Dim>]) {
  const BodyPoint<Dim>& point = f.of.bodies.at(c);
  for (int d = 0; d < Dim; ++d)
    if (point.row[d] >= 0 && f.faces[d][point.row[d]].body == body)
      add_force_in_band(f, lever, d, f.faces[d][point.row[d]], sums);
  if (point.piece < 0 || f.pieces[point.piece].body != body) return;
  const WallPiece<Dim>& piece = f.pieces[point.piece];
  double x[Dim], force[Dim], p = f.of.pressure(c);
  for (int d = 0; d < Dim; ++d) {
    x[d] = f.of.grid.centre(d, c[d]) + piece.offset[d];
    p += piece.offset[d] * pressure_gradient_in(f.of, d, c);
  }
  for (int d = 0; d < Dim; ++d) force[d] = p * piece.area[d];
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
